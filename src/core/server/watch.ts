/** Ends the wait for slow handlers (D48). A timer for each request would take more processor time. */
import type { Server } from 'node:http';
import { report } from '../http/error-log.ts';
import { TICK_MS } from '../http/limits.ts';
import { HttpProblem } from '../http/problem.ts';
import { matchedTemplate } from '../http/request-notes.ts';
import { endWaiting, timeLimit } from '../pipeline/handler-time.ts';
import { fail } from './answer-request.ts';
import type { Connection, Exchange } from './connection/connection.ts';
import type { ServerSettings } from './served.ts';

/** Checks until `server` closes. The `orphaned` connections are closed, but their handlers still run. */
export function watchHandlers(
  server: Server,
  open: ReadonlySet<Connection>,
  orphaned: Set<Connection>,
  { limits }: ServerSettings,
): void {
  const timer = setInterval(() => {
    for (const connection of [...open, ...orphaned]) {
      const late = endLongWait(connection, limits.handlerTimeout);
      if (late !== undefined) fail(...late);
      if (connection.running === undefined) orphaned.delete(connection);
    }
  }, TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Ends the running request of a connection if its time is over. Counts the time in which the request waits for its
 * reply, without the time in which it waits for its body. If no stage waits for the reply, returns the exchange and its
 * problem, and the caller must send the problem.
 */
function endLongWait(
  { running, reading }: Connection,
  handlerTimeout: number,
): readonly [Exchange, HttpProblem] | undefined {
  if (running === undefined || running.replyStarted) return undefined;
  const waits = reading?.waitsForHandler !== false;
  running.waited = waits ? (running.waited ?? -TICK_MS) + TICK_MS : undefined;
  const limit = timeLimit.find(running.context) ?? handlerTimeout;
  return (running.waited ?? 0) < limit ? undefined : giveUp(running, limit);
}

function giveUp(exchange: Exchange, limit: number): readonly [Exchange, HttpProblem] | undefined {
  const { context, settings } = exchange;
  const { method, path } = context;
  const template = matchedTemplate(context);
  const who = template === undefined ? 'a stage' : `the route "${method} ${template}", or a stage,`;
  const remedy = 'return the reply sooner, or raise handlerTimeout';
  const fault = `${who} has not replied within ${limit / 1000} s; ${remedy}`;
  exchange.refusedBy('handlerTimeout');
  report(new Error(`Cannot wait longer for ${method} ${path}: ${fault}`), context, settings.log);
  const detail = 'The service took too long to answer this request';
  const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '10' } });
  exchange.late = problem;
  exchange.abandon(problem);
  const end = endWaiting.find(context);
  endWaiting.set(context, undefined);
  if (end === undefined) return [exchange, problem];
  end(problem);
  return undefined;
}
