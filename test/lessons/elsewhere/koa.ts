/** The idea of Koa: middleware changes one `ctx` and awaits `next()`. What `ctx` holds in the end is sent. */
import { createServer, type Server } from 'node:http';

// The framework.

class Context {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string> = {};
  body: string | undefined;
  #status: number | undefined;

  constructor(method: string, path: string) {
    this.method = method;
    this.path = path;
  }

  get status(): number {
    return this.#status ?? (this.body === undefined ? 404 : 200);
  }

  set status(status: number) {
    this.#status = status;
  }
}

type Next = () => Promise<void>;
type Middleware = (ctx: Context, next: Next) => Promise<void>;

const compose =
  (list: readonly Middleware[]) =>
  (ctx: Context): Promise<void> =>
    list.reduceRight<Next>(
      (next, one) => async () => one(ctx, next),
      async () => {},
    )();

function serve(list: readonly Middleware[]): Server {
  const handle = compose(list);
  return createServer(async (request, response) => {
    const ctx = new Context(request.method!, request.url!);
    try {
      await handle(ctx);
    } catch {
      // Koa drops the headers that were set, and logs the error.
      response.writeHead(500).end('Internal Server Error');
      return;
    }
    response.writeHead(ctx.status, ctx.headers).end(ctx.body ?? 'Not Found');
  });
}

// The program.

const seen: Middleware = async (ctx, next) => {
  await next();
  ctx.headers['X-Seen'] = String(ctx.status);
};

const closed: Middleware = async (ctx, next) => {
  if (ctx.method === 'GET') return next();
  ctx.status = 503;
  ctx.body = 'Only reading today';
};

/** Koa has no routes: they are one more middleware. */
const pages: Middleware = async (ctx) => {
  const name = /^\/hello\/([^/]+)$/.exec(ctx.path)?.[1];
  if (name !== undefined) ctx.body = `Hello ${name}`;
  if (ctx.path === '/broken') throw new Error('The handler has failed');
};

export const server = (): Server => serve([seen, closed, pages]);
