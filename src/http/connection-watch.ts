/**
 * Looks at every connection once a second: is a body coming in too slowly, does a handler not answer, does a client take its reply
 * too slowly, has nobody used the connection for too long?
 *
 * One look for all costs nothing that shows, where a timer of its own for each request does. Looks are counted rather than time: a
 * process that was held up has read nothing meanwhile, so it cannot know who was idle.
 */
import type { Server } from 'node:http';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import type { Limits } from './limits.ts';
import { HttpProblem } from './problem.ts';

/** From look to look, in milliseconds. */
const LOOK = 1000;

/** Watches until the server is closed. `giveUp` ends the waiting for the reply to an exchange. */
export function watchConnections(
  server: Server, connections: ReadonlySet<Connection>, limits: Limits, giveUp: (exchange: Exchange, limit: number) => void,
): void {
  const timer = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) {
      if (connection.reading !== undefined) refuseSlowBody(connection, now, limits);
      else endLongWait(connection, limits, giveUp);
      cutSlowReader(connection, limits);
      cutIdle(connection, limits);
    }
  }, LOOK).unref();
  server.once('close', () => clearInterval(timer));
}

function refuseSlowBody({ reading }: Connection, now: number, { minBodyRate, bodyRateGrace }: Limits): void {
  const { exchange, since, received } = reading!, elapsed = now - since;
  if (elapsed <= bodyRateGrace || received * 1000 >= minBodyRate * elapsed) return;
  exchange.broken = new HttpProblem(408, `The body came in at less than ${minBodyRate} bytes a second`);
  reading!.fail(exchange.broken);
}

function endLongWait(connection: Connection, { handlerTimeout }: Limits, giveUp: (exchange: Exchange, limit: number) => void): void {
  const looks = connection.waitingLooks();
  if (looks === 0) return;
  const exchange = connection.running!, limit = exchange.timeLimit ?? handlerTimeout;
  if (looks * LOOK > limit) giveUp(exchange, limit);
}

/** Bytes wait for a client that takes less than the least rate: one that takes none at all is cut by the socket's own timer. */
function cutSlowReader(connection: Connection, { writeTimeout, minReplyRate }: Limits): void {
  const looks = Math.ceil(writeTimeout / LOOK), taken = connection.takenIn(looks);
  if (taken !== undefined && taken < minReplyRate * looks * LOOK / 1000) connection.socket.destroy();
}

/** What begins within the idle time is a request once its head is in, for which it has the time of a head. */
function cutIdle(connection: Connection, { idleTimeout, headTimeout }: Limits): void {
  const { idle, quiet } = connection.idleLooks(), most = Math.ceil(idleTimeout / LOOK);
  if (quiet > most || idle > most + Math.ceil(headTimeout / LOOK)) connection.socket.destroy();
}
