/**
 * Closes a server without losing a reply. During a stop, a connection is closed when it has been idle for 400 ms.
 * Upgraded connections, and all other connections that are still open, are destroyed at the end of the grace period.
 */
import type { Server } from 'node:http';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Connection } from './connection/connection.ts';
import { closeWithoutCutting } from './connection/node-internals.ts';

/** The interval between two checks of the connections, in milliseconds. */
const STOP_TICK_MS = 25;
/** A connection is closed when it has been idle for this time, in milliseconds. */
const MAX_IDLE_MS = 400;
/**
 * Listening ends after this number of event loop turns without a new connection, or after `QUEUE_LENGTH` connections.
 */
const QUIET_TURNS = 3;
const QUEUE_LENGTH = 512;

/**
 * Accepts the queued connections. Resolves when all connections are closed. Destroys open connections after `grace`
 * milliseconds.
 */
export async function closeGracefully(
  server: Server,
  connections: ReadonlySet<Connection>,
  grace: number,
): Promise<void> {
  const deadline = performance.now() + grace;
  /** The last time at which a connection was seen with a request or with unsent bytes. */
  const lastProgress = new Map<Connection, number>();
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    let listens = true;
    const stopListening = (): void => {
      if (listens) closeWithoutCutting(server, resolve);
      listens = false;
    };
    const tick = (): void => {
      const now = performance.now();
      const isOver = now >= deadline;
      if (isOver) stopListening();
      for (const connection of connections) {
        const { socket } = connection;
        if (connection.isUpgraded && !isOver) continue;
        if (!connection.idle || !lastProgress.has(connection)) lastProgress.set(connection, now);
        const isIdle = now - lastProgress.get(connection)! >= MAX_IDLE_MS;
        // If our side has ended, the socket waits only for the client to end its side.
        if (isOver || (isIdle && socket.writableFinished)) socket.destroy();
        else if (isIdle) socket.destroySoon();
      }
    };
    timer = setInterval(tick, STOP_TICK_MS);
    acceptQueued(server).then(stopListening);
    tick();
  });
  clearInterval(timer);
  // The server is closed before the last sockets have emitted `close`, so wait for these events.
  while (connections.size > 0) await turnOfLoop();
}

/**
 * Accepts the connections in the queue of the system, because their clients may have sent requests already. Over TLS,
 * the handshake may not have begun yet (D32).
 */
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
