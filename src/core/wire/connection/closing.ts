/** Closes a server without losing a reply: a connection is closed when it has been idle for 400 ms. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './exchange.ts';
import type { Limits } from './limits.ts';
import { closeWithoutCutting, detachParser, replaceClose } from './node-internals.ts';

const TICK_MS = 25;
const MAX_IDLE_TICKS = 16;
/** Listening ends after so many turns in a row without a connection, and after as many connections as a queue holds. */
const QUIET_TURNS = 3;
const QUEUE_LENGTH = 512;

/** What a stop of the server has to end. */
interface Closable {
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

/** How long a lingering close may last, and how much it may read. */
export type LingeringLimits = Pick<Limits, 'drainTimeout' | 'maxDrain'>;

/** Writes `last`, ends our side, and closes the connection when the client has ended its side or a limit is reached. */
export function closeLingering(socket: Socket, { drainTimeout, maxDrain }: LingeringLimits, last?: string): void {
  const destroy = (): void => void socket.destroy();
  const destroyWhenFlushed = (): void => {
    if (socket.writableFinished) destroy();
    else socket.once('finish', destroy);
  };
  const timer = setTimeout(destroy, drainTimeout).unref();
  replaceClose(socket, ignoreClose);
  socket.once('close', () => clearTimeout(timer)).on('error', destroy);
  if (last !== undefined && !socket.writableEnded) socket.write(last);
  if (!socket.writableEnded) socket.end();
  if (socket.readableEnded) return destroyWhenFlushed();
  socket.once('end', destroyWhenFlushed);
  let left = maxDrain;
  const drain = (chunk: Uint8Array): void => {
    left -= chunk.length;
    if (left < 0) destroy();
  };
  const detach = (): void => detachParser(socket, drain);
  // A parser that is detached while its socket is paused, or about to resume, does not start to read again.
  socket.pause().once('resume', detach).resume();
}

/** Node closes a connection again for each of its own reasons; a lingering close has begun by then. */
function ignoreClose(): void {}

/** Makes Node close this connection by a lingering close once the last reply is written. */
export function useLingeringClose(socket: Socket, limits: LingeringLimits): void {
  if (socket.readableEnded || socket.destroySoon === ignoreClose) return;
  replaceClose(socket, () => closeLingering(socket, limits));
}
