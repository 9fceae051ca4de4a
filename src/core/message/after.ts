/**
 * Continues with a value that is there now or later: at once with a plain value, when it is fulfilled with a promise.
 *
 * Stages and handlers continue so, and not with `await`, which would make a promise of every value: one for each request
 * costs a GET of one item 10 to 12 % of its processor time.
 */

/** What `then` returns. `failed` gets the error of a rejected promise only: what `then` throws at once is thrown. */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  then: (value: Value) => Result | Promise<Result>,
  failed?: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(then, failed) : then(value);
}
