/**
 * Reaches into members of Node's network and HTTP classes that its manual does not describe.
 *
 * Each function says what it relies on. Its test fails when a version of Node changes that.
 */
import { Server as HttpServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

type RequestStream = IncomingMessage & {
  _dumped: boolean;
  readonly _readableState: Record<'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted', boolean>;
};

/**
 * Marks the stream of a request as read to its end and closed. The stream emits nothing more.
 *
 * Node otherwise emits `resume`, `end` and `close` in eight ticks after the reply: 12 % of a GET, 8 % of a PUT, 4 % of
 * a POST. Node 24 does the same to requests without a body under `optimizeEmptyRequests`.
 */
export function markConsumed(request: IncomingMessage): void {
  const stream = request as RequestStream,
    state = stream._readableState;
  stream._dumped = true;
  state.ended = state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
}

const { push: pushToStream } = IncomingMessage.prototype;

/**
 * Makes Node's parser hand each chunk of a body to `push` and not to the stream of the request; `null` is the end.
 *
 * The buffer and the events of the stream cost 3 to 4 % of a PUT. `push` is one function for all requests: V8 allocates
 * a function that is written in an assignment to a property as long-lived, and that would keep its request alive.
 */
export function redirectChunks(
  request: IncomingMessage,
  push: (this: IncomingMessage, chunk: Uint8Array | null) => boolean,
): void {
  request.push = push;
}

/** Makes Node's parser hand the chunks of a body to the stream of the request again. */
export function restoreChunks(request: IncomingMessage): void {
  request.push = pushToStream;
}

type CountingSocket = Socket & {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
  readonly _bytesDispatched?: number;
};

/**
 * How many bytes the kernel has taken from a socket; never falls. NaN for a stream that does not count.
 *
 * `bytesWritten` counts a chunk as soon as it is written, `writableLength` until its last byte has left. Only the queue
 * of the handle shows progress within one large chunk. Where these members are absent, progress shows chunk by chunk.
 */
export function flushedBytes(socket: Socket): number {
  const { _handle: handle, _bytesDispatched: dispatched } = socket as CountingSocket;
  if (dispatched !== undefined && handle?.writeQueueSize !== undefined) return dispatched - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}

/**
 * Makes Node add `Keep-Alive: timeout=…` to the response; `timeout` is in milliseconds.
 *
 * Node validates a line of our own, which costs 3 % of a GET.
 */
export function announceKeepAlive(response: ServerResponse, timeout: number): void {
  (response as { _keepAliveTimeout?: number })._keepAliveTimeout = timeout;
}

/** Makes Node answer a client that has ended its side of the connection; by default it drops the pending reply. */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Replaces what Node's HTTP server does to close a connection: it calls `destroySoon` once the last reply is flushed.
 */
export function replaceClose(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** Takes the socket away from Node's parser, which reads by a `data` listener, and gives what comes in to `read`. */
export function detachParser(socket: Socket, read: (chunk: Uint8Array) => void): void {
  socket.removeAllListeners('data').on('data', read);
}

/**
 * Stops listening and calls `closed` once the last connection is closed.
 *
 * `close` of an HTTP server cuts replies that are ended but not yet flushed, and idle connections at once. So `close`
 * of the network server runs first; the other only stops its timers then.
 */
export function closeWithoutCutting(server: Server, closed: () => void): void {
  NetServer.prototype.close.call(server, () => {
    HttpServer.prototype.close.call(server, () => {});
    closed();
  });
}
