/**
 * Decides when a connection is closed, and how.
 *
 * Once a second, where its body comes in too slowly, its handler takes too long, its client reads too slowly, or it is
 * idle for too long (D48, D50, D51): a timer for each request would cost more. When the service stops, once it has been
 * idle for 400 ms, so that no reply is lost. Where the client may still be sending, what comes in is discarded for a
 * while: a close with unread bytes resets the connection, and the client loses the rest of the reply (D40, RFC 9112
 * §9.6).
 */
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HttpProblem } from '../../message/problem.ts';
import type { Connection, Exchange, ExchangeSettings, IncomingBody } from './exchange.ts';
import { type Limits, TICK_MS } from './limits.ts';
import { closeWithoutCutting, detachParser, replaceClose } from './node-internals.ts';

/** Tells replies that may never end that a stop begins (D77). Every open stream may listen to its signal. */
export class StopController extends AbortController {
  constructor() {
    super();
    setMaxListeners(0, this.signal);
  }

  override abort(): void {
    super.abort(new Error('The service is stopping'));
  }
}

/** How often a stop looks at its connections, in milliseconds. */
const STOP_TICK_MS = 25;
const MAX_IDLE_TICKS = 16;
/** Listening ends after so many turns in a row without a connection, and after as many connections as a queue holds. */
const QUIET_TURNS = 3;
const QUEUE_LENGTH = 512;

/** A turn of the event loop. Node accepts at least one connection in it if any is queued. */
export const turnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Accepts the connections that are queued, and resolves when all are closed; cuts them, and `handshakes`, the sockets
 * whose TLS handshake is not complete, after `grace` ms. `turn` resolves when a queued connection would have come in.
 * No other idle ticks may be counted meanwhile.
 */
export function closeGracefully(
  server: Server,
  connections: ReadonlySet<Connection>,
  handshakes: ReadonlySet<Socket>,
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
    const timer = setInterval(tick, STOP_TICK_MS);
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

/** What the watch asks of the server that answers the requests. */
export interface WatchActions {
  /** Ends the waiting for a reply that has taken longer than `limit` milliseconds. */
  giveUp(exchange: Exchange, limit: number): void;
  /** Reads on behind a reply that may never end, to see whether the client ends its side (D41). */
  readOn(connection: Connection): void;
}

/** Watches until `server` is closed. `orphaned` were closed while a handler runs, and are removed when it has ended. */
export function watchConnections(
  server: Server,
  open: ReadonlySet<Connection>,
  orphaned: Set<Connection>,
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
      if (!settings.stopping.signal.aborted) cutIdle(connection, limits);
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

function endLongWait(connection: Connection, { handlerTimeout }: Limits, actions: WatchActions): void {
  const ticks = connection.countWaitingTick();
  if (ticks === 0) return;
  const exchange = connection.running!;
  const limit = exchange.record.timeLimit ?? handlerTimeout;
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
