/**
 * Continues with a value that is there now or later: at once with a plain value, when it is fulfilled with a promise.
 *
 * `await` would make a promise of every value. A request for which no stage waits is answered without one, in the turn
 * of the event loop in which it arrived.
 */

/**
 * Returns what `then` returns for the value. `failed` is called with the error of a promise that is rejected; without
 * it the rejection is passed on. What `then` throws at once is thrown, not rejected, and never reaches `failed`.
 */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result | Promise<Result>,
  failed?: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(then, failed) : then(value);
}
