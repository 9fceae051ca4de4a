/**
 * Limits the time in which a request must be answered (D48).
 *
 * The stage `problems` calls `withinTime` to wait for the reply of the later stages. Once a second, `watch.ts` calls
 * `endLongWait` for each connection. When the time is over, `endLongWait` ends this wait with a 503, which passes the
 * outer stages like any reply. If `problems` does not wait, `watch.ts` sends the 503 itself. `withinTime`, or
 * `sendLater` in `answer-request.ts`, discards and logs a reply that comes later.
 */
import { thrownMember } from '../log/thrown-value.ts';
import type { Context } from '../message/context.ts';
import { type ErrorLog, report } from '../message/error-log.ts';
import { discardReply } from '../message/frozen-reply.ts';
import { releaseStreams } from '../message/held-streams.ts';
import { ClientGone, HttpProblem } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';
import { matchedTemplate } from '../message/request-notes.ts';
import { librarySlot } from '../message/slotted-context.ts';
import type { Connection } from './connection/connection.ts';
import type { Exchange } from './connection/exchange.ts';
import { TICK_MS } from './connection/limits.ts';

const timeLimit = librarySlot<number>('time limit');

/** Sets the time limit of this request in milliseconds. It replaces the limit of the server. */
export const setTimeLimit = (context: Context, limit: number): void => timeLimit.set(context, limit);

/** The function that ends the wait with a problem. It is set while `problems` waits for a reply. */
const endWaiting = librarySlot<(problem: HttpProblem) => void>('end of waiting');

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

/**
 * Ends the running request of a connection if its time is over. `watch.ts` calls this once a second. Counts the time in
 * which the request waits for its reply, without the time in which it waits for its body. If no stage waits for the
 * reply, returns the exchange and its problem, and the caller must send the problem.
 */
export function endLongWait(
  { running, reading }: Connection,
  handlerTimeout: number,
): readonly [Exchange, HttpProblem] | undefined {
  if (running === undefined || running.replyStarted) return undefined;
  const waits = reading?.waitsForHandler !== false;
  running.waited = waits ? (running.waited ?? -TICK_MS) + TICK_MS : undefined;
  const limit = timeLimit.find(running) ?? handlerTimeout;
  return (running.waited ?? 0) < limit ? undefined : giveUp(running, limit);
}

function giveUp(exchange: Exchange, limit: number): readonly [Exchange, HttpProblem] | undefined {
  const { method, path, settings } = exchange;
  const template = matchedTemplate(exchange);
  const who = template === undefined ? 'a stage' : `the route "${method} ${template}", or a stage,`;
  const remedy = 'return the reply sooner, or raise handlerTimeout';
  const fault = `${who} has not replied within ${limit / 1000} s; ${remedy}`;
  exchange.refusedBy('handlerTimeout');
  report(new Error(`Cannot wait longer for ${method} ${path}: ${fault}`), exchange, settings.log);
  const detail = 'The service took too long to answer this request';
  const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '10' } });
  exchange.late = problem;
  exchange.abandon(problem);
  const end = endWaiting.find(exchange);
  endWaiting.set(exchange, undefined);
  if (end === undefined) return [exchange, problem];
  end(problem);
  return undefined;
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
