/**
 * Makes a promise of a thenable, so that `after` waits for it: a caller may use promises of another library. Any other
 * value stays as it is.
 */
export const asPromise = <Value>(value: Value | PromiseLike<Value>): Value | Promise<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function'
    ? Promise.resolve(value)
    : (value as Value);
