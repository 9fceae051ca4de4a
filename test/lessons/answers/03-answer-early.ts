/** Lesson 3, answered: a stage that answers without `next`. */

import { problemReply, type Stage } from '../../../src/index.ts';

export const prediction = {
  'front sees the request': true,
  // Only `closed` can call `back`, with its `next`, and it does not.
  'back sees the request': false,
  'the route sees the request': false,
  // A stage sees only the replies that its calls of `next` return.
  'back sees the reply': false,
  // `front` has called `closed`, so its `next(context)` returns this reply.
  'front sees the reply': true,
};

// A returned problem and a thrown `HttpProblem` look the same to the client. Earlier stages see the difference: they
// get the returned problem as a reply. They get the thrown one as an error, which most stages pass on (lesson 7).
export const closed: Stage = (context, next) =>
  ['GET', 'HEAD'].includes(context.method) ? next(context) : problemReply(context, 503, 'Only reading today');
