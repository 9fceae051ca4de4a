/** Turns every error of the later stages into a problem reply (D10). Outer stages see it like any other reply. */

import type { Context } from '../http/context.ts';
import { type ErrorLog, logError } from '../http/error-log.ts';
import { ClientGone, replyToError } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { withinTime } from './handler-time.ts';
import type { Stage } from './stage.ts';

/**
 * Creates the stage. It calls `log` with the cause of every 500; the default log is standard error. It rethrows
 * `ClientGone`, since the client has closed the connection.
 */
export function problems(log: ErrorLog = logError): Stage {
  const answer = (error: unknown, context: Context): Reply => {
    if (error instanceof ClientGone) throw error;
    return replyToError(error, context, log);
  };
  return function problems(context, next) {
    try {
      const reply = next(context);
      if (!(reply instanceof Promise)) return reply;
      return withinTime(reply, context, log).catch((error: unknown) => answer(error, context));
    } catch (error) {
      return answer(error, context);
    }
  };
}
