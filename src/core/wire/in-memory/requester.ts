/**
 * Sends a request into an application and makes its reply a `Response` of the Web, for tests: through parser,
 * validation, stages and writer, and without a socket (D78).
 *
 * Node loads its `fetch` with the first such request: a service that gets none does without it.
 */
import { type IncomingMessage, request, type Server } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { connectInMemory } from './memory-socket.ts';
import { type SentRequest, sentBody } from './sent-body.ts';

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
