/** Lesson 7, answered: who catches an error, and a stage that catches one kind of error. */

import { problemReply, type Stage } from '../../../src/index.ts';

export const prediction = {
  'a route throws new HttpProblem(418)': '418 by problems',
  // The client does not see the message, because it may contain a secret.
  'a route throws new Error()': '500 by problems',
  // JavaScript can throw any value. Every value that is not an `HttpProblem` becomes a 500.
  'a stage throws a string': '500 by problems',
  // `problems` comes after the outer stages, so it does not see this error. Only the server is left.
  'an outer stage throws new HttpProblem(418)': '418 by the server',
};

export class TablesBusy extends Error {}

export const busyLater: Stage = async (context, next) => {
  try {
    // `return next(context)` would leave the `try` before the promise is rejected. With `await` the function is still in
    // the `try`, and the same `catch` gets both kinds of failure.
    return await next(context);
  } catch (error) {
    // Catch only the error that this stage can answer. Catching every error would hide other mistakes from the log.
    if (!(error instanceof TablesBusy)) throw error;
    return problemReply(context, 503, 'No table is free', { headers: { 'Retry-After': '1' } });
  }
};
