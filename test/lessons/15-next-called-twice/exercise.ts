/** Lesson 15: a stage that calls `next` twice. */
import type { Stage } from '../../../src/index.ts';

// ▼ Your prediction here, for one POST with the body "a chair": numbers, and for the last one a text.
export const prediction = {
  'front sees so many requests': undefined,
  'front sees so many replies': undefined,
  'back sees so many requests': undefined,
  'orders are stored': undefined,
  'the client reads that there are so many orders': undefined,
  'the body that the route reads at the second call': undefined,
};

export const again: Stage = (context, next) => {
  // ▼ Your code here.
  return next(context);
};
