/**
 * Looks at every connection once a second: is a body coming in too slowly, does a handler not answer, does a client take its reply
 * too slowly, has nobody used the connection for too long?
 *
 * One look for all costs nothing that shows, where a timer of its own for each request does. Looks are counted rather than time: a
 * process that was held up has read nothing meanwhile, so it cannot know who was idle.
 */
import type { Server } from 'node:http';
import type { Acceptor } from '../listener.ts';
import { HttpProblem } from '../message/problem.ts';
import type { Connection } from './connection.ts';
import type { Limits } from './limits.ts';

/** From look to look, in milliseconds. */
const LOOK = 1000;

/** The connections of a server. */
export interface Connections {
  readonly open: ReadonlySet<Connection>;
  /** Closed, while a handler still makes their reply; the watch forgets those whose handler is done. */
  readonly left: Set<Connection>;
}

/** Watches until the server is closed. */
export function watchConnections(
  server: Server,
  { open, left }: Connections,
  limits: Limits,
  acceptor: Acceptor,
): void {
  const timer = setInterval(() => {
    const now = Date.now();
    for (const connection of open) {
      if (connection.reading !== undefined) refuseSlowBody(connection, now, limits);
      else endLongWait(connection, limits, acceptor);
      if (connection.running?.endless === true) acceptor.readOn(connection);
      cutSlowReader(connection, limits);
      cutIdle(connection, limits);
    }
    for (const connection of left) {
      if (connection.running === undefined) left.delete(connection);
      else endLongWait(connection, limits, acceptor);
    }
  }, LOOK).unref();
  server.once('close', () => clearInterval(timer));
}

function refuseSlowBody({ reading }: Connection, now: number, { minBodyRate, bodyRateGrace }: Limits): void {
  const { exchange, since, received } = reading!,
    elapsed = now - since;
  if (elapsed <= bodyRateGrace || received * 1000 >= minBodyRate * elapsed) return;
  exchange.broken = new HttpProblem(408, `The body came in at less than ${minBodyRate} bytes a second`);
  reading!.fail(exchange.broken);
}

function endLongWait(connection: Connection, { handlerTimeout }: Limits, acceptor: Acceptor): void {
  const looks = connection.waitingLooks();
  if (looks === 0) return;
  const exchange = connection.running!,
    limit = exchange.timeLimit ?? handlerTimeout;
  if (looks * LOOK > limit) acceptor.giveUp(exchange, limit);
}

/** Bytes wait for a client that takes less than the least rate: one that takes none at all is cut by the socket's own timer. */
function cutSlowReader(connection: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const looks = Math.ceil(writeTimeout / LOOK),
    taken = connection.takenIn(looks);
  if (taken !== undefined && taken < (minReplyRate * looks * LOOK) / 1000) connection.socket.destroy();
}

/** What begins within the idle time is a request once its head is in, for which it has the time of a head. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  const { idle, quiet } = connection.idleLooks(),
    most = Math.ceil(idleTimeout / LOOK);
  if (quiet > most || idle > most + Math.ceil(headTimeout / LOOK)) connection.socket.destroy();
}
