/**
 * Makes one handler of a list of stages.
 *
 * A stage answers, or returns what the next stage answers. A stage that does not wait is not an `async` function, so a
 * request for which no stage waits is answered without a promise.
 */
import type { Context, Handler } from '../message/context.ts';
import { assertPassed } from '../message/context-with.ts';
import { readyReply } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import type { NameOfMaker } from '../message/reply-fault.ts';
import { slotValuesOf } from '../message/slotted-context.ts';
import { unanswered } from '../message/unanswered.ts';
import { nameOfStage, type Pipeline, type Stage } from './stage.ts';

/** A stage, and its name for errors, which can begin a sentence: `The stage "served" of the plugin "even"`. */
export interface NamedStage {
  readonly stage: Stage;
  readonly name: NameOfMaker;
}

/** The handler that calls the stages in their order. `end` answers what no stage answers: by default with a 404. */
export const pipeline = (
  stages: Pipeline,
  end: Handler = unanswered,
  nameOfEnd: NameOfMaker = () => 'the last handler of the pipeline',
): Handler => chain([...stages.map(namedStage), { stage: end, name: nameOfEnd }]);

/** The stage with the name that it was declared with, or that of its function. */
export const namedStage = (stage: Stage): NamedStage => ({ stage, name: () => nameOfStage(stage) });

/**
 * The handler that calls these stages, of which the last one answers: its `next` is `unanswered`. Each reply is made
 * ready where it is returned, so an error names the stage that made it and not a stage that passes it on. The most
 * common mistake is a stage that does not return the reply of `next`.
 */
export const chain = (stages: readonly NamedStage[]): Handler =>
  stages.reduceRight<Handler>((next, stage) => (context) => askStage(stage, context, next), unanswered);

/** Asks one stage, and makes its reply ready. */
export function askStage({ stage, name }: NamedStage, context: Context, next: Handler): Reply | Promise<Reply> {
  if (slotValuesOf(context) === undefined) assertPassed(context, name);
  return readyReply(stage(context, next), context, name);
}
