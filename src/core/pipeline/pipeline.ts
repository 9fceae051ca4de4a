/**
 * Combines a list of stages into one handler.
 *
 * A stage answers the request, or returns the reply of the next stage. If a stage does not wait, write it without
 * `async`: a request is answered without a promise if no stage waits.
 */
import type { Context, Handler } from '../http/context.ts';
import { assertPassed } from '../http/context-with.ts';
import { ReadyReply, readyReply } from '../http/ready-reply.ts';
import type { ErrorSubject, Reply } from '../http/reply.ts';
import { SlottedContext } from '../http/slotted-context.ts';
import { unanswered } from '../http/unanswered.ts';
import { nameOfStage, type Pipeline, type Stage } from './stage.ts';

/** A stage, and its name for errors, which can begin a sentence: `The stage "served" of the plugin "even"`. */
export interface NamedStage {
  readonly stage: Stage;
  readonly name: ErrorSubject;
}

/** Returns a handler that calls the stages in their order. If no stage answers, `end` answers; its default is 404. */
export const pipeline = (
  stages: Pipeline,
  end: Handler = unanswered,
  nameOfEnd: ErrorSubject = () => 'the last handler of the pipeline',
): Handler => chain([...stages.map(namedStage), { stage: end, name: nameOfEnd }]);

/** Returns the stage with its name for errors: the place of its declaration, or else the name of its function. */
export const namedStage = (stage: Stage): NamedStage => ({ stage, name: () => nameOfStage(stage) });

/** Returns a handler that calls these stages in their order. If the last stage calls `next`, the answer is a 404. */
export const chain = (stages: readonly NamedStage[]): Handler =>
  stages.reduceRight<Handler>((next, stage) => askStage.bind(undefined, stage, next), unanswered);

/**
 * Calls one stage. Checks its reply here, unless it is a plain `ReadyReply`, so an error names the stage that returned
 * the wrong value. The most common mistake is a stage that does not return the reply of `next`.
 */
export function askStage({ stage, name }: NamedStage, next: Handler, context: Context): Reply | Promise<Reply> {
  if (!(context instanceof SlottedContext)) assertPassed(context, name);
  const returned = stage(context, next);
  if (returned instanceof ReadyReply && returned.isPlain) return returned;
  if (!(returned instanceof Promise)) return readyReply(returned, context, name);
  return returned.then((reply) =>
    reply instanceof ReadyReply && reply.isPlain ? reply : readyReply(reply, context, name),
  );
}
