/** Waits for the promise of a file or a plugin, and fails if it never settles: the process would end in silence. */

/** Milliseconds. */
const PATIENCE = 30_000;

/**
 * What the promise resolves to. Rejects with the error that `refusal` makes if nothing is left to run that could settle
 * the promise, and after half a minute.
 */
export const unlessStuck = <Value>(promise: Promise<Value>, refusal: () => Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    const refuse = (): void => reject(refusal());
    const timer = setTimeout(refuse, PATIENCE).unref();
    process.once('beforeExit', refuse);
    void promise.then(resolve, reject).then(() => {
      clearTimeout(timer);
      process.off('beforeExit', refuse);
    });
  });
