/** The state of the house that lends cameras, and the errors of its domain. */
import { EventEmitter, on } from 'node:events';
import { type Infer, problem, type Result } from '../../src/index.ts';
import type { ServerSentEvent } from '../../src/shelf/events/events.ts';
import { DeviceStore } from './device-store.ts';
import type { User, WISH } from './schemas.ts';

export interface Loan extends Infer<typeof WISH> {
  readonly borrower: User;
}

/** The device is lent already. */
export class Lent extends Error {
  readonly until: string;
  constructor(serial: string, until: string) {
    super(`${serial} is lent`);
    this.until = until;
  }
}
/** The error for a device or a loan that the house does not have. */
export class Unknown extends Error {}
/** The device is returned by somebody who has not borrowed it. */
export class NotTheBorrower extends Error {}

/** Turns the errors of the domain into problems, for `operations({ faults })`. */
export function faults(error: unknown): Result | undefined {
  if (error instanceof Lent) return problem(409, error.message, { until: error.until });
  if (error instanceof Unknown) return problem(404, error.message);
  if (error instanceof NotTheBorrower) return problem(403, error.message);
  return undefined;
}

export class House {
  readonly devices = new DeviceStore();
  readonly photos = new Map<string, File>();
  readonly #loans = new Map<string, Loan>();
  readonly #news = new EventEmitter();
  readonly #sent: ServerSentEvent[] = [];

  /** Returns the device. Throws `Unknown` if there is no device with this serial number. */
  async device(serial: string) {
    const device = await this.devices.get(serial);
    if (device === undefined) throw new Unknown(`There is no device ${serial}`);
    return device;
  }

  loan(serial: string): Loan {
    const loan = this.#loans.get(serial);
    if (loan === undefined) throw new Unknown(`${serial} is not lent`);
    return loan;
  }

  async lend(serial: string, loan: Loan): Promise<Loan> {
    await this.device(serial);
    const other = this.#loans.get(serial);
    if (other !== undefined) throw new Lent(serial, other.until);
    this.#loans.set(serial, loan);
    this.send('loan', { serial, until: loan.until });
    return loan;
  }

  giveBack(serial: string, user: User): void {
    if (this.loan(serial).borrower.name !== user.name)
      throw new NotTheBorrower('Only the borrower can return the device');
    this.#loans.delete(serial);
  }

  /** Sends an event to everybody who listens, and keeps it for those who listen later. */
  send(event: string, data: object): void {
    this.#sent.push({ id: String(this.#sent.length + 1), event, data });
    this.#news.emit('news', this.#sent.at(-1));
  }

  /** Returns the events after the event with this id, and then each event as it is sent. */
  async *news(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    const coming = on(this.#news, 'news', { signal });
    yield* this.#sent.slice(Number(lastEventId ?? this.#sent.length));
    for await (const [event] of coming) yield event as ServerSentEvent;
  }
}
