/**
 * Looks at every connection once a second: is a body coming in too slowly, has nobody used it for too long?
 *
 * One look for all costs nothing that shows, where a timer of its own for each request does. Idle looks are counted rather than
 * time: a process that was held up has read nothing meanwhile, so it cannot know who was idle.
 */
import type { Server } from 'node:http';
import type { Connection } from './connection.ts';
import type { Limits } from './limits.ts';
import { HttpProblem } from './problem.ts';

/** From look to look, in milliseconds. */
const LOOK = 1000;

/** Watches until the server is closed. */
export function watchConnections(server: Server, connections: ReadonlySet<Connection>, limits: Limits): void {
  const idleLooks = Math.ceil(limits.idleTimeout / LOOK);
  const timer = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) {
      if (connection.reading !== undefined) refuseSlowBody(connection, now, limits);
      else if (connection.idleLooks() > idleLooks) connection.socket.destroy();
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
