/** What goes wrong with stores: one cannot be opened, cannot be reached, or is full. */
import { logInfo, logWarning, onceAMinute } from '../../core/log/log-line.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Responses } from '../../operations/operation/operation.ts';

/** What else is known of the fault of a store. */
export interface StoreFault {
  /** May another try succeed although nobody has changed a thing? False unless given. */
  readonly isTemporary?: boolean | undefined;
  /** Names a fault for which a program may know a further remedy: there is a limit, a backup, or another store. */
  readonly code?: 'TOO_MANY_ITEMS' | 'DAMAGED' | 'NO_SQLITE' | undefined;
  readonly cause?: unknown;
}

/** The error of a store that cannot be opened, filled or read; its message is one line for the user (D32). */
export class StoreError extends Error {
  readonly isTemporary: boolean;
  readonly code: StoreFault['code'];

  /** `what` is the store as messages name it; `fault` says what is wrong, and the remedy. */
  constructor(what: string, fault: string, { isTemporary = false, code, cause }: StoreFault = {}) {
    super(`Cannot keep items in ${what}: ${fault}`, { cause });
    this.name = 'StoreError';
    this.isTemporary = isTemporary;
    this.code = code;
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

/** Logs what happens to a store that is open, as one line each (D85): lost, there again, full, with room again. */
export class StoreState {
  readonly #what: string;
  isLost = false;
  /** How often it was lost and is there again. */
  returns = 0;
  readonly #mayLogFull = onceAMinute();
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
    if (!this.#mayLogFull()) return;
    this.#isFull = true;
    logWarning(`The store ${this.#what} is full: ${cause}`);
  }
}
