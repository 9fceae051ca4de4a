/**
 * Lets the server end the wait for a reply: when a handler exceeds its time limit, the stages outside get a problem at
 * once, and the reply that the handler makes later is dropped (D48).
 */
import { discardReply, trustPromise } from '../message/check-reply.ts';
import { Context, type Reply } from '../message/context.ts';
import { type ErrorLog, report } from '../message/problem.ts';

/** The reply, or what `answer` makes of its error or of the problem of the server, whichever is first. */
export function inTime(
  reply: Reply | Promise<Reply>,
  context: Context,
  answer: (error: unknown, context: Context) => Reply,
  log: ErrorLog,
): Reply | Promise<Reply> {
  if (!(reply instanceof Promise)) return reply;
  const state = Context.stateOf(context);
  if (state === undefined) return reply.catch((error: unknown) => answer(error, context));
  let ended = false;
  const promise = new Promise<Reply>((resolve, reject) => {
    state.giveUp = (problem) => {
      ended = true;
      resolve(answer(problem, context));
    };
    const fulfilled = (made: Reply): void => {
      state.giveUp = undefined;
      if (!ended) resolve(made);
      else discardReply(made);
    };
    const rejected = (error: unknown): void => {
      state.giveUp = undefined;
      if (ended) return report(error, context, log);
      try {
        resolve(answer(error, context));
      } catch (unanswered) {
        reject(unanswered);
      }
    };
    reply.then(fulfilled, rejected);
  });
  return trustPromise(promise, context);
}
