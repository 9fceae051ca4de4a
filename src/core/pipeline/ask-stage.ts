/**
 * Calls one stage and checks what it is given and what it returns.
 *
 * The most common mistake is a stage that calls `next(context)` and does not return its reply. The error names that
 * stage, and not the stage around it.
 */
import { checkReply, isChecked } from '../message/check-reply.ts';
import { Context, type Handler, type Reply } from '../message/context.ts';
import { assertContext } from '../message/context-with.ts';
import { nameOfStage, type Stage } from './stage.ts';

/** The reply of the stage. Throws a `TypeError` for no or a spread context; fails with an `InvalidReply`. */
export function askStage(stage: Stage, context: Context, next: Handler): Reply | Promise<Reply> {
  if (typeof context !== 'object' || context === null)
    throw new TypeError(
      `Cannot ask ${asObject(stage)}: the stage before it called next() without a context; call next(context)`,
    );
  const state = Context.stateOf(context);
  if (state === undefined) assertContext(context, `ask ${asObject(stage)}`);
  const returned = stage(context, next);
  if (state !== undefined && isChecked(returned, state)) return returned;
  return checkReply(returned, context, nameOfStage, stage);
}

const asObject = (stage: Stage): string => nameOfStage(stage).replace(/^./, (letter) => letter.toLowerCase());
