/** Closes a server without losing a reply: a connection is closed when it has been idle for 400 ms. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';
import { closeWithoutCutting } from './node-internals.ts';

const TICK_MS = 25;
const MAX_IDLE_TICKS = 16;
/** Listening ends after so many turns in a row without a connection, and after as many connections as a queue holds. */
const QUIET_TURNS = 3;
const QUEUE_LENGTH = 512;

/** What a stop of the server has to end. */
export interface Closable {
  readonly server: Server;
  readonly connections: ReadonlySet<Connection>;
  /** Connections whose TLS handshake is not complete. */
  readonly handshakes: ReadonlySet<Socket>;
}

/** A turn of the event loop. Node accepts at least one connection in it if any is queued. */
export const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Accepts the connections that are queued, and resolves when all are closed; cuts them after `grace` ms. `turn`
 * resolves when a queued connection would have come in. No other idle ticks may be counted meanwhile.
 */
export function closeGracefully(
  { server, connections, handshakes }: Closable,
  grace: number,
  turn: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    const deadline = performance.now() + grace;
    let listens = true;
    let ticks = 0;
    for (const connection of connections) connection.idleTicks = 0;
    // The last socket is closed before those who listen to it know.
    const settle = (): void => void (connections.size === 0 ? resolve() : setImmediate(settle));
    const stopListening = (): void => {
      if (!listens) return;
      listens = false;
      closeWithoutCutting(server, () => {
        clearInterval(timer);
        settle();
      });
    };
    const tick = (): void => {
      const isOver = performance.now() >= deadline;
      if (isOver) stopListening();
      if (isOver || (!listens && ++ticks > MAX_IDLE_TICKS)) for (const socket of handshakes) socket.destroy();
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
    acceptQueued(server, turn).then(stopListening);
    tick();
  });
}

/** A connection that was made before the stop is served: the client cannot know that nobody has accepted it. */
async function acceptQueued(server: Server, turn: () => Promise<void>): Promise<void> {
  let accepted = 0;
  let quietTurns = 0;
  const count = (): void => {
    accepted++;
    quietTurns = 0;
  };
  server.on('connection', count);
  while (server.listening && quietTurns < QUIET_TURNS && accepted < QUEUE_LENGTH) {
    quietTurns++;
    await turn();
  }
  server.off('connection', count);
}
