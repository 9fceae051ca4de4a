/**
 * Once a second, ends what takes too long: a handler, a body, a reader, an idle connection (D48, D50, D51). A timer for
 * each request would cost more.
 */
import type { Server } from 'node:http';
import { HttpProblem } from '../message/problem.ts';
import { fail } from './answer-request.ts';
import { type Connection, type IncomingBody, idleState } from './connection/connection.ts';
import { type Limits, TICK_MS } from './connection/limits.ts';
import { flushedBytes } from './connection/node-internals.ts';
import { endLongWait } from './handler-time.ts';
import type { ServerSettings } from './served.ts';

/** Watches until `server` is closed. `orphaned` were closed while a handler runs, and are removed when it has ended. */
export function watchConnections(
  server: Server,
  open: ReadonlySet<Connection>,
  orphaned: Set<Connection>,
  { limits, stopping }: ServerSettings,
): void {
  const judge = (connection: Connection): void => {
    if (connection.isUpgraded) return;
    // It counts in either case: a handler that reads its body starts from none.
    const late = endLongWait(connection, limits.handlerTimeout);
    if (late !== undefined) fail(...late);
    if (connection.reading?.waitsForHandler === false) refuseSlowBody(connection.reading, limits);
    if (connection.running?.hasOpenEndedReply === true) connection.readOn();
    cutSlowReader(connection, limits);
    // A service that is stopping closes idle connections sooner.
    if (!stopping.signal.aborted) cutIdle(connection, limits);
  };
  const tick = (): void => {
    for (const connection of open) judge(connection);
    for (const connection of orphaned) {
      if (connection.running === undefined) orphaned.delete(connection);
      else judge(connection);
    }
  };
  // Behind an immediate, a process that was busy or stopped has read what came in meanwhile.
  const timer = setInterval(() => setImmediate(tick), TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** The rate is judged anew after each period in which it was enough: a fast period does not excuse a slow one. */
function refuseSlowBody(body: IncomingBody, { minBodyRate, bodyRateGrace }: Limits): void {
  const elapsed = ++body.ticks * TICK_MS;
  if (elapsed <= bodyRateGrace) return;
  if (body.received * 1000 < minBodyRate * elapsed) {
    const problem = new HttpProblem(408, `The body came in at less than ${minBodyRate} bytes a second`);
    body.exchange.bodyFailure = problem;
    body.fail(problem);
  } else if (body.isStream) body.received = body.ticks = 0;
}

/** Cuts a client that takes less than the minimum rate. One that takes nothing is cut by the timer of its socket. */
function cutSlowReader(connection: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const { socket } = connection;
  const period = Math.ceil(writeTimeout / TICK_MS);
  const isUnflushed = socket.writableLength > 0;
  const time = connection.ticksOf('unflushed', isUnflushed ? 1 : Number.NaN);
  if (!isUnflushed || time % period !== 0) return;
  const flushed = flushedBytes(socket);
  const taken = flushed - connection.flushedBefore;
  connection.flushedBefore = flushed;
  if (time > 0 && taken < (minReplyRate * period * TICK_MS) / 1000) socket.destroy();
}

/** Bytes on an idle connection begin a request, which has the time of a head, or are line feeds, which Node skips. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  const { socket } = connection;
  const maxTicks = Math.ceil(idleTimeout / TICK_MS);
  const idleTicks = connection.ticksOf('idle', idleState(connection));
  const quietTicks = connection.ticksOf('quiet', idleState(connection) + socket.bytesRead);
  const isOver = quietTicks >= maxTicks || idleTicks >= maxTicks + Math.ceil(headTimeout / TICK_MS);
  if (isOver && connection.idle) socket.destroy();
}
