/** Lesson 3: a stage that answers without `next`. */
import { problemReply, type Stage } from '../../../src/index.ts';

// ▼ Your prediction here, `true` or `false`: a POST comes, and the stage `closed` answers it.
export const prediction = {
  'front sees the request': undefined,
  'back sees the request': undefined,
  'the route sees the request': undefined,
  'back sees the reply': undefined,
  'front sees the reply': undefined,
};

export const closed: Stage = (context, next) => {
  // ▼ Your code here.
  return next(context);
};
