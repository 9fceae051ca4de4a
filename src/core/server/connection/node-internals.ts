/** Uses undocumented members of Node. Run the tests of `test/core/server` on every supported version of Node. */
import { Server as HttpServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { isSameName } from '../../http/headers/header-lines.ts';

/**
 * Marks the stream of a request as read and closed. Node then emits no further events for it, which saves 5 % of the
 * time of a GET by id. For requests without a body, Node 24 has the option `optimizeEmptyRequests`.
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

/** Makes Node's parser call `push` with each chunk, then with `null`. Not using the stream saves 6 % of a PUT. */
export function redirectChunks(request: IncomingMessage, push: Push): void {
  request.push = push;
}

/** The maximum number of waiting chunks of a body. A chunk of one byte takes more than 200 bytes of memory. */
const MAX_CHUNKS = 64;
/** Beyond `MAX_CHUNKS`, small chunks are joined to this number of bytes. One packet can hold 10,900 one-byte chunks. */
const MAX_JOINED = 1024;

/**
 * Pauses the socket when `MAX_CHUNKS` chunks wait in the stream of the request. The stream itself limits only bytes.
 */
export function limitChunks(request: IncomingMessage): void {
  request.push = pushJoined;
}

/** The chunks in a stream: a linked list in Node 20, an array in later versions, undefined in Bun. */
interface Waiting {
  readonly buffer: unknown[] & { readonly tail?: { data: unknown } };
  length: number;
}

/** Pushes a chunk to the stream, and joins small chunks. Returns true if the stream accepts more. */
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

/** The buffers of joined chunks. A further chunk is appended to its buffer, because copying all chunks is slow. */
const JOINED = new WeakSet<ArrayBufferLike>();

function joinedSmall(last: unknown, chunk: Uint8Array): Uint8Array | undefined {
  if (!(last instanceof Uint8Array) || last.length + chunk.length > MAX_JOINED) return undefined;
  // If the reader has read the first bytes, the rest does not start at the beginning of its buffer.
  const hasRoom = JOINED.has(last.buffer) && last.byteOffset === 0;
  const memory = hasRoom ? last.buffer : new ArrayBuffer(MAX_JOINED);
  const joined = Buffer.from(memory, 0, last.length + chunk.length);
  if (!hasRoom) joined.set(last);
  joined.set(chunk, last.length);
  JOINED.add(memory);
  return joined;
}

/** A head whose lines were checked when the reply was created. */
interface CheckedHead {
  readonly status: number;
  readonly phrase: string;
  readonly lines: readonly string[];
  /** The header lines that the server adds, as text. */
  readonly serverLines: string;
  /** True if the connection closes after the reply. */
  readonly closes: boolean;
}

interface WrittenByNode {
  _storeHeader(head: string, lines: readonly string[]): void;
  _hasBody: boolean;
}

const { writeHead: writeHeadOfNode, _storeHeader: storeHeader } = ServerResponse.prototype as ServerResponse &
  Partial<WrittenByNode>;
/** Bun has `_storeHeader`, but does not send the stored head. */
const canStore = storeHeader !== undefined && process.versions['bun'] === undefined;

/** Node needs `Content-Length` to frame the body, and adds `Date` if it is absent. */
const isKnownToNode = (name: string): boolean => isSameName(name, 'Content-Length') || isSameName(name, 'Date');

/**
 * Writes a head whose lines are checked already. `writeHead` would check them again, which takes 5 % of the time of a
 * GET by id. Writes nothing and returns false in two cases: a middleware of a framework has replaced `writeHead` or set
 * headers, or the runtime is not Node.
 */
export function writeCheckedHead(
  response: ServerResponse,
  { status, phrase, lines, serverLines, closes }: CheckedHead,
): boolean {
  const isUnchanged = response.writeHead === writeHeadOfNode && response.getHeaderNames().length === 0;
  if (!canStore || !isUnchanged) return false;
  const nodeLines = closes ? ['Connection', 'close'] : [];
  let head = `HTTP/1.1 ${status} ${phrase}\r\n`;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    if (isKnownToNode(name)) nodeLines.push(name, lines[at + 1]!);
    else head += `${name}: ${lines[at + 1]}\r\n`;
  }
  response.statusCode = status;
  response.statusMessage = phrase;
  const writing = response as ServerResponse & WrittenByNode;
  if (status === 204 || status === 304) writing._hasBody = false;
  writing._storeHeader(head + serverLines, nodeLines);
  return true;
}

/**
 * True for an open Unix domain socket. False for every closed socket, because a closed network socket has no address
 * either. So the peer of a closed Unix socket is not trusted (D114).
 */
export function isUnixSocket(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { readonly _handle?: object | null };
  return handle != null && !('getpeername' in handle);
}

/** Lets Node send the reply to a client that has ended its side of the connection. */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Returns the raw socket of a TLS socket, or the socket itself without TLS. */
export const rawSocketOf = (socket: Socket): Socket => (socket as { readonly _parent?: Socket })._parent ?? socket;

/** Makes Node's HTTP server call `close` after the last reply. Node calls it as `destroySoon`. */
export function replaceClose(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** True if Node has removed its parser to pass the socket to a listener for upgrades, such as a WebSocket server. */
export const isHandedOver = (socket: Socket): boolean => (socket as { readonly parser?: unknown }).parser === null;

/** Removes Node's parser, which is the `data` listener, and passes further bytes to `read`. */
export function detachParser(socket: Socket, read: (chunk: Uint8Array) => void): void {
  socket.removeAllListeners('data').on('data', read);
}

/**
 * Stops listening, and calls `closed` when the last connection is closed. The method `close` of an HTTP server would
 * destroy idle connections and unflushed replies, so it is called last. Bun's server does not extend the server of
 * `node:net`, so it is closed directly.
 */
export function closeWithoutCutting(server: Server, closed: () => void): void {
  if (!(server instanceof NetServer)) return void (server as Server).close(closed);
  NetServer.prototype.close.call(server, () => {
    HttpServer.prototype.close.call(server, () => {});
    closed();
  });
}
