/** Closes a server without losing a reply: a connection is closed when it has been idle for 400 ms. */
import type { Server } from 'node:http';
import type { Connection } from './connection.ts';
import { closeWithoutCutting } from './node-internals.ts';

const TICK_MS = 25;
const MAX_IDLE_TICKS = 16;

/**
 * Resolves when all connections are closed; cuts them after `grace` ms. No other idle ticks may be counted meanwhile.
 */
export function closeGracefully(server: Server, connections: ReadonlySet<Connection>, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = performance.now() + grace;
    for (const connection of connections) connection.idleTicks = 0;
    // The last socket is closed before those who listen to it know.
    const settle = (): void => void (connections.size === 0 ? resolve() : setImmediate(settle));
    const tick = (): void => {
      const isOver = performance.now() >= deadline;
      for (const connection of connections) {
        const { socket } = connection;
        connection.countIdleTick();
        const isIdle = connection.idleTicks > MAX_IDLE_TICKS;
        // A socket whose own side has ended only waits for the client to end the other.
        if (isOver || (isIdle && socket.writableFinished)) socket.destroy();
        else if (isIdle) socket.destroySoon();
      }
    };
    const timer = setInterval(tick, TICK_MS);
    closeWithoutCutting(server, () => {
      clearInterval(timer);
      settle();
    });
    tick();
  });
}
