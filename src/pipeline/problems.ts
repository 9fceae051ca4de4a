/**
 * The outermost stage: whatever is thrown or rejected below it becomes a problem reply (D10), so that the stages around it
 * – an access log, metrics – see an answer like any other. So does the problem that the server gives in place of a reply that
 * it has waited for long enough.
 */
import { Readable } from 'node:stream';
import { trustPromise } from '../http/message/check-reply.ts';
import { ClientGone } from '../http/message/client-gone.ts';
import { Context, type Reply } from '../http/message/context.ts';
import { type ErrorLog, logToConsole, replyToError, report } from '../http/message/problem.ts';
import type { Stage } from './pipeline.ts';

/** `log` is told the cause of every 500; without it the cause goes to standard error. */
export function problems(log: ErrorLog = logToConsole): Stage {
  const answer = (error: unknown, context: Context): Reply => {
    // Nobody is left to answer; the server lets go of the request.
    if (error instanceof ClientGone) throw error;
    return replyToError(error, context, log);
  };

  function waitFor(reply: Promise<Reply>, context: Context): Promise<Reply> {
    const state = Context.stateOf(context);
    if (state === undefined) return reply.catch((error: unknown) => answer(error, context));
    let waiting = true;
    return trustPromise(
      new Promise<Reply>((resolve, reject) => {
        state.giveUp = (error) => {
          waiting = false;
          resolve(answer(error, context));
        };
        reply.then(
          (made) => {
            state.giveUp = undefined;
            if (waiting) resolve(made);
            else if (made.body instanceof Readable) made.body.destroy();
          },
          (error: unknown) => {
            state.giveUp = undefined;
            try {
              if (waiting) resolve(answer(error, context));
              else report(error, context, log);
            } catch (gone) {
              reject(gone);
            }
          },
        );
      }),
      context,
    );
  }

  return function problems(context, next) {
    try {
      const reply = next(context);
      return reply instanceof Promise ? waitFor(reply, context) : reply;
    } catch (error) {
      return answer(error, context);
    }
  };
}
