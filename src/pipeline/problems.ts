/**
 * The outermost stage: whatever is thrown or rejected below it becomes a problem reply (D10), so that the stages around it
 * – an access log, metrics – see an answer like any other.
 */
import type { Context, Reply } from '../http/context.ts';
import { ClientGone } from '../http/client-gone.ts';
import { logToConsole, replyToError, type ErrorLog } from '../http/problem.ts';
import type { Middleware } from './pipeline.ts';

/** `log` is told the cause of every 500; without it the cause goes to standard error. */
export function problems(log: ErrorLog = logToConsole): Middleware {
  const answer = (error: unknown, context: Context): Reply => {
    // Nobody is left to answer; the server lets go of the request.
    if (error instanceof ClientGone) throw error;
    return replyToError(error, context, log);
  };
  return function problems(context, next) {
    try {
      const reply = next(context);
      return reply instanceof Promise ? reply.catch((error: unknown) => answer(error, context)) : reply;
    } catch (error) {
      return answer(error, context);
    }
  };
}
