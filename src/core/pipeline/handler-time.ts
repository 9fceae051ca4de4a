/**
 * Limits the time in which a request must be answered (D48).
 *
 * The stage `problems` calls `withinTime` to wait for the reply of the later stages. Once a second, `watch.ts` of the
 * server looks at each connection. When the time is over, it ends this wait with a 503, which passes the outer stages
 * like any reply. If `problems` does not wait, the server sends the 503 itself. `withinTime`, or `sendLater` in
 * `answer-request.ts`, discards and logs a reply that comes later.
 */
import type { Context } from '../http/context.ts';
import { type ErrorLog, report } from '../http/error-log.ts';
import { releaseStreams } from '../http/held-streams.ts';
import { ClientGone, type HttpProblem } from '../http/problem.ts';
import { discardReply } from '../http/ready-reply.ts';
import type { Reply } from '../http/reply.ts';
import { librarySlot } from '../http/slotted-context.ts';
import { thrownMember } from '../log/thrown-value.ts';

/** The time limit of the request in milliseconds; undefined to use the limit of the server. */
export const timeLimit = librarySlot<number>('time limit');

/** Sets the time limit of this request in milliseconds. It replaces the limit of the server. */
export const setTimeLimit = (context: Context, limit: number): void => timeLimit.set(context, limit);

/** The function that ends the wait with a problem. It is set while `problems` waits for a reply. */
export const endWaiting = librarySlot<(problem: HttpProblem) => void>('end of waiting');

/**
 * Returns the reply. If it fails or comes too late, calls `answer` with the error or the problem of the time limit, and
 * returns the result. A reply or an error that comes too late is logged.
 */
export function withinTime(
  reply: Promise<Reply>,
  context: Context,
  answer: (error: unknown, context: Context) => Reply,
  log: ErrorLog,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let late: HttpProblem | undefined;
    const answerTo = (error: unknown): void => {
      endWaiting.set(context, undefined);
      try {
        resolve(answer(error, context));
      } catch (unanswered) {
        reject(unanswered);
      }
    };
    endWaiting.set(context, (problem) => {
      late = problem;
      answerTo(problem);
    });
    reply.then(
      (value) => {
        endWaiting.set(context, undefined);
        if (late === undefined) resolve(value);
        else reportLate(value, context, log);
      },
      (error: unknown) => {
        if (late === undefined) answerTo(error);
        else reportLateError(error, late, context, log);
      },
    );
  });
}

/** Logs and discards a reply that came after the time limit, after the problem was sent (D48, D95). */
export function reportLate(reply: Reply, context: Context, log: ErrorLog): void {
  discardReply(reply);
  releaseStreams(context);
  const { method, path } = context;
  const remedy = 'stop the work when context.signal is aborted, or raise handlerTimeout';
  report(
    new Error(`Cannot send the ${reply.status} for ${method} ${path}: it came after the time limit; ${remedy}`),
    context,
    log,
  );
}

/** Logs an error that came after the time limit, unless the aborted `context.signal` has caused it. */
export function reportLateError(error: unknown, late: Error | undefined, context: Context, log: ErrorLog): void {
  releaseStreams(context);
  const isAskedFor = late !== undefined && (error === late || thrownMember(error, 'cause') === late);
  if (!isAskedFor && !(error instanceof ClientGone)) report(error, context, log);
}
