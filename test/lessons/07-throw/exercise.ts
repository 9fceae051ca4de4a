/** Lesson 7: who catches an error, and a stage that catches one kind of error. */
import { problemReply, type Stage } from '../../../src/index.ts';

// ▼ Your prediction here: `'418 by problems'`, `'418 by the server'`, `'500 by problems'` or `'500 by the server'`.
export const prediction = {
  'a route throws new HttpProblem(418)': undefined,
  'a route throws new Error()': undefined,
  'a stage throws a string': undefined,
  'an outer stage throws new HttpProblem(418)': undefined,
};

export class TablesBusy extends Error {}

export const busyLater: Stage = (context, next) => {
  // ▼ Your code here.
  return next(context);
};
