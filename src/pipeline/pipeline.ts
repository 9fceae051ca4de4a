/**
 * Makes one handler of a list of stages.
 *
 * A stage answers, or returns what the next stage answers. A stage that does not wait is no `async` function, so a
 * request for which no stage waits is answered without a promise. `askStage` calls a stage and checks its reply;
 * `trustReply` marks a reply that this library has made as valid.
 */
import { trustReply } from '../http/message/check-reply.ts';
import type { Handler } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { askStage } from './ask-stage.ts';
import type { Pipeline } from './stage.ts';

/** The handler that calls the stages in their order. `end` answers what no stage answers: with a 404 unless given. */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>((next, stage) => (context) => askStage(stage, context, next), end);

/** The 404 for a method and a path that nothing answers (§7, D9). */
export const unanswered: Handler = (context) =>
  trustReply(problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`), context);
