/** Waits for the promise of a file or plugin. If it never settled, Node would end the process without a message. */

const PATIENCE_MS = 30_000;

/**
 * Resolves to the value of the promise. Rejects with the result of `stuckError` after half a minute, or as soon as the
 * process has nothing else to run.
 */
export const unlessStuck = <Value>(promise: Promise<Value>, stuckError: () => Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stuckError());
    const timer = setTimeout(giveUp, PATIENCE_MS).unref();
    process.once('beforeExit', giveUp);
    void promise.then(resolve, reject).then(() => {
      clearTimeout(timer);
      process.off('beforeExit', giveUp);
    });
  });
