/**
 * Checks all connections once a second. Answers for slow handlers, refuses slow bodies, and closes idle connections and
 * the connections of slow readers (D48, D50, D51). A timer for each request would take more processor time.
 */
import type { Server } from 'node:http';
import { HttpProblem } from '../message/problem.ts';
import { fail } from './answer-request.ts';
import { type Connection, type IncomingBody, idleState } from './connection/connection.ts';
import { type Limits, TICK_MS } from './connection/limits.ts';
import { flushedBytes } from './connection/node-internals.ts';
import { endLongWait } from './handler-time.ts';
import type { ServerSettings } from './served.ts';

/** Checks until `server` closes. The `orphaned` connections are closed, but their handlers still run. */
export function watchConnections(
  server: Server,
  open: ReadonlySet<Connection>,
  orphaned: Set<Connection>,
  { limits, stopping }: ServerSettings,
): void {
  const check = (connection: Connection): void => {
    if (connection.isUpgraded) return;
    // `endLongWait` is called for every connection, because it also restarts the time when a handler reads its body.
    const late = endLongWait(connection, limits.handlerTimeout);
    if (late !== undefined) fail(...late);
    if (connection.reading?.waitsForHandler === false) refuseSlowBody(connection.reading, limits);
    cutSlowReader(connection, limits);
    // During a stop, `closeGracefully` closes idle connections sooner.
    if (!stopping.signal.aborted) cutIdle(connection, limits);
  };
  const tick = (): void => {
    for (const connection of open) check(connection);
    for (const connection of orphaned) {
      if (connection.running === undefined) orphaned.delete(connection);
      else check(connection);
    }
  };
  // If the process was busy or suspended, bytes may wait in the sockets. With `setImmediate`, the process reads these
  // bytes before it checks the times, so its delay does not count against the client (D48).
  const timer = setInterval(() => setImmediate(tick), TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** Refuses a body below the minimum rate. The rate of a streamed body is checked separately for each period. */
function refuseSlowBody(body: IncomingBody, { minBodyRate, bodyRateGrace }: Limits): void {
  const elapsed = ++body.ticks * TICK_MS;
  if (elapsed <= bodyRateGrace) return;
  if (body.received * 1000 < minBodyRate * elapsed) {
    const problem = new HttpProblem(408, `The body arrived at less than ${minBodyRate} bytes a second`);
    body.exchange.bodyFailure = problem;
    body.fail(problem);
  } else if (body.isStream) body.received = body.ticks = 0;
}

/** Closes the connection of a slow reader. The timeout of the socket handles a client that reads nothing. */
function cutSlowReader(connection: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const { socket } = connection;
  const period = Math.ceil(writeTimeout / TICK_MS);
  const isUnflushed = socket.writableLength > 0;
  const time = connection.ticksOf('unflushed', isUnflushed ? 1 : Number.NaN);
  if (!isUnflushed || time % period !== 0) return;
  const flushed = flushedBytes(socket);
  const flushedNow = flushed - connection.flushedBefore;
  connection.flushedBefore = flushed;
  if (time > 0 && flushedNow < (minReplyRate * period * TICK_MS) / 1000) socket.destroy();
}

/** Closes idle connections. If bytes arrive, a request may have begun, so waits up to `headTimeout` for its head. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  const { socket } = connection;
  const maxTicks = Math.ceil(idleTimeout / TICK_MS);
  const idleTicks = connection.ticksOf('idle', idleState(connection));
  const quietTicks = connection.ticksOf('quiet', idleState(connection) + socket.bytesRead);
  const isOver = quietTicks >= maxTicks || idleTicks >= maxTicks + Math.ceil(headTimeout / TICK_MS);
  if (isOver && connection.idle) socket.destroy();
}
