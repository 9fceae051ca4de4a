/**
 * Calls a function with a value that may be a promise: at once with a plain value, or once the promise is fulfilled.
 *
 * Stages and handlers use it instead of `await`, which creates a promise for every value. A request that waits for
 * nothing is answered without a promise, in less time.
 */

/** Returns the result of `then`. `failed` gets the error of a rejected promise; it never gets an error of `then`. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result | Promise<Result>,
  failed?: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(then, failed) : then(value);
}
