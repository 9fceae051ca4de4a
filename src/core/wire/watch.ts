/** Ends the wait for slow handlers (D48). A timer for each request would take more processor time. */
import type { Server } from 'node:http';
import { fail } from './answer-request.ts';
import type { Connection } from './connection/connection.ts';
import { TICK_MS } from './connection/limits.ts';
import { endLongWait } from './handler-time.ts';
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
