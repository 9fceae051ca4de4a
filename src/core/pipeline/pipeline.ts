/**
 * Makes one handler of a list of stages.
 *
 * A stage answers, or returns what the next stage answers. A stage that does not wait is no `async` function, so a
 * request for which no stage waits is answered without a promise.
 */
import type { Context, Handler } from '../message/context.ts';
import { assertContext } from '../message/context-with.ts';
import { problemReply } from '../message/problem.ts';
import { type NameOfMaker, readyReply } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { recordOf } from '../message/request-record.ts';
import { nameOfStage, type Pipeline, type Stage } from './stage.ts';

/** The handler that calls the stages in their order. `end` answers what no stage answers: with a 404 unless given. */
export const pipeline = (stages: Pipeline, end: Handler = unanswered): Handler =>
  stages.reduceRight<Handler>((next, stage) => {
    const name = () => nameOfStage(stage);
    return (context) => askStage(stage, context, next, name);
  }, end);

/**
 * The reply of the stage. Throws a `TypeError` for no or a spread context. Fails with an `InvalidReply` that names this
 * stage, and not the one around it: the most common mistake is a stage that does not return the reply of `next`.
 */
function askStage(stage: Stage, context: Context, next: Handler, name: NameOfMaker): Reply | Promise<Reply> {
  if (typeof context !== 'object' || context === null)
    throw new TypeError(
      `Cannot ask ${asObject(stage)}: the stage before it called next() without a context; call next(context)`,
    );
  if (recordOf(context) === undefined) assertContext(context, `ask ${asObject(stage)}`);
  return readyReply(stage(context, next), context, name);
}

const asObject = (stage: Stage): string => nameOfStage(stage).replace(/^./, (letter) => letter.toLowerCase());

/**
 * The 404 for a method and a path that nothing answers (§7, D9). A `listener` that was given a `next` calls it instead
 * of sending this.
 */
export const unanswered: Handler = (context) => {
  const reply = problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`);
  const fallThrough = recordOf(context)?.fallThrough;
  if (fallThrough !== undefined) fallThrough.unansweredBody = reply.body;
  return reply;
};
