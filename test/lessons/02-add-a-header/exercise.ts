/** Lesson 2: a stage that adds a header to every reply. */
import { type Plugin, type Stage, withHeaders } from '../../../src/index.ts';

// ▼ Your prediction here, `true` or `false`: does the reply get the header while the stage is in `stages`?
export const prediction = {
  'a route answers, 200': undefined,
  'a route throws an HttpProblem, 418': undefined,
  'no route matches, 404': undefined,
  'the request is not valid, 400': undefined,
};

const served: Stage = async (context, next) => {
  // ▼ Your code here.
  return next(context);
};

export const plugin: Plugin = {
  name: 'lesson',
  // ▼ And here: which list is the right one?
  stages: [served],
};
