/** Lesson 1, answered: make one handler of a list of stages. */
import { type Handler, type Pipeline, unanswered } from '../../../src/index.ts';

/**
 * The handler that calls the stages in their order. `end` answers what no stage answers.
 *
 * The fold begins at the last stage, because its `next` is there already: it is `end`. A stage with its `next` is a
 * handler, and that handler is the `next` of the stage before. What is left after the first stage is the whole.
 */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>(
    // Nothing is called here. The inner function calls the stage, once for each request, with the context of that
    // request: one pipeline answers many requests at the same time, so it keeps nothing of any of them.
    (next, stage) => (context) => stage(context, next),
    end,
  );

// Without `async` and without `await`: what a stage returns is passed through, a reply as a reply and a promise as a
// promise. One of the real tests asks for that; lesson 6 is about it.
//
// The same with a loop:
//
//     let handler = end;
//     for (const stage of [...stages].reverse()) {
//       const next = handler; // each turn has a `next` of its own, which the function below keeps
//       handler = (context) => stage(context, next);
//     }
//     return handler;
