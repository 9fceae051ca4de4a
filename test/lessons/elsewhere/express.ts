/** The idea of Express: a stack of functions of `req`, `res` and `next`. `next()` says whose turn it is, no more. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

// The framework.

type Params = Readonly<Record<string, string | undefined>>;
type Req = IncomingMessage & { params: Params };
type Next = (error?: unknown) => void;
type Middleware = (req: Req, res: ServerResponse, next: Next) => unknown;

class Stack {
  readonly #layers: { readonly path: RegExp; readonly handle: Middleware }[] = [];

  use(handle: Middleware, path = /^/): this {
    this.#layers.push({ path, handle });
    return this;
  }

  /** Express reads `/hello/:name` as an expression, as this does. */
  get(path: string, handle: Middleware): this {
    return this.use(handle, new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`));
  }

  listen(): Server {
    return createServer((request, res) => {
      const req = Object.assign(request, { params: {} as Params });
      let at = 0;
      const next: Next = async (error) => {
        const layer = this.#layers[at++];
        if (error !== undefined || layer === undefined) return end(req, res, error);
        const match = layer.path.exec(req.url!);
        if (match === null) return next();
        req.params = match.groups ?? {};
        try {
          await layer.handle(req, res, next);
        } catch (thrown) {
          next(thrown);
        }
      };
      next();
    });
  }
}

/** What Express does where the stack ends, or on an error. A function of four arguments could take the error before. */
function end(req: Req, res: ServerResponse, error: unknown): void {
  res.statusCode = error === undefined ? 404 : 500;
  res.end(error === undefined ? `Cannot ${req.method} ${req.url}` : 'Internal Server Error');
}

// The program.

/** `next()` returns nothing, and the reply is sent by then. So the function that sends the head is replaced. */
const seen: Middleware = (_req, res, next) => {
  const { writeHead } = res;
  res.writeHead = (...head: any) => {
    res.setHeader('X-Seen', res.statusCode);
    return writeHead.apply(res, head);
  };
  next();
};

const closed: Middleware = (req, res, next) => {
  if (req.method === 'GET') return next();
  res.statusCode = 503;
  res.end('Only reading today');
};

export const server = (): Server =>
  new Stack()
    .use(seen)
    .use(closed)
    .get('/hello/:name', (req, res) => res.end(`Hello ${req.params['name']}`))
    .get('/broken', () => {
      throw new Error('The handler has failed');
    })
    .listen();
