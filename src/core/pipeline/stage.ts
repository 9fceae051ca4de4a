/**
 * Declares the type of a stage, which Express and Koa call middleware. Finds the name of a stage for error messages.
 * Helps a stage to act on the result of the later stages.
 */
import { after } from '../http/after.ts';
import type { Context, Handler } from '../http/context.ts';
import { ClientGone } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';

/** Answers the request, or returns the result of `next(context)`, which is the reply of the later stages. */
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;

/** Stages in the order in which a request passes them. */
export type Pipeline = readonly Stage[];

const NAMES = new WeakMap<Stage, string>();

/** Gives `around` the error name of the stage that it replaces. Returns `around`. */
export function inPlaceOf(stage: Stage, around: Stage): Stage {
  NAMES.set(around, nameOfStage(stage));
  return around;
}

/**
 * Returns copies of the stages in front of a handler, each named after the `subject`, such as `the route "teapot"`.
 * Returns undefined for an empty list. Throws a `TypeError` for a value that is not a list of stages.
 */
export function declaredStages(stages: Pipeline | undefined, subject: string): Pipeline | undefined {
  if (stages === undefined) return undefined;
  const wrong = Array.isArray(stages) ? stages.findIndex((stage) => typeof stage !== 'function') : Infinity;
  if (wrong >= 0) {
    const fault = wrong === Infinity ? 'the value is not a list' : `number ${wrong + 1} is not a function`;
    throw new TypeError(`Cannot use the stages of ${subject}: ${fault}; give [(context, next) => next(context), …]`);
  }
  if (stages.length === 0) return undefined;
  return stages.map((stage) => {
    // Several declarations may share a stage. Errors name the declaration that the request has matched.
    const copy: Stage = (context, next) => stage(context, next);
    NAMES.set(copy, `${nameOfStage(stage)} of ${subject}`);
    return Object.defineProperty(copy, 'name', { value: stage.name });
  });
}

/** Returns the name of a stage in errors: the declared name, or the name of its function. It can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage) ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);

/** Calls `action`, then `replied` with the result. If `action` throws or rejects, calls `failed` with the error. */
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

/** Calls `next` and reports its result once: the reply, 499 for a client that has left, or 500 for another error. */
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
