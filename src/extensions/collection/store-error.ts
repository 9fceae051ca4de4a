/** The error of a store that cannot be opened. */

/** One line for the user, and the exit code of the process (D32). */
export class StoreError extends Error {
  /** 1 where a restart may help, 2 where a setting or the machine has to change first. */
  readonly exitCode: 1 | 2;

  /** `what` is the store as messages name it; `cause` says what is wrong and what to do about it. */
  constructor(what: string, cause: string, exitCode: 1 | 2, reason?: unknown) {
    super(`Cannot keep items in ${what}: ${cause}`, { cause: reason });
    this.name = 'StoreError';
    this.exitCode = exitCode;
  }
}
