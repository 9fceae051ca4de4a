/**
 * Calls one stage, and holds it to what a stage may be given and may return.
 *
 * The commonest mistake is a stage that calls `next(context)` and forgets to return what it answers. It is told here, by the
 * stage's name, and not by the stage around it, which would trip over the missing reply.
 */
import { checkReply, isChecked } from '../http/message/check-reply.ts';
import { Context, type Handler, type Reply } from '../http/message/context.ts';
import { assertContext } from '../http/message/context-with.ts';
import type { Stage } from './stage.ts';
import { nameOfStage } from './stage-name.ts';

/**
 * What the stage answers. Throws a `TypeError` for a context that lost its members in a spread, and an `InvalidReply` – a promise
 * rejects with it – for what is no reply that can be sent.
 */
export function askStage(stage: Stage, context: Context, next: Handler): Reply | Promise<Reply> {
  if (typeof context !== 'object' || context === null) {
    throw new TypeError(
      `Cannot ask ${asObject(stage)}: the stage before it called next() without a context; call next(context)`,
    );
  }
  const state = Context.stateOf(context);
  if (state === undefined) assertContext(context, `ask ${asObject(stage)}`);
  const returned = stage(context, next);
  return state !== undefined && isChecked(returned, state)
    ? returned
    : checkReply(returned, context, nameOfStage, stage);
}

const asObject = (stage: Stage): string => nameOfStage(stage).replace(/^./, (letter) => letter.toLowerCase());
