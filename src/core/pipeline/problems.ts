/** Turns every error of the later stages into a problem reply (D10). Outer stages see it like any other reply. */

import { type ErrorLog, logError } from '../http/error-log.ts';
import { ClientGone, replyToError } from '../http/problem.ts';
import { awaitReply } from './handler-time.ts';
import type { Stage } from './stage.ts';

/**
 * Creates the stage. It calls `log` with the cause of every 500; the default log is standard error. It rethrows
 * `ClientGone`, since the client has closed the connection.
 */
export function problems(log: ErrorLog = logError): Stage {
  return function problems(context, next) {
    try {
      const reply = next(context);
      if (!(reply instanceof Promise)) return reply;
      return new Promise((resolve, reject) => {
        const failed = (error: unknown): void => {
          if (error instanceof ClientGone) reject(error);
          else resolve(replyToError(error, context, log));
        };
        awaitReply(reply, context, log, resolve, failed);
      });
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      return replyToError(error, context, log);
    }
  };
}
