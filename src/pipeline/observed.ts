/**
 * Watches one request on its way through the later stages, for the plugins that log and count.
 *
 * A request that no stage makes wait is watched without a promise. What an outer stage sees as an exception is a client
 * that has left – nobody is answered, and it is reported as 499 – or a mistake of the stages in between.
 */

import { ClientGone } from '../http/message/client-gone.ts';
import type { Context, Handler, Reply } from '../http/message/context.ts';

/** Told once per request. `reply` is absent where an exception went through. */
export type Report = (status: number, reply: Reply | undefined) => void;

/** Answers what `next` answers, and reports it. Throws and rejects as `next` does. */
export function observed(context: Context, next: Handler, report: Report): Reply | Promise<Reply> {
  const passed = (reply: Reply): Reply => {
    report(reply.status, reply);
    return reply;
  };
  const failed = (error: unknown): never => {
    report(error instanceof ClientGone ? 499 : 500, undefined);
    throw error;
  };
  let reply;
  try {
    reply = next(context);
  } catch (error) {
    return failed(error);
  }
  return reply instanceof Promise ? reply.then(passed, failed) : passed(reply);
}

/** Is this the path `wanted`, ignoring case and one final slash (§4.3)? `wanted` is in lower case. */
function isPath(path: string, wanted: string): boolean {
  const surplus = path.length - wanted.length;
  if (surplus !== 0 && !(surplus === 1 && path.endsWith('/'))) return false;
  return path.slice(0, wanted.length).toLowerCase() === wanted;
}

/** GET or HEAD of this path? Other methods fall through (D9). */
export const isGetOrHead = ({ method, path }: Context, wanted: string): boolean =>
  (method === 'GET' || method === 'HEAD') && isPath(path, wanted);
