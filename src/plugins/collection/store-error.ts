/** The errors of stores that cannot be opened, cannot be reached, or are full. */

import { HttpProblem } from '../../core/http/problem.ts';
import { logInfo, logWarning, onceAMinute } from '../../core/log/log-line.ts';

interface StoreFault {
  /** True if a later attempt can succeed without a correction. Default: false. */
  readonly isTemporary?: boolean | undefined;
  /** Identifies the error, so that a program can add a remedy: another limit, a backup, or another store. */
  readonly code?: 'TOO_MANY_ITEMS' | 'DAMAGED' | 'NO_SQLITE' | undefined;
  readonly cause?: unknown;
}

/** Thrown if a store cannot be opened, filled or read. Its message is one line for the user (D32). */
export class StoreError extends Error {
  readonly isTemporary: boolean;
  readonly code: StoreFault['code'];

  /** `what` is the name of the store in messages. `fault` is the cause and the remedy. */
  constructor(what: string, fault: string, { isTemporary = false, code, cause }: StoreFault = {}) {
    super(`Cannot keep items in ${what}: ${fault}`, { cause });
    this.name = 'StoreError';
    this.isTemporary = isTemporary;
    this.code = code;
  }
}

/** Thrown by a store that has no room for a change. The store has changed nothing, and the client gets a 507. */
export class CollectionFull extends HttpProblem {
  constructor(detail: string) {
    super(507, detail, { headers: { 'Retry-After': '60' } });
  }
}

/** Makes a 503 error. `seconds` is the time after which a client may try again. */
export const unreachable = (detail: string, seconds: number): HttpProblem =>
  new HttpProblem(503, detail, { headers: { 'Retry-After': String(seconds) } });

/** Logs when an open store is lost, is reached again, is full, or has room again (D85). */
export class StoreState {
  readonly #what: string;
  isLost = false;
  returns = 0;
  readonly #mayLogFull = onceAMinute();
  /** True if the last logged line about room says that the store is full. */
  #isFull = false;

  /** `what` is the name of the store in messages. */
  constructor(what: string) {
    this.#what = what;
  }

  lost(cause: string): void {
    if (!this.isLost) logWarning(`The store ${this.#what} cannot be reached: ${cause}`);
    this.isLost = true;
  }

  /** Call this when the store has answered. */
  found(): void {
    if (!this.isLost) return;
    this.isLost = false;
    this.returns++;
    logInfo(`The store ${this.#what} is reached again`);
  }

  /** Call this when the store has accepted an item. */
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
