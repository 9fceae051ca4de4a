/** What goes wrong with stores: one cannot be opened, cannot be reached, or is full. */
import { logInfo, logWarning } from '../../extending.ts';
import { HttpProblem, type Responses } from '../../index.ts';

/** One line for the user, and the exit code of the process (D32). */
export class StoreError extends Error {
  /** 1 where a restart may help, 2 where a setting or the machine has to change first. */
  readonly exitCode: 1 | 2;

  /** `what` is the store as messages name it; `cause` says what is wrong, and the remedy. */
  constructor(what: string, cause: string, exitCode: 1 | 2, reason?: unknown) {
    super(`Cannot keep items in ${what}: ${cause}`, { cause: reason });
    this.name = 'StoreError';
    this.exitCode = exitCode;
  }
}

/** The error of a store that has no room for a change, thrown before anything changes: a 507. */
export class CollectionFull extends HttpProblem {
  constructor(detail: string) {
    super(507, detail, { headers: { 'Retry-After': '60' } });
  }
}

/** A 503 with the time after which a client may try again. */
export const unreachable = (detail: string, seconds: number): HttpProblem =>
  new HttpProblem(503, detail, { headers: { 'Retry-After': String(seconds) } });

const headers = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before the next attempt' } } as const;

/** What every operation over such a store may answer. */
export const UNREACHABLE: Responses = { 503: { description: 'The store cannot be reached', headers } };
/** What removing an item may answer where that takes room. */
export const NO_ROOM: Responses = { 507: { description: 'The store is full', headers } };

/** A full store is logged at most once in this time, in milliseconds. */
const FULL_INTERVAL = 60_000;

/** Logs what happens to a store that is open, as one line each (D85): lost, there again, full, with room again. */
export class StoreState {
  readonly #what: string;
  isLost = false;
  /** How often it was lost and is there again. */
  returns = 0;
  #fullTold = Number.NEGATIVE_INFINITY;
  /** Does the last line about its room say that it is full? */
  #isFull = false;

  /** `what` is the store as messages name it. */
  constructor(what: string) {
    this.#what = what;
  }

  lost(cause: string): void {
    if (!this.isLost) logWarning(`The store ${this.#what} cannot be reached: ${cause}`);
    this.isLost = true;
  }

  /** It has answered. */
  found(): void {
    if (!this.isLost) return;
    this.isLost = false;
    this.returns++;
    logInfo(`The store ${this.#what} is reached again`);
  }

  /** It has accepted an item. */
  accepted(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    logInfo(`The store ${this.#what} has room again`);
  }

  full(cause: string): void {
    if (performance.now() - this.#fullTold < FULL_INTERVAL) return;
    this.#fullTold = performance.now();
    this.#isFull = true;
    logWarning(`The store ${this.#what} is full: ${cause}`);
  }
}
