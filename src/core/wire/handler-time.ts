/**
 * Limits the time in which a request is answered (D48): who waits, when it is over, and what comes after it.
 *
 * The stage `problems` waits for the later stages. When the time is over it answers with a problem, which passes the
 * outer stages as any reply does. The reply that comes later is dropped.
 */

import { thrownMember } from '../log/thrown-value.ts';
import type { Context } from '../message/context.ts';
import { type ErrorLog, report } from '../message/error-log.ts';
import { discardReply } from '../message/made-reply.ts';
import { ClientGone, HttpProblem } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';
import { matchedTemplate } from '../message/request-notes.ts';
import { ownSlot } from '../message/slotted-context.ts';
import type { Connection } from './connection/connection.ts';
import type { Exchange } from './connection/exchange.ts';
import { TICK_MS } from './connection/limits.ts';

const timeLimit = ownSlot<number>('time limit');

/** Sets how long this request may take, in milliseconds, in place of the limit of the server. */
export const setTimeLimit = (context: Context, limit: number): void => timeLimit.set(context, limit);

/** Ends the waiting for a reply with this problem; set while a stage waits. */
const endWaiting = ownSlot<(problem: HttpProblem) => void>('end of waiting');

/**
 * The reply, or what `answer` makes of its error or of the problem of the time limit, whichever is first. `log`
 * receives what comes too late.
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
      (made) => {
        endWaiting.set(context, undefined);
        if (late === undefined) resolve(made);
        else reportLate(made, context, log);
      },
      (error: unknown) => {
        if (late === undefined) answerTo(error);
        else reportLateError(error, late, context, log);
      },
    );
  });
}

/**
 * Ends the waiting of the running request of a connection if its time is over, at each tick of the watch. The time
 * counts while the request waits for its reply, and not for more of its body. Returns the exchange and its problem if
 * no stage waits for the reply, so that it has to be sent.
 */
export function endLongWait(
  connection: Connection,
  handlerTimeout: number,
): readonly [Exchange, HttpProblem] | undefined {
  const { running, reading, requests } = connection;
  const waits = running !== undefined && !running.replyStarted && reading?.waitsForHandler !== false;
  const time = connection.ticksOf('waiting', waits ? requests + (reading?.taken ?? 0) : Number.NaN) * TICK_MS;
  if (!waits) return undefined;
  const limit = timeLimit.find(running) ?? handlerTimeout;
  return time < limit ? undefined : giveUp(running, limit);
}

function giveUp(exchange: Exchange, limit: number): readonly [Exchange, HttpProblem] | undefined {
  const { method, path, settings } = exchange;
  const template = matchedTemplate(exchange);
  const who = template === undefined ? 'a stage' : `the route "${method} ${template}", or a stage,`;
  const remedy = 'answer sooner, or allow more time as handlerTimeout';
  const fault = `${who} has not answered within ${limit / 1000} s; ${remedy}`;
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

/** Tells the log of a reply that was made after the time of its handler: another was sent in its place (D48, D95). */
export function reportLate(reply: Reply, context: Context, log: ErrorLog): void {
  discardReply(reply);
  const { method, path } = context;
  const remedy = 'end what it does when context.signal is aborted, or allow more time as handlerTimeout';
  report(
    new Error(`Cannot send the ${reply.status} for ${method} ${path}: it came after its time; ${remedy}`),
    context,
    log,
  );
}

/** Tells the log of an error after the time of the handler, unless it is the end that `signal` asked for. */
export function reportLateError(error: unknown, late: Error | undefined, context: Context, log: ErrorLog): void {
  const isAskedFor = late !== undefined && (error === late || thrownMember(error, 'cause') === late);
  if (!isAskedFor && !(error instanceof ClientGone)) report(error, context, log);
}
