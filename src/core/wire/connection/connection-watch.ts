/**
 * Decides once a second, for each connection, whether its body comes in too slowly, its handler takes too long, its
 * client reads too slowly, or it is idle for too long (D48, D50, D51).
 *
 * A timer for each request would cost more. Ticks are counted and not time: a suspended process has read nothing.
 */
import type { Server } from 'node:http';
import { HttpProblem } from '../../message/problem.ts';
import type { Connection, Exchange, ExchangeSettings, IncomingBody } from './exchange.ts';
import { type Limits, TICK_MS } from './limits.ts';

/** What the watch asks of the server that answers the requests. */
export interface WatchActions {
  /** Ends the waiting for a reply that has taken longer than `limit` milliseconds. */
  giveUp(exchange: Exchange, limit: number): void;
  /** Reads on behind a reply that may never end, to see whether the client ends its side (D41). */
  readOn(connection: Connection<Exchange>): void;
}

/** Watches until `server` is closed. `orphaned` were closed while a handler runs, and are removed when it has ended. */
export function watchConnections(
  server: Server,
  open: ReadonlySet<Connection<Exchange>>,
  orphaned: Set<Connection<Exchange>>,
  settings: ExchangeSettings,
  actions: WatchActions,
): void {
  const { limits } = settings;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    // A process that was stopped, or busy, has not read what came in meanwhile.
    const late = Math.max(0, now - last - TICK_MS);
    last = now;
    for (const { reading } of open) reading?.skip(late);
    setImmediate(judge, now);
  };
  /** Runs when the event loop has read what has come in. */
  const judge = (now: number): void => {
    for (const connection of open) {
      // It counts its ticks in either case: one that reads its body starts from none.
      endLongWait(connection, limits, actions);
      if (connection.reading?.waitsForHandler === false) refuseSlowBody(connection.reading, now, limits);
      if (connection.running?.hasOpenEndedReply === true) actions.readOn(connection);
      cutSlowReader(connection, limits);
      // A service that is stopping closes idle connections sooner; see `closeGracefully`.
      if (!settings.stopping.hasBegun) cutIdle(connection, limits);
    }
    for (const connection of orphaned) {
      if (connection.running === undefined) orphaned.delete(connection);
      else endLongWait(connection, limits, actions);
    }
  };
  const timer = setInterval(tick, TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
}

function refuseSlowBody(reading: IncomingBody, now: number, { minBodyRate, bodyRateGrace }: Limits): void {
  const { exchange, since, received } = reading;
  const elapsed = now - since;
  if (elapsed <= bodyRateGrace || received * 1000 >= minBodyRate * elapsed) return;
  exchange.bodyFailure = new HttpProblem(408, `The body came in at less than ${minBodyRate} bytes a second`);
  reading.fail(exchange.bodyFailure);
}

function endLongWait(connection: Connection<Exchange>, { handlerTimeout }: Limits, actions: WatchActions): void {
  const ticks = connection.countWaitingTick();
  if (ticks === 0) return;
  const exchange = connection.running!;
  const limit = exchange.timeLimit ?? handlerTimeout;
  if (ticks * TICK_MS >= limit) actions.giveUp(exchange, limit);
}

/** Cuts a client that takes less than the minimum rate. One that takes nothing is cut by the timer of its socket. */
function cutSlowReader(connection: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const ticks = Math.ceil(writeTimeout / TICK_MS);
  const taken = connection.countFlushTick(ticks);
  if (taken !== undefined && taken < (minReplyRate * ticks * TICK_MS) / 1000) connection.socket.destroy();
}

/** A request that begins within the idle time has the time of a head to come in. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  connection.countIdleTick();
  const maxTicks = Math.ceil(idleTimeout / TICK_MS);
  if (connection.quietTicks > maxTicks || connection.idleTicks > maxTicks + Math.ceil(headTimeout / TICK_MS))
    connection.socket.destroy();
}
