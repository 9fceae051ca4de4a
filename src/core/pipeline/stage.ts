/**
 * Declares the stage of a pipeline, which Express and Koa call a middleware, and names it in error messages. Helps a
 * stage to act on how the later stages ended.
 */
import { after } from '../message/after.ts';
import type { Context, Handler } from '../message/context.ts';
import { ClientGone } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';

/** Answers the request, or returns what `next(context)` returns: the reply of the later stages. */
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;

/** Stages in the order in which a request passes them. */
export type Pipeline = readonly Stage[];

/** The name of a stage in errors, and the function that was declared as this stage. */
const NAMES = new WeakMap<Stage, { readonly name: string; readonly source: Stage }>();

/** The function that was declared as this stage. */
export const sourceOf = (stage: Stage): Stage => NAMES.get(stage)?.source ?? stage;

/** Names `around`, which takes the place of the stage, as the stage in errors. Returns `around`. */
export function inPlaceOf(stage: Stage, around: Stage): Stage {
  NAMES.set(around, { name: nameOfStage(stage), source: sourceOf(stage) });
  return around;
}

/**
 * The stages in front of a handler, each named after the `subject`, `the route "teapot"` for example; undefined for an
 * empty list. Throws a `TypeError` for a value that is not a list of stages.
 */
export function declaredStages(stages: Pipeline | undefined, subject: string): Pipeline | undefined {
  if (stages === undefined) return undefined;
  const wrong = Array.isArray(stages) ? stages.findIndex((stage) => typeof stage !== 'function') : Infinity;
  if (wrong >= 0) {
    const fault = wrong === Infinity ? 'they are no list' : `number ${wrong + 1} is no function`;
    throw new TypeError(`Cannot use the stages of ${subject}: ${fault}; give [(context, next) => next(context), …]`);
  }
  if (stages.length === 0) return undefined;
  return stages.map((stage) => {
    // A stage may stand in several declarations. Errors name the one whose request it was.
    const copy: Stage = (context, next) => stage(context, next);
    NAMES.set(copy, { name: `${nameOfStage(stage)} of ${subject}`, source: sourceOf(stage) });
    return Object.defineProperty(copy, 'name', { value: stage.name });
  });
}

/** The name of a stage in errors: that of `namedStage`, else that of its function. It can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage)?.name ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);

/** Returns what `replied` returns. An error goes through `failed`, whether thrown at once or rejected later. */
export function settled<Result = Reply>(
  action: () => Result | Promise<Result>,
  replied: (result: Result) => Result,
  failed: (error: unknown) => never,
): Result | Promise<Result> {
  let result: Result | Promise<Result>;
  try {
    result = action();
  } catch (error) {
    return failed(error);
  }
  return after(result, replied, failed);
}

/**
 * Does as `next` does, and reports it once: with the reply, with 499 for a client that has closed the connection, and
 * with 500 for any other error.
 */
export const observed = (
  context: Context,
  next: Handler,
  report: (status: number, reply: Reply | undefined) => void,
): Reply | Promise<Reply> =>
  settled(
    () => next(context),
    (reply) => {
      report(reply.status, reply);
      return reply;
    },
    (error) => {
      report(error instanceof ClientGone ? 499 : 500, undefined);
      throw error;
    },
  );
