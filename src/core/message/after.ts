/**
 * Continues with a value that is there now or later: at once with a plain value, when it is fulfilled with a promise.
 *
 * `await` would make a promise of every value. A request for which no stage waits is answered without one, in the turn
 * of the event loop in which it arrived.
 */

/** What `then` returns. `failed` gets the error of a rejected promise only: what `then` throws at once is thrown. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result | Promise<Result>,
  failed?: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(then, failed) : then(value);
}
