/** The idea of Ring: a request is a map, a reply is a map, a handler is a function between them. */
import { createServer, type Server } from 'node:http';

// The framework. Maps of Clojure do not change: each function returns another one.

type Request = Readonly<{ method: string; uri: string }>;
type Reply = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;
/** Undefined stands for `nil`. */
type Handler = (request: Request) => Reply | undefined;
type Middleware = (handler: Handler) => Handler;

/** As `->` of Clojure: the middleware that is written last is the outermost. */
const threaded = (handler: Handler, ...list: readonly Middleware[]): Handler =>
  list.reduce((inner, wrap) => wrap(inner), handler);

/** As Compojure does: the first reply that is one. */
const routes =
  (...handlers: readonly Handler[]): Handler =>
  (request) => {
    for (const handler of handlers) {
      const reply = handler(request);
      if (reply !== undefined) return reply;
    }
    return undefined;
  };

const reply = (status: number, body: string): Reply => ({ status, headers: {}, body });

const serve = (handler: Handler): Server =>
  createServer((request, response) => {
    try {
      const { status, headers, body } = handler({ method: request.method!, uri: request.url! })!;
      response.writeHead(status, headers).end(body);
    } catch {
      response.writeHead(500).end('Server Error');
    }
  });

// The program.

const wrapSeen: Middleware = (handler) => (request) => {
  const inner = handler(request);
  return inner && { ...inner, headers: { ...inner.headers, 'X-Seen': String(inner.status) } };
};

const wrapClosed: Middleware = (handler) => (request) =>
  request.method === 'GET' ? handler(request) : reply(503, 'Only reading today');

const hello: Handler = ({ uri }) => {
  const name = /^\/hello\/([^/]+)$/.exec(uri)?.[1];
  return name === undefined ? undefined : reply(200, `Hello ${name}`);
};
const broken: Handler = ({ uri }) => {
  if (uri === '/broken') throw new Error('The handler has failed');
  return undefined;
};
const notFound: Handler = () => reply(404, 'Not Found');

export const server = (): Server => serve(threaded(routes(hello, broken, notFound), wrapClosed, wrapSeen));
