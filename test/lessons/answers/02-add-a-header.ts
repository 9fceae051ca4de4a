/** Lesson 2, answered: a stage that adds a header to every reply. */
import { type Plugin, type Stage, withHeaders } from '../../../src/index.ts';

export const prediction = {
  'a route answers, 200': true,
  // The error passes the stage as an error. `problems` is further out and turns it into a reply.
  'a route throws an HttpProblem, 418': false,
  // A path without a route is not an error. The end of the pipeline answers 404, and its reply passes all stages.
  'no route matches, 404': true,
  // The server refuses such a request before the stages. The refusal passes only the outer stages.
  'the request is not valid, 400': false,
};

const served: Stage = async (context, next) => {
  // With `await` the reply may come at once or later. Without it, `withHeaders` may get a promise.
  const reply = await next(context);
  // Return a copy, because other requests may share the reply.
  return withHeaders(reply, { 'X-Served-By': 'lesson' });
};

export const plugin: Plugin = {
  name: 'lesson',
  // Outer stages are around everything. They also see the replies of `problems` and the refusals of invalid requests.
  outerStages: [served],
};
