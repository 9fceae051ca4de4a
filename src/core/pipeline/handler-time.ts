/**
 * Limits the time in which a request must be answered (D48).
 *
 * A promised reply races with a timer that all requests share, because a timer for each request would take more
 * processor time. The stage `problems` waits for the stages behind it: if the time is over, its 503 passes the outer
 * stages like any reply. The server waits for the whole handler, so its 503 ends a handler without `problems`, and an
 * outer stage that has not replied one check after the 503 of `problems`. This file also discards and logs what a
 * handler returns or throws after its time.
 */
import { AsyncResource } from 'node:async_hooks';
// Imported, because a test may replace the global timers by fake timers.
import { clearInterval, setInterval } from 'node:timers';
import type { Context } from '../http/context.ts';
import { type ErrorLog, report } from '../http/error-log.ts';
import { releaseStreams } from '../http/held-streams.ts';
import { TICK_MS } from '../http/limits.ts';
import { ClientGone, HttpProblem } from '../http/problem.ts';
import { discardReply } from '../http/ready-reply.ts';
import type { Reply } from '../http/reply.ts';
import { matchedTemplate } from '../http/request-notes.ts';
import { librarySlot, type RequestSource, SlottedContext } from '../http/slotted-context.ts';
import { thrownMember } from '../log/thrown-value.ts';

const timeLimit = librarySlot<number>('time limit');

/** Sets the time limit of this request in milliseconds. It replaces the limit of the server. */
export const setTimeLimit = (context: Context, limit: number): void => timeLimit.set(context, limit);

/** Ends a wait with a 503. `limit` is the time in milliseconds that is over. */
type End = (limit: number) => void;

interface Wait {
  readonly context: Context;
  /** The milliseconds for which the handler has neither replied nor read its body. Negative before the first check. */
  time: number;
  /** The wait of the server is the first. */
  readonly ends: End[];
}

const waits = new Map<RequestSource, Wait>();
let timer: NodeJS.Timeout | undefined;
/** The timer must not run in the asynchronous context of the request that starts it. */
const scope = new AsyncResource('handler time');

/**
 * Calls `replied` with the reply, or `failed` with the error of the reply, or with a 503 if the reply takes too long.
 * `isWhole` is true for the reply of the whole handler, which the server awaits.
 */
export function awaitReply(
  reply: Promise<Reply>,
  context: Context,
  log: ErrorLog,
  replied: (reply: Reply) => void,
  failed: (error: unknown) => void,
  isWhole = false,
): void {
  if (!(context instanceof SlottedContext)) return void reply.then(replied, failed);
  const { source } = context;
  let late: HttpProblem | undefined;
  const end: End = (limit) => {
    late = tooLate(context, limit, log);
    source.giveUp(late);
    failed(late);
  };
  let wait = waits.get(source);
  if (wait === undefined) waits.set(source, (wait = { context, time: -TICK_MS, ends: [] }));
  const { ends } = wait;
  timer ??= scope.runInAsyncScope(() => setInterval(check, TICK_MS).unref());
  if (isWhole) ends.unshift(end);
  else ends.push(end);
  const leave = (): void => {
    // Nearly always the last wait ends first. With `splice` and a second `Map.set`, a PUT took 6 to 14 % longer.
    if (ends.at(-1) === end) ends.pop();
    else ends.splice(ends.indexOf(end), 1);
    if (ends.length === 0) waits.delete(source);
  };
  reply.then(
    (value) => {
      if (late !== undefined) return discardLate(value, context, log);
      leave();
      replied(value);
    },
    (error: unknown) => {
      if (late !== undefined) return reportLate(error, late, context, log);
      leave();
      failed(error);
    },
  );
}

/** Ends the waits whose time is over. The time in which a request waits for its body does not count. */
function check(): void {
  for (const [source, wait] of waits) {
    const awaited = source.awaits();
    wait.time = awaited === 'body' ? -TICK_MS : wait.time + TICK_MS;
    const limit = timeLimit.find(wait.context) ?? source.timeLimit();
    if (awaited === 'handler' && wait.time >= limit) wait.ends.pop()!(limit);
    if (awaited === 'nothing' || wait.ends.length === 0) waits.delete(source);
  }
  if (waits.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Logs that the time is over, with the route. Returns the problem for the client. */
function tooLate(context: Context, limit: number, log: ErrorLog): HttpProblem {
  const { method, path } = context;
  const template = matchedTemplate(context);
  const who = template === undefined ? 'a stage' : `the route "${method} ${template}", or a stage,`;
  const remedy = 'return the reply sooner, or raise handlerTimeout';
  const fault = `${who} has not replied within ${limit / 1000} s; ${remedy}`;
  report(new Error(`Cannot wait longer for ${method} ${path}: ${fault}`), context, log);
  const detail = 'The service took too long to answer this request';
  return new HttpProblem(503, detail, { headers: { 'Retry-After': '10' } });
}

/** Logs and discards a reply that came after the time limit, after the problem was sent (D48, D95). */
function discardLate(reply: Reply, context: Context, log: ErrorLog): void {
  discardReply(reply);
  releaseStreams(context);
  const { method, path } = context;
  const remedy = 'stop the work when context.signal is aborted, or raise handlerTimeout';
  const text = `Cannot send the ${reply.status} for ${method} ${path}: it came after the time limit; ${remedy}`;
  report(new Error(text), context, log);
}

/** Logs an error that came after the time limit, unless the aborted `context.signal` has caused it. */
function reportLate(error: unknown, late: Error | undefined, context: Context, log: ErrorLog): void {
  releaseStreams(context);
  const isAskedFor = error === late || thrownMember(error, 'cause') === late;
  if (!isAskedFor && !(error instanceof ClientGone)) report(error, context, log);
}
