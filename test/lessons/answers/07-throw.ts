/** Lesson 7, answered: who catches an error, and a stage that catches one kind of error. */

import { problemReply, type Stage } from '../../../src/index.ts';

export const prediction = {
  'a route throws new HttpProblem(418)': '418 by problems',
  // The client does not see the message, for it may hold a secret.
  'a route throws new Error()': '500 by problems',
  // Anything can be thrown. What is no `HttpProblem` is a 500.
  'a stage throws a string': '500 by problems',
  // `problems` comes after the outer stages, so it is not asked, or has returned already. The server is the last one.
  'an outer stage throws new HttpProblem(418)': '418 by the server',
};

export class TablesBusy extends Error {}

export const busyLater: Stage = async (context, next) => {
  try {
    // `return next(context)` would leave the `try` with the promise in hand, before it is rejected. With `await` the
    // function is still in the `try` then, and the same `catch` gets both kinds of failure.
    return await next(context);
  } catch (error) {
    // Only what this stage knows how to answer. One that catches everything hides the mistakes of others from the log.
    if (!(error instanceof TablesBusy)) throw error;
    return problemReply(context, 503, 'No table is free', { headers: { 'Retry-After': '1' } });
  }
};
