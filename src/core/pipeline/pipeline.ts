/**
 * Makes one handler of a list of stages.
 *
 * A stage answers, or returns what the next stage answers. A stage that does not wait is not an `async` function, so a
 * request for which no stage waits is answered without a promise.
 */
import type { Context, Handler } from '../message/context.ts';
import { assertContext } from '../message/context-with.ts';
import { readyHandler, readyReply } from '../message/ready-reply.ts';
import type { NameOfMaker } from '../message/reply-fault.ts';
import { slotValuesOf } from '../message/slotted-context.ts';
import { unanswered } from '../wire/mounted-listener.ts';
import { nameOfStage, type Pipeline, type Stage } from './stage.ts';

/** A stage, and its name for errors, which can begin a sentence: `The stage "served" of the plugin "even"`. */
export interface NamedStage {
  readonly stage: Stage;
  readonly name: NameOfMaker;
}

/** The handler that calls the stages in their order. `end` answers what no stage answers: by default with a 404. */
export const pipeline = (stages: Pipeline, end: Handler = unanswered, nameOfEnd?: NameOfMaker): Handler =>
  chain(
    stages.map((stage) => ({ stage, name: () => nameOfStage(stage) })),
    end,
    nameOfEnd,
  );

/**
 * The same for stages with names. Each reply is made ready where it is returned, so an error names the stage that made
 * it, or `nameOfEnd`, and not a stage that passes it on: the most common mistake is a stage that does not return the
 * reply of `next`.
 */
export const chain = (
  stages: readonly NamedStage[],
  end: Handler = unanswered,
  nameOfEnd: NameOfMaker = () => 'the last handler of the pipeline',
): Handler =>
  stages.reduceRight<Handler>(
    (next, { stage, name }) =>
      (context) => {
        assertPassed(context, name);
        return readyReply(stage(context, next), context, name);
      },
    readyHandler(end, nameOfEnd),
  );

/** Throws a `TypeError` if the stage before has passed on another value than a context, or a spread of a context. */
function assertPassed(context: Context, name: NameOfMaker): void {
  const isObject = typeof context === 'object' && context !== null;
  if (isObject && slotValuesOf(context) !== undefined) return;
  const subject = name().replace(/^./, (letter) => letter.toLowerCase());
  if (!isObject)
    throw new TypeError(
      `Cannot ask ${subject}: the stage before it called next() without a context; call next(context)`,
    );
  assertContext(context, () => `ask ${subject}`);
}
