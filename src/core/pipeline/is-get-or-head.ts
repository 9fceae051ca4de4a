/** Decides whether a request reads one fixed path, for plugins that answer it without a route. */
import type { Context } from '../message/context.ts';

/** True for GET and HEAD of `path`, ignoring case and one final slash (§4.3 rule 3, D9). `path` is in lower case. */
export function isGetOrHead({ method, path: sent }: Context, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const surplus = sent.length - path.length;
  if (surplus !== 0 && !(surplus === 1 && sent.endsWith('/'))) return false;
  return sent.slice(0, path.length).toLowerCase() === path;
}
