/** Lesson 2, answered: a stage that adds a header to every reply. */
import { type Plugin, type Stage, withHeaders } from '../../../src/index.ts';

export const prediction = {
  'a route answers, 200': true,
  // The error passes the stage as an error, so there is no reply yet. `problems`, further out, makes it.
  'a route throws an HttpProblem, 418': false,
  // That nothing matches is no error. The end of the pipeline answers 404, and its reply comes back through all stages.
  'no route matches, 404': true,
  // Such a request is refused before the stages. The refusal passes the outer stages only.
  'the request is not valid, 400': false,
};

const served: Stage = async (context, next) => {
  // With `await` the reply may come at once or later. Without it, `withHeaders` gets a promise if a later stage waits.
  const reply = await next(context);
  // A copy: the reply may be shared with other requests, so nobody changes it.
  return withHeaders(reply, { 'X-Served-By': 'lesson' });
};

export const plugin: Plugin = {
  name: 'lesson',
  // Around everything: the replies of `problems` and the refusals of invalid requests come through here as well.
  outerStages: [served],
};
