/** Lesson 3, answered: a stage that answers itself. */

import { problemReply, type Stage } from '../../../src/index.ts';

export const prediction = {
  'front sees the request': true,
  // Only `closed` can ask `back`, with its `next`, and does not call it.
  'back sees the request': false,
  'the route sees the request': false,
  // A stage sees the replies of later stages, and only of those that it has asked.
  'back sees the reply': false,
  // `front` has asked `closed`, so the reply is what its own `next(context)` returns.
  'front sees the reply': true,
};

// A returned problem and a thrown `HttpProblem` look the same to the client. Earlier stages see the difference: they
// get the one as a reply and the other as an error, which most stages let pass (lesson 7).
export const closed: Stage = (context, next) =>
  ['GET', 'HEAD'].includes(context.method) ? next(context) : problemReply(context, 503, 'Only reading today');
