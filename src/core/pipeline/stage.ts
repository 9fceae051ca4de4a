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

const NAMES = new WeakMap<Stage, string>();

/** Gives a stage a name that can begin a sentence: `The stage "served" of the plugin "even"`. */
export const nameStage = (stage: Stage, name: string): void => void NAMES.set(stage, name);

/** The stage under this name; a copy of it if it has another one already, as a stage of two plugins has. */
export function namedStage(stage: Stage, name: string): Stage {
  const isOther = (NAMES.get(stage) ?? name) !== name;
  const named: Stage = isOther
    ? Object.defineProperty((context: Context, next: Handler) => stage(context, next), 'name', { value: stage.name })
    : stage;
  nameStage(named, name);
  return named;
}

/** The given name, else that of the function; it can begin a sentence. */
export const nameOfStage = (stage: Stage): string =>
  NAMES.get(stage) ?? (stage.name === '' ? 'A stage without a name' : `The stage "${stage.name}"`);
