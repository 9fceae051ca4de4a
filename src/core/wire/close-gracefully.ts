/**
 * Closes a server without losing a reply: a stop closes a connection once it has been idle for 400 ms. The listener that
 * has taken an upgraded connection ends it. A stop cuts it at the end of the grace.
 */
import type { Server } from 'node:http';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { type Connection, idleState } from './connection/connection.ts';
import { closeWithoutCutting } from './connection/node-internals.ts';

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
        const isIdle = connection.ticksOf('idle in stop', idleState(connection)) >= MAX_IDLE_TICKS;
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
