/**
 * Lets the server end the wait for a reply: when a handler exceeds its time limit, the stages outside get a problem at
 * once, and the reply that the handler makes later is dropped (D48).
 */
import type { Context } from '../message/context.ts';
import { type ErrorLog, report } from '../message/problem.ts';
import { pendingReply } from '../message/ready-reply.ts';
import { discardReply, type Reply } from '../message/reply.ts';
import { recordOf } from '../message/request-record.ts';

/** The reply, or what `answer` makes of its error or of the problem of the server, whichever is first. */
export function inTime(
  reply: Reply | Promise<Reply>,
  context: Context,
  answer: (error: unknown, context: Context) => Reply,
  log: ErrorLog,
): Reply | Promise<Reply> {
  if (!(reply instanceof Promise)) return reply;
  const record = recordOf(context);
  if (record === undefined) return reply.catch((error: unknown) => answer(error, context));
  let ended = false;
  const promise = new Promise<Reply>((resolve, reject) => {
    record.giveUp = (problem) => {
      ended = true;
      resolve(answer(problem, context));
    };
    const fulfilled = (made: Reply): void => {
      record.giveUp = undefined;
      if (!ended) resolve(made);
      else discardReply(made);
    };
    const rejected = (error: unknown): void => {
      record.giveUp = undefined;
      if (ended) return report(error, context, log);
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
