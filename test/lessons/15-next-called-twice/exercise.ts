/** Lesson 15: a stage that calls `next` twice. */
import type { Stage } from '../../../src/index.ts';

// ▼ Your prediction here, for one POST with the body "a chair": numbers, and for the last one a string.
export const prediction = {
  'how many requests front sees': undefined,
  'how many replies front sees': undefined,
  'how many requests back sees': undefined,
  'how many orders are stored': undefined,
  'the number of orders in the reply': undefined,
  'the body that the route reads at the second call': undefined,
};

export const again: Stage = (context, next) => {
  // ▼ Your code here.
  return next(context);
};
