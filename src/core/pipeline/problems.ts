/**
 * Makes a problem reply of every error of the later stages (D10). The stages around it, an access log for example, see
 * such a reply like any other.
 */

import type { Context } from '../message/context.ts';
import {
  ClientGone,
  type ErrorLog,
  logToConsole,
  replyToError,
  reportLate,
  reportLateError,
} from '../message/problem.ts';
import { pendingReply } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { recordOf } from '../message/request-record.ts';
import type { Stage } from './stage.ts';

/**
 * Calls `log` with the cause of every 500; by default it goes to standard error. Rethrows `ClientGone`: the client has
 * closed the connection.
 */
export function problems(log: ErrorLog = logToConsole): Stage {
  const answer = (error: unknown, context: Context): Reply => {
    if (error instanceof ClientGone) throw error;
    return replyToError(error, context, log);
  };
  return function problems(context, next) {
    try {
      // Waits for a promise, at most for the time limit of the handler.
      return inTime(next(context), context, answer, log);
    } catch (error) {
      return answer(error, context);
    }
  };
}

/**
 * The reply, or what `answer` makes of its error or of the problem of the server, whichever is first: when a handler
 * exceeds its time limit, the stages outside get a problem at once, and its later reply is dropped (D48).
 */
function inTime(
  reply: Reply | Promise<Reply>,
  context: Context,
  answer: (error: unknown, context: Context) => Reply,
  log: ErrorLog,
): Reply | Promise<Reply> {
  if (!(reply instanceof Promise)) return reply;
  const record = recordOf(context);
  if (record === undefined) return reply.catch((error: unknown) => answer(error, context));
  let late: Error | undefined;
  const promise = new Promise<Reply>((resolve, reject) => {
    // Not in the assignment: V8 makes such a function in the old space, where it keeps the whole request alive until a
    // full collection.
    const giveUp = (problem: Error): void => {
      late = problem;
      resolve(answer(problem, context));
    };
    record.giveUp = giveUp;
    const fulfilled = (made: Reply): void => {
      record.giveUp = undefined;
      if (late === undefined) resolve(made);
      else reportLate(made, context, log);
    };
    const rejected = (error: unknown): void => {
      record.giveUp = undefined;
      if (late !== undefined) return reportLateError(error, late, context, log);
      try {
        resolve(answer(error, context));
      } catch (unanswered) {
        reject(unanswered);
      }
    };
    reply.then(fulfilled, rejected);
  });
  return pendingReply(promise, record);
}
