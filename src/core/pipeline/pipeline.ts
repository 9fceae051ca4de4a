/**
 * Makes one handler of a list of stages.
 *
 * A stage answers, or returns what the next stage answers. A stage that does not wait is no `async` function, so a
 * request for which no stage waits is answered without a promise. `askStage` calls a stage and checks its reply.
 */
import type { Handler } from '../message/context.ts';
import { askStage } from './ask-stage.ts';
import type { Pipeline } from './stage.ts';
import { unanswered } from './unanswered.ts';

/** The handler that calls the stages in their order. `end` answers what no stage answers: with a 404 unless given. */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>((next, stage) => (context) => askStage(stage, context, next), end);
