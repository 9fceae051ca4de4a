/** Reaches into members of Node that its manual does not describe; the tests of the wire run on every version of it. */
import { Server as HttpServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isSameName } from '../../message/headers/header-lines.ts';

/**
 * Marks the stream of a request as read and closed: the events that Node emits otherwise take 5 % of a GET by id.
 * `optimizeEmptyRequests` of Node 24 does it for requests without a body.
 */
export function markConsumed(request: IncomingMessage): void {
  const stream = request as IncomingMessage & {
    _dumped: boolean;
    readonly _readableState: Record<'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted', boolean>;
  };
  const state = stream._readableState;
  stream._dumped = true;
  state.ended = state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
}

type Push = (chunk: Uint8Array | null) => boolean;

/** Makes Node's parser hand the chunks of a body, and `null` at its end, to `push`: its stream takes 6 % of a PUT. */
export function redirectChunks(request: IncomingMessage, push: Push): void {
  request.push = push;
}

/** The chunks of a body that wait for a reader. A chunk of one byte takes more than two hundred bytes. */
const MAX_CHUNKS = 64;
/** Small chunks beyond `MAX_CHUNKS` are joined to pieces of this many bytes: a packet has 10,900 chunks of a byte. */
const MAX_JOINED = 1024;

/** Pauses the socket once `MAX_CHUNKS` chunks wait in the stream of the request, which counts only their bytes. */
export function limitChunks(request: IncomingMessage): void {
  request.push = pushJoined;
}

/** The chunks of a stream: a linked list in Node 20, an array in later versions, undefined in Bun. */
interface Waiting {
  readonly buffer: unknown[] & { readonly tail?: { data: unknown } };
  length: number;
}

/** Does what `push` of a stream does, and joins small chunks. Returns whether more may come in. */
export function pushJoined(this: Readable, chunk: Uint8Array | null): boolean {
  const { push } = Readable.prototype;
  const { _readableState: state } = this as { readonly _readableState?: Waiting };
  const { buffer = [] } = state ?? {};
  if (state === undefined || buffer.length < MAX_CHUNKS || chunk === null)
    return push.call(this, chunk) && buffer.length < MAX_CHUNKS;
  const joined = joinedSmall(buffer.tail === undefined ? buffer.at(-1) : buffer.tail.data, chunk);
  if (joined === undefined) push.call(this, chunk);
  else {
    if (buffer.tail === undefined) buffer[buffer.length - 1] = joined;
    else buffer.tail.data = joined;
    state.length += chunk.length;
  }
  return false;
}

/** The memory of pieces. A further chunk is written behind the joined ones: copies of all would take megabytes. */
const JOINED = new WeakSet<ArrayBufferLike>();

function joinedSmall(last: unknown, chunk: Uint8Array): Uint8Array | undefined {
  if (!(last instanceof Uint8Array) || last.length + chunk.length > MAX_JOINED) return undefined;
  // A piece whose beginning was read does not begin its memory.
  const hasRoom = JOINED.has(last.buffer) && last.byteOffset === 0;
  const memory = hasRoom ? last.buffer : new ArrayBuffer(MAX_JOINED);
  const joined = Buffer.from(memory, 0, last.length + chunk.length);
  if (!hasRoom) joined.set(last);
  joined.set(chunk, last.length);
  JOINED.add(memory);
  return joined;
}

/** Bytes that the kernel has taken, NaN where nobody counts. The queue of the handle shows progress within a chunk. */
export function flushedBytes(socket: Socket): number {
  const { _handle: handle, _bytesDispatched: dispatched } = socket as Socket & {
    readonly _handle?: { readonly writeQueueSize?: number } | null;
    readonly _bytesDispatched?: number;
  };
  if (dispatched !== undefined && handle?.writeQueueSize !== undefined) return dispatched - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}

/** A head whose lines were judged where the reply was made. */
interface JudgedHead {
  readonly status: number;
  readonly phrase: string;
  readonly lines: readonly string[];
  /** Lines that are joined already. */
  readonly further: string;
  /** Does the connection end with the reply? */
  readonly closes: boolean;
}

interface WrittenByNode {
  _storeHeader(head: string, lines: readonly string[]): void;
  _hasBody: boolean;
}

const { writeHead: writeHeadOfNode, _storeHeader: storeHeader } = ServerResponse.prototype as ServerResponse &
  Partial<WrittenByNode>;
/** Bun has the member, and sends nothing of what it stores. */
const canStore = storeHeader !== undefined && process.versions['bun'] === undefined;

/** Node frames the body by the one, and adds the other where it is absent. */
const isKnownToNode = (name: string): boolean => isSameName(name, 'Content-Length') || isSameName(name, 'Date');

/**
 * Writes a head without judging its lines again, as `writeHead` does: 5 % of a GET by id. Returns false,
 * and writes nothing, where something has replaced `writeHead` or has set headers, as middleware of Express does, and
 * in another runtime.
 */
export function writeJudgedHead(
  response: ServerResponse,
  { status, phrase, lines, further, closes }: JudgedHead,
): boolean {
  const isOwn = response.writeHead === writeHeadOfNode && response.getHeaderNames().length === 0;
  if (!canStore || !isOwn) return false;
  const known = closes ? ['Connection', 'close'] : [];
  let head = `HTTP/1.1 ${status} ${phrase}\r\n`;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    if (isKnownToNode(name)) known.push(name, lines[at + 1]!);
    else head += `${name}: ${lines[at + 1]}\r\n`;
  }
  response.statusCode = status;
  response.statusMessage = phrase;
  const writing = response as ServerResponse & WrittenByNode;
  if (status === 204 || status === 304) writing._hasBody = false;
  writing._storeHeader(head + further, known);
  return true;
}

/** Is this the open socket of a Unix domain, which has no addresses? False for a closed one of the network too. */
export function isUnixSocket(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { readonly _handle?: object | null };
  return handle != null && !('getpeername' in handle);
}

/** Makes Node keep the reply for a client that has ended its side of the connection. */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** The socket below a TLS socket of a server; the socket itself where there is none. */
export const rawSocketOf = (socket: Socket): Socket => (socket as { readonly _parent?: Socket })._parent ?? socket;

/** Replaces the close of Node's HTTP server, which calls `destroySoon` once the last reply is flushed. */
export function replaceClose(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** Has Node handed the socket to a listener for upgrades, a WebSocket server for example? It has no parser then. */
export const isHandedOver = (socket: Socket): boolean => (socket as { readonly parser?: unknown }).parser === null;

/** Takes the socket from Node's parser, which has the `data` listener, and gives what comes in to `read`. */
export function detachParser(socket: Socket, read: (chunk: Uint8Array) => void): void {
  socket.removeAllListeners('data').on('data', read);
}

/**
 * Stops listening; calls `closed` after the last connection. `close` of an HTTP server, which cuts idle connections and
 * unflushed replies, only stops its timers then. Bun's server is none of `node:net`; it is closed as it can be.
 */
export function closeWithoutCutting(server: Server, closed: () => void): void {
  if (!(server instanceof NetServer)) return void (server as Server).close(closed);
  NetServer.prototype.close.call(server, () => {
    HttpServer.prototype.close.call(server, () => {});
    closed();
  });
}
