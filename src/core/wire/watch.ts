/**
 * Once a second, ends what takes too long: a handler, a body, a reader, an idle connection (D48, D50, D51). A timer for
 * each request would cost more. A stop closes a connection once it has been idle for 400 ms, so that no reply is lost.
 * The listener that has taken an upgraded connection ends it. A stop cuts it at the end of the grace.
 */
import type { Server } from 'node:http';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { HttpProblem } from '../message/problem.ts';
import { fail } from './answer-request.ts';
import { readOn } from './backlog.ts';
import type { Connection, ExchangeSettings, IncomingBody } from './connection/exchange.ts';
import { type Limits, TICK_MS } from './connection/limits.ts';
import { closeWithoutCutting, flushedBytes } from './connection/node-internals.ts';
import { endLongWait } from './handler-time.ts';

/** The same while a connection is idle. A request between two ticks changes it. */
const idleState = ({ idle, requests }: Connection): number => (idle ? requests : Number.NaN);

/** Watches until `server` is closed. `orphaned` were closed while a handler runs, and are removed when it has ended. */
export function watchConnections(
  server: Server,
  open: ReadonlySet<Connection>,
  orphaned: Set<Connection>,
  { limits, stopping }: ExchangeSettings,
): void {
  const judge = (connection: Connection): void => {
    if (connection.isUpgraded) return;
    // It counts in either case: a handler that reads its body starts from none.
    const late = endLongWait(connection, limits.handlerTimeout);
    if (late !== undefined) fail(...late);
    if (connection.reading?.waitsForHandler === false) refuseSlowBody(connection.reading, limits);
    if (connection.running?.hasOpenEndedReply === true) readOn(connection);
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
function cutSlowReader({ socket, ticks }: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const period = Math.ceil(writeTimeout / TICK_MS);
  const isUnflushed = socket.writableLength > 0;
  const time = ticks.unflushed.count(isUnflushed ? 1 : Number.NaN);
  if (!isUnflushed || time % period !== 0) return;
  const flushed = flushedBytes(socket);
  const taken = flushed - ticks.flushedBefore;
  ticks.flushedBefore = flushed;
  if (time > 0 && taken < (minReplyRate * period * TICK_MS) / 1000) socket.destroy();
}

/** Bytes on an idle connection begin a request, which has the time of a head, or are line feeds, which Node skips. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  const { socket, ticks } = connection;
  const maxTicks = Math.ceil(idleTimeout / TICK_MS);
  const idleTicks = ticks.idle.count(idleState(connection));
  const quietTicks = ticks.quiet.count(idleState(connection) + socket.bytesRead);
  const isOver = quietTicks >= maxTicks || idleTicks >= maxTicks + Math.ceil(headTimeout / TICK_MS);
  if (isOver && connection.idle) socket.destroy();
}

/** How often a stop looks at its connections, in milliseconds. */
const STOP_TICK_MS = 25;
const MAX_IDLE_TICKS = 16;
/** Listening ends after so many turns in a row without a connection, and after as many connections as a queue holds. */
const QUIET_TURNS = 3;
const QUEUE_LENGTH = 512;

/** Accepts the queued connections. Resolves when all are closed, and cuts them after `grace` milliseconds. */
export async function closeGracefully(
  server: Server,
  connections: ReadonlySet<Connection>,
  grace: number,
): Promise<void> {
  const deadline = performance.now() + grace;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    let listens = true;
    const stopListening = (): void => {
      if (listens) closeWithoutCutting(server, resolve);
      listens = false;
    };
    const tick = (): void => {
      const isOver = performance.now() >= deadline;
      if (isOver) stopListening();
      for (const connection of connections) {
        const { socket } = connection;
        if (connection.isUpgraded && !isOver) continue;
        const isIdle = connection.ticks.idleInStop.count(idleState(connection)) >= MAX_IDLE_TICKS;
        // A socket whose own side has ended only waits for the client to end the other.
        if (isOver || (isIdle && socket.writableFinished)) socket.destroy();
        else if (isIdle) socket.destroySoon();
      }
    };
    timer = setInterval(tick, STOP_TICK_MS);
    acceptQueued(server).then(stopListening);
    tick();
  });
  clearInterval(timer);
  // The last socket is closed before those who listen to it know.
  while (connections.size > 0) await turnOfLoop();
}

/** A connection that was made before the stop is served: the client cannot know that nobody has accepted it. */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  let quietTurns = 0;
  const count = (): void => {
    accepted++;
    quietTurns = 0;
  };
  server.on('connection', count);
  while (server.listening && quietTurns < QUIET_TURNS && accepted < QUEUE_LENGTH) {
    quietTurns++;
    await turnOfLoop();
  }
  server.off('connection', count);
}
