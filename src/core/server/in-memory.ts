/** Sends requests to the whole server over sockets in memory, so that tests need no network (D78). */
import {
  type RequestOptions as ClientOptions,
  request as clientRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair, pipeline, Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearInterval, setInterval } from 'node:timers';
import { MAX_TIMER } from '../http/limits.ts';
import type { Servable } from './served.ts';
import { HttpService, type ServiceOptions } from './service.ts';

/** The options of a request: members of the Web's `RequestInit`, and `json`. */
export interface SentRequest {
  /** `GET` by default, even with a body. */
  readonly method?: string | undefined;
  readonly headers?: RequestInit['headers'] | undefined;
  /** A text, bytes, `FormData`, `URLSearchParams`, a `Blob`, or a stream, which is sent in chunks. */
  readonly body?: RequestInit['body'] | Readable | undefined;
  /** A value to send as JSON. A request cannot have both `json` and `body`. */
  readonly json?: unknown;
  /** Abort it to disconnect the client. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Returns a function that sends requests to the application. The first request creates a server, and the first request
 * after a stop creates another server. By default these servers have unlimited memory for bodies. Node loads `fetch` at
 * the first request, so a service without in-memory requests never loads it.
 */
export function requester(
  served: () => Servable & { readonly stopping: AbortSignal },
  limits: ServiceOptions['limits'] = { maxBodyMemory: Infinity },
): (target: string | URL | Request, init?: SentRequest) => Promise<Response> {
  const servers = new WeakMap<AbortSignal, Server>();
  return async (input, changes = {}) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const [target, init] = isRequest ? [input.url, await changed(input, changes)] : [input, changes];
    const { method = 'GET', signal } = init;
    const headers = new Headers(init.headers);
    const body = await sentBody(init, headers);
    signal?.throwIfAborted();
    const application = served();
    const server = servers.get(application.stopping) ?? new HttpService(application, { limits }).server;
    servers.set(application.stopping, server);
    // An absolute URL is split into a path and a host. In a path, only characters that no target has are encoded.
    const url = typeof target === 'string' && !/^https?:/i.test(target) ? undefined : new URL(target);
    const path = url === undefined ? encodedPath(String(target)) : url.pathname + url.search;
    if (!headers.has('Host')) headers.set('Host', url?.host ?? 'localhost');
    // The sockets in memory do not keep the process alive, so a timer does.
    const alive = setInterval(() => {}, MAX_TIMER);
    const socket = connectInMemory(server, url?.protocol === 'https:');
    const answered = send(socket, { method, path, headers: Object.fromEntries(headers) }, body, signal);
    return responseTo(method, await answered.finally(() => clearInterval(alive)));
  };
}

/** Encodes the characters that are not visible ASCII, as `new URL` does. Other mistakes of a path are sent unchanged. */
export const encodedPath = (path: string): string =>
  path.replaceAll(/\p{Surrogate}/gu, '\ufffd').replace(/[^!-~]+/g, encodeURIComponent);

/** Returns the members of a `Request` except its URL. As in `fetch`, `changes` replace them. Reads the body. */
async function changed(request: Request, changes: SentRequest): Promise<SentRequest> {
  const { method = request.method, headers = request.headers, signal = request.signal, json } = changes;
  const isUnchanged = request.body !== null && changes.body === undefined && json === undefined;
  return { method, headers, signal, json, body: isUnchanged ? await request.arrayBuffer() : changes.body };
}

/** Sends the request. Resolves when the head of the reply arrives. Disconnects when the signal is aborted. */
function send(
  socket: Socket,
  options: ClientOptions,
  body: Uint8Array | Readable | undefined,
  signal: AbortSignal | null | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let reply: IncomingMessage | undefined;
    const sent = clientRequest({ ...options, createConnection: () => socket }, (replied) => resolve((reply = replied)));
    const leave = (): void => {
      reject(signal!.reason);
      (reply ?? sent).destroy(signal!.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    sent.once('close', () => signal?.removeEventListener('abort', leave)).on('error', reject);
    sent.once('upgrade', (_, upgraded) => {
      upgraded.destroy();
      reject(new Error('Cannot upgrade a connection in memory; serve the application, and connect to its port'));
    });
    if (body instanceof Readable) pipeline(body.once('error', reject), sent, (error) => error && reject(error));
    else sent.end(body);
  });
}

/** Returns the body. Adds its headers to `headers`. Rejects with a `TypeError` if both `json` and `body` are set. */
async function sentBody({ body, json }: SentRequest, headers: Headers): Promise<Uint8Array | Readable | undefined> {
  const add = (name: string, value: string | null): void => {
    if (value !== null && !headers.has(name)) headers.set(name, value);
  };
  const hasBody = body !== undefined && body !== null;
  if (json !== undefined && hasBody)
    throw new TypeError('Cannot send a request with both json and body: leave out one of the two');
  if (json === undefined && !hasBody) return undefined;
  if (hasBody && typeof body === 'object' && Symbol.asyncIterator in body) {
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked');
    return Readable.from(body);
  }
  const encoded = json === undefined ? new Response(body) : Response.json(json);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  // Node sends the body in chunks if the caller has set `Transfer-Encoding: chunked`.
  if (!headers.has('Transfer-Encoding')) add('Content-Length', String(bytes.length));
  add('Content-Type', encoded.headers.get('Content-Type'));
  return bytes;
}

function responseTo(method: string, reply: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = reply;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  // A `Response` with one of these statuses has no body.
  const isBodiless = method === 'HEAD' || [204, 205, 304].includes(status);
  if (isBodiless) reply.resume();
  const body = isBodiless ? null : (Readable.toWeb(reply) as ConstructorParameters<typeof Response>[0]);
  return new Response(body, { status, statusText, headers });
}

/** Replaces the methods that a server calls on a socket and that a stream lacks. */
const returnThis = function <Self>(this: Self): Self {
  return this;
};
const NO_NETWORK = Object.fromEntries(
  ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref'].map((name) => [name, returnThis]),
);

/** Turns one end of a pair of streams into a socket that counts the bytes read. */
function socketOf(stream: Duplex, encrypted: boolean): Socket {
  const { push } = stream;
  const socket = Object.assign(stream, NO_NETWORK, { remoteAddress: '127.0.0.1', bytesRead: 0, encrypted });
  socket.push = (chunk: Buffer | null) => {
    socket.bytesRead += chunk?.length ?? 0;
    return socket.destroyed || push.call(socket, chunk);
  };
  const destroy = (): void => void socket.destroy();
  return Object.assign(socket, {
    destroySoon: () => (socket.writableFinished ? destroy() : socket.end(destroy)),
  }) as unknown as Socket;
}

/** Returns the socket of a client that is connected to `server`. With `encrypted`, the server sees a TLS socket. */
export function connectInMemory(server: Server, encrypted = false): Socket {
  const [client, accepted] = duplexPair().map((stream) => socketOf(stream, encrypted)) as [Socket, Socket];
  // A client that has disconnected reads nothing, so pending writes are lost.
  client.once('close', () => accepted.destroy());
  accepted.once('close', () => client.push(null));
  server.emit('connection', accepted);
  return client;
}
