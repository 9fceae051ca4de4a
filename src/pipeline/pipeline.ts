/**
 * How stages become a service: a fold.
 *
 * A stage answers, or returns what the next one answers. Nothing is registered and nothing is counted at run time; the
 * order of the array is the order a request meets. A stage that does not wait is not `async`, so a request that no
 * stage makes wait passes from socket to socket without a promise.
 */
import { trustReply } from '../http/message/check-reply.ts';
import type { Handler } from '../http/message/context.ts';
import { problemReply } from '../http/message/problem.ts';
import { askStage } from './ask-stage.ts';
import type { Stage } from './stage.ts';

export type { Stage } from './stage.ts';

/** Stages in the order a request meets them. It is an array until someone folds it. */
export type Pipeline = readonly Stage[];

/** Folds the stages, last to first, into the one handler the server calls. `end` answers what no stage did: a 404 unless given. */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>((next, stage) => (context) => askStage(stage, context, next), end);

/** The end of the line: nothing here answers to this method and path (§7, D9). */
export const unanswered: Handler = (context) =>
  trustReply(problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`), context);
