/** Lesson 1, answered: fold a list of stages into one handler. */
import { type Handler, type Pipeline, unanswered } from '../../../src/index.ts';

/**
 * Returns a handler that calls the stages in their order. If no stage answers, `end` does.
 *
 * The fold begins at the last stage, because its `next` exists already: it is `end`. A stage with its `next` is a
 * handler, and that handler is the `next` of the stage before. The handler of the first stage is the result.
 */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>(
    // The fold calls no stage. The inner function calls the stage once for each request, with the context of that
    // request. One pipeline answers many requests at the same time, so it stores nothing about any of them.
    (next, stage) => (context) => stage(context, next),
    end,
  );

// It has neither `async` nor `await`, so it passes on a reply as a reply and a promise as a promise. One of the real
// tests checks that; lesson 6 is about it.
//
// The same with a loop:
//
//     let handler = end;
//     for (const stage of [...stages].reverse()) {
//       const next = handler; // each turn has a separate `next`, which the function below keeps
//       handler = (context) => stage(context, next);
//     }
//     return handler;
