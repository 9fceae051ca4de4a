/** Requests without a network, for tests (D78): over sockets in memory, through all that a request passes. */
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
import { MAX_TIMER } from './connection/limits.ts';
import type { Servable } from './served.ts';
import { HttpService } from './service.ts';

/** What a request has beside its target: members of the Web's `RequestInit`, and `json`. */
export interface SentRequest {
  /** `GET` unless given, with a body too. */
  readonly method?: string | undefined;
  readonly headers?: RequestInit['headers'] | undefined;
  /** A text, bytes, `FormData`, `URLSearchParams`, a `Blob`, or a stream, which is sent in chunks. */
  readonly body?: RequestInit['body'] | Readable | undefined;
  /** Sent as JSON in place of `body`. */
  readonly json?: unknown;
  /** The client leaves when it is aborted. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Sends requests to a server of the application, made at the first of them, and again once the application has been
 * stopped. It has any memory for bodies. Node loads its `fetch` with the first: a service that gets none does without.
 */
export function requester(
  served: () => Servable & { readonly stopping: AbortSignal },
): (target: string | URL | Request, init?: SentRequest) => Promise<Response> {
  const servers = new WeakMap<AbortSignal, Server>();
  return async (given, changes = {}) => {
    const isRequest = typeof given === 'object' && 'url' in given;
    const [target, init] = isRequest ? [given.url, await changed(given, changes)] : [given, changes];
    const { method = 'GET', signal } = init;
    const headers = new Headers(init.headers);
    const body = await sentBody(init, headers);
    signal?.throwIfAborted();
    const application = served();
    const server =
      servers.get(application.stopping) ??
      new HttpService(application, { limits: { maxBodyMemory: Infinity } }).watch().server;
    servers.set(application.stopping, server);
    // A path is sent as it is; an absolute URL is a path with a host.
    const url = typeof target === 'string' && !/^https?:/i.test(target) ? undefined : new URL(target);
    const path = url === undefined ? String(target) : url.pathname + url.search;
    if (!headers.has('Host')) headers.set('Host', url?.host ?? 'localhost');
    // No socket keeps the process alive until the watch of connections gives up.
    const alive = setInterval(() => {}, MAX_TIMER);
    const socket = connectInMemory(server, url?.protocol === 'https:');
    const answered = send(socket, { method, path, headers: Object.fromEntries(headers) }, body, signal);
    return responseTo(method, await answered.finally(() => clearInterval(alive)));
  };
}

/** The members of a `Request` but for its URL, replaced by these changes as `fetch` does it. Reads the body. */
async function changed(request: Request, changes: SentRequest): Promise<SentRequest> {
  const { method = request.method, headers = request.headers, signal = request.signal, json } = changes;
  const isKept = request.body !== null && changes.body === undefined && json === undefined;
  return { method, headers, signal, json, body: isKept ? await request.arrayBuffer() : changes.body };
}

/** Sends the request; the reply at its head. A client whose signal is aborted leaves. */
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
    if (body instanceof Readable) pipeline(body.once('error', reject), sent, (error) => error && reject(error));
    else sent.end(body);
  });
}

/** The body, whose headers are added. Rejects with a `TypeError` for `json` beside `body`. */
async function sentBody({ body, json }: SentRequest, headers: Headers): Promise<Uint8Array | Readable | undefined> {
  const add = (name: string, value: string | null): void => {
    if (value !== null && !headers.has(name)) headers.set(name, value);
  };
  const hasBody = body !== undefined && body !== null;
  if (json !== undefined && hasBody)
    throw new TypeError('Cannot send a request with both json and body: give one of them');
  if (json === undefined && !hasBody) return undefined;
  if (hasBody && typeof body === 'object' && Symbol.asyncIterator in body) {
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked');
    return Readable.from(body);
  }
  const made = json === undefined ? new Response(body) : Response.json(json);
  const bytes = Buffer.from(await made.arrayBuffer());
  add('Content-Length', String(bytes.length));
  add('Content-Type', made.headers.get('Content-Type'));
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

/** What a server asks of a socket beside its stream. */
const returnThis = function <Self>(this: Self): Self {
  return this;
};
const NO_NETWORK = Object.fromEntries(
  ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref'].map((name) => [name, returnThis]),
);

/** Makes one end of a pair of streams a socket, which counts what it reads. */
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

/** The socket of a client that is connected to `server`, which takes it for a TLS socket where `encrypted` is true. */
export function connectInMemory(server: Server, encrypted = false): Socket {
  const [client, accepted] = duplexPair().map((stream) => socketOf(stream, encrypted)) as [Socket, Socket];
  // A client that leaves reads no more, so what is still written for it is lost.
  client.once('close', () => accepted.destroy());
  accepted.once('close', () => client.push(null));
  server.emit('connection', accepted);
  return client;
}
