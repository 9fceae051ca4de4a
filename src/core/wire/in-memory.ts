/**
 * Sends a request into an application and makes its reply a `Response` of the Web, for tests: through parser,
 * validation, stages and writer, and without a socket (D78).
 *
 * Node loads its `fetch` with the first such request: a service that gets none does without it.
 */
import {
  request as clientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import { Duplex, pipeline, Readable } from 'node:stream';

/** The longest that Node can wait, in milliseconds. */
const MAX_INTERVAL = 2 ** 31 - 1;

/** Sends requests to what `serverOf` makes at the first of them, and again once the application has been stopped. */
export function requester<Served extends { readonly stopping: AbortSignal }>(
  served: () => Served,
  serverOf: (served: Served) => Server,
): (target: string | URL, init?: SentRequest) => Promise<Response> {
  const servers = new WeakMap<AbortSignal, Server>();
  return async (target, init = {}) => {
    const { method = 'GET', signal } = init;
    const { headers, body } = await sentBody(init);
    signal?.throwIfAborted();
    const application = served();
    const server = servers.get(application.stopping) ?? serverOf(application);
    servers.set(application.stopping, server);
    const { path, host, encrypted } = addressOf(target);
    if (!headers.has('Host')) headers.set('Host', host);

    // No socket keeps the process alive until the watch of connections gives up.
    const alive = setInterval(() => {}, MAX_INTERVAL);
    const answered = new Promise<Response>((resolve, reject) => {
      const createConnection = () => connectInMemory(server, encrypted);
      let reply: IncomingMessage | undefined;
      const sent = request({ method, path, headers: Object.fromEntries(headers), createConnection }, (replied) => {
        reply = replied;
        resolve(responseTo(method, replied));
      });
      const leave = (): void => {
        reject(signal!.reason);
        (reply ?? sent).destroy(signal!.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      sent.once('close', () => signal?.removeEventListener('abort', leave)).on('error', reject);
      if (body instanceof Readable) pipeline(body.once('error', reject), sent, (error) => error && reject(error));
      else sent.end(body);
    });
    return answered.finally(() => clearInterval(alive));
  };
}

/** A path is sent as it is; an absolute URL is a path with a host, and with TLS where it begins with `https:`. */
function addressOf(target: string | URL): { path: string; host: string; encrypted: boolean } {
  if (typeof target === 'string' && !/^https?:/i.test(target))
    return { path: target, host: 'localhost', encrypted: false };
  const { pathname, search, host, protocol } = new URL(target);
  return { path: pathname + search, host, encrypted: protocol === 'https:' };
}

/** A `Response` with one of these statuses has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

function responseTo(method: string, reply: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = reply;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  const isBodiless = method === 'HEAD' || BODILESS.has(status);
  if (isBodiless) reply.resume();
  const body = isBodiless ? null : (Readable.toWeb(reply) as ConstructorParameters<typeof Response>[0]);
  return new Response(body, { status, statusText, headers });
}

/** What a request has beside its target: members of the Web's `RequestInit`, and `json`. */
export interface SentRequest {
  /** `GET` unless given, with a body too. */
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  /** A text, bytes, `FormData`, `URLSearchParams`, a `Blob`, or a stream, which is sent in chunks. */
  readonly body?: RequestInit['body'] | Readable;
  /** Sent as JSON in place of `body`. */
  readonly json?: unknown;
  /** The client leaves when it is aborted. */
  readonly signal?: AbortSignal | null;
}

interface Sendable {
  readonly headers: Headers;
  readonly body: Uint8Array | Readable | undefined;
}

/** The headers and the body. Rejects with a `TypeError` for `json` beside `body` and for a header that none can be. */
async function sentBody({ headers: given, body, json }: SentRequest): Promise<Sendable> {
  const headers = new Headers(given);
  if (json !== undefined) {
    if (body !== undefined && body !== null)
      throw new TypeError('Cannot send a request with both json and body: give one of them');
    return { headers, body: withLength(headers, Buffer.from(JSON.stringify(json)), 'application/json') };
  }
  if (body === undefined || body === null) return { headers, body: undefined };
  if (isStream(body)) {
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked');
    return { headers, body: Readable.from(body) };
  }
  const made = new Response(body);
  const bytes = Buffer.from(await made.arrayBuffer());
  return { headers, body: withLength(headers, bytes, made.headers.get('Content-Type')) };
}

const isStream = (body: object | string): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

/** Adds the length and the type of the bytes unless the headers have them. Returns the bytes. */
function withLength(headers: Headers, bytes: Uint8Array, type: string | null): Uint8Array {
  if (!headers.has('Content-Length')) headers.set('Content-Length', String(bytes.length));
  if (type !== null && !headers.has('Content-Type')) headers.set('Content-Type', type);
  return bytes;
}

/** One socket of a pair: bytes that are written to it are read at the other. */
class MemorySocket extends Duplex {
  other!: MemorySocket;
  remoteAddress = '127.0.0.1';
  bytesRead = 0;
  encrypted = false;
  #readOn: (() => void) | undefined = undefined;

  override _read(): void {
    const readOn = this.#readOn;
    this.#readOn = undefined;
    readOn?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    const { other } = this;
    other.bytesRead += chunk.length;
    if (other.push(chunk) || other.destroyed) setImmediate(written);
    else other.#readOn = written;
  }

  override _final(ended: () => void): void {
    this.other.push(null);
    ended();
  }

  /** The other side learns that nothing more comes, and waits for no reader. */
  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    if (!this.writableFinished) this.other.push(null);
    this._read();
    destroyed(error);
  }

  setTimeout = returnSelf;
  setNoDelay = returnSelf;
  setKeepAlive = returnSelf;
  ref = returnSelf;
  unref = returnSelf;

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
}

function returnSelf(this: MemorySocket): MemorySocket {
  return this;
}

/** The socket of a client that is connected to `server`, which takes it for a TLS socket where `encrypted` is true. */
export function connectInMemory(server: Server, encrypted = false): Socket {
  const client = new MemorySocket();
  const accepted = new MemorySocket();
  client.other = accepted;
  accepted.other = client;
  accepted.encrypted = encrypted;
  // A client that leaves reads no more, so what is still written for it is lost.
  client.once('close', () => accepted.destroy());
  server.emit('connection', accepted);
  return client as unknown as Socket;
}

/** The request. `GET` without headers and body by default. */
export interface InjectedRequest {
  readonly method?: string;
  /** A request target, `/api/todo` for example. */
  readonly path: string;
  /** `Host`, `Connection: close` and `Content-Length` are added. */
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is: an object is not converted to JSON. */
  readonly body?: string | Uint8Array;
}

/** The reply. */
export interface InjectedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The bytes as UTF-8 text. */
  readonly body: string;
}

/**
 * Resolves with the reply of the server. Rejects when the server closes the connection without one.
 *
 *     const { server } = new HttpService(application([todo()]).handler);
 *     const { status, body } = await inject(server, { path: '/api/todo' });
 */
export function inject(
  server: Server,
  { method = 'GET', path, headers = {}, body }: InjectedRequest,
): Promise<InjectedReply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = clientRequest(
      {
        method,
        path,
        headers: { Host: 'localhost', Connection: 'close', ...length, ...headers },
        createConnection: () => connectInMemory(server),
      },
      (reply) => {
        reply.toArray().then((chunks: Buffer[]) => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: reply.statusCode!, headers: reply.headers, bytes, body: bytes.toString('utf8') });
        }, reject);
      },
    );
    sent.on('error', reject).end(body);
  });
}
