/** Declares the stage of a pipeline, which Express and Koa call a middleware, and names it in error messages. */
import type { Context, Handler } from '../message/context.ts';
import type { Reply } from '../message/reply.ts';

/** True for GET and HEAD of `path`, ignoring case and one final slash (§4.3 rule 3, D9). `path` is in lower case. */
export function isGetOrHead({ method, path: sent }: Context, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const surplus = sent.length - path.length;
  if (surplus !== 0 && !(surplus === 1 && sent.endsWith('/'))) return false;
  return sent.slice(0, path.length).toLowerCase() === path;
}

/** Answers the request, or returns what `next(context)` returns: the reply of the later stages. */
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;

/** Stages in the order in which a request passes them. */
export type Pipeline = readonly Stage[];

const NAMES = new WeakMap<Stage, { readonly name: string; readonly source: Stage }>();

/**
 * Gives a stage a name that can begin a sentence: `The stage "served" of the plugin "even"`. `source` is the stage that
 * it was made of.
 */
const nameStage = (stage: Stage, name: string, source = stage): void =>
  void NAMES.set(stage, { name, source: sourceOf(source) });

/** The function that was declared as this stage. */
export const sourceOf = (stage: Stage): Stage => NAMES.get(stage)?.source ?? stage;

/** `around`, which stands in the place of the stage. Errors name it as they name the stage. */
export function inPlaceOf(stage: Stage, around: Stage): Stage {
  nameStage(around, nameOfStage(stage), stage);
  return around;
}

/** The stage under this name; a copy of it if it has another one already, as a stage of two plugins has. */
export function namedStage(stage: Stage, name: string, source = stage): Stage {
  const isOther = (NAMES.get(stage)?.name ?? name) !== name;
  const named: Stage = isOther
    ? Object.defineProperty((context: Context, next: Handler) => stage(context, next), 'name', { value: stage.name })
    : stage;
  nameStage(named, name, source);
  return named;
}

/**
 * The stages that stand in front of a handler, named after its declaration, `the operation "ApiTodoGet"`; undefined for
 * none. Throws a `TypeError` for what is no list of stages.
 */
export function declaredStages(stages: Pipeline | undefined, subject: string): Pipeline | undefined {
  if (stages === undefined) return undefined;
  const wrong = Array.isArray(stages) ? stages.findIndex((stage) => typeof stage !== 'function') : Infinity;
  if (wrong >= 0) {
    const fault = wrong === Infinity ? 'they are no list' : `number ${wrong + 1} is no function`;
    throw new TypeError(`Cannot use the stages of ${subject}: ${fault}; give [(context, next) => next(context), …]`);
  }
  if (stages.length === 0) return undefined;
  // A stage may stand in several declarations. Errors name the one whose request it was.
  return stages.map((stage) => {
    const copy: Stage = (context, next) => stage(context, next);
    nameStage(copy, `${nameOfStage(stage)} of ${subject}`, stage);
    return copy;
  });
}

/** The given name, else that of the function; it can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage)?.name ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);
