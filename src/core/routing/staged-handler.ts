/** Puts stages around the handler of one route, behind the match (D73). */
import type { Context } from '../message/context.ts';
import type { Reply } from '../message/reply.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import { nameOfStage, nameStage, type Pipeline, type Stage } from '../pipeline/stage.ts';

/** What a handler receives, as far as stages change it. */
interface StagedInput {
  readonly context: Context;
}

type Answering<Input> = (input: Input) => Reply | Promise<Reply>;

/** What handlers with stages were made of. */
const PARTS = new WeakMap<object, { readonly stages: Pipeline; readonly handle: never; readonly subject: string }>();

/**
 * The handler behind these stages; the handler itself where there are none. `subject` names the declaration in errors:
 * `the operation "ApiTodoGet"`. Throws a `TypeError` for what is no list of stages.
 */
export function stagedHandler<Input extends StagedInput>(
  stages: Pipeline | undefined,
  handle: Answering<Input>,
  subject: string,
): Answering<Input> {
  if (stages === undefined) return handle;
  const wrong = Array.isArray(stages) ? stages.findIndex((stage) => typeof stage !== 'function') : Infinity;
  if (wrong >= 0) {
    const fault = wrong === Infinity ? 'they are no list' : `number ${wrong + 1} is no function`;
    throw new TypeError(`Cannot use the stages of ${subject}: ${fault}; give [(context, next) => next(context), …]`);
  }
  if (stages.length === 0) return handle;
  // A stage may stand in several declarations. Errors name the one whose request it was.
  const named = stages.map((stage) => {
    const copy: Stage = (context, next) => stage(context, next);
    nameStage(copy, `${nameOfStage(stage)} of ${subject}`);
    return copy;
  });
  const staged: Answering<Input> = (input) =>
    pipeline(named, (context) => handle(withContext(input, context)))(input.context);
  PARTS.set(staged, { stages, handle: handle as never, subject });
  return staged;
}

export const hasStages = (handler: object): boolean => PARTS.has(handler);

/** The handler with other stages, and another handler behind them, than those that it was made of. */
export function withPartsChanged<Input extends StagedInput>(
  handler: Answering<Input>,
  changeStages: (stages: Pipeline) => Pipeline,
  changeHandler: (handle: Answering<Input>) => Answering<Input>,
): Answering<Input> {
  const parts = PARTS.get(handler);
  if (parts === undefined) return changeHandler(handler);
  return stagedHandler(changeStages(parts.stages), changeHandler(parts.handle), parts.subject);
}

/** The input with the context that the last stage has passed on. Its links read the base path of this one. */
const withContext = <Input extends StagedInput>(input: Input, context: Context): Input =>
  context === input.context ? input : Object.create(input, { context: { value: context, enumerable: true } });
