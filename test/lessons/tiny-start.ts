/**
 * `tiny.ts` with three holes. Begin with the last hole, because no client gets a reply without it. This command shows
 * which holes are filled: `node --import tsx --test test/lessons/tiny-start.lesson.ts`.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Context = { method: string; path: string; request: IncomingMessage; body(): Promise<Buffer> };
export type Reply = { status: number; headers: Record<string, string>; body: string };
export type Handler = (context: Context) => Reply | Promise<Reply>;
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;
export type RouteHandler = (context: Context, values: Record<string, string>) => Reply | Promise<Reply>;

export function text(body: string, status = 200, type = 'text/plain; charset=utf-8'): Reply {
  return { status, headers: { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }, body };
}
const json = (value: unknown, status = 200): Reply => text(JSON.stringify(value), status, 'application/json');
const notFound = (): Reply => text('Not found', 404);

/** The fold: each stage gets all later stages as one handler, its `next`. */
const pipeline = (stages: readonly Stage[], end: Handler): Handler =>
  // ▼ Fold: a handler that calls the first stage, whose `next` calls the second, and so on; the last `next` is `end`.
  end;

/** Returns a stage that answers a matching request, and lets every other request fall through to the next stage. */
export function route(method: string, template: string, handle: RouteHandler): Stage {
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return (context, next) => {
    // ▼ Route: if `method` and `pattern` match, call `handle` with the named groups; otherwise call `next`.
    return next(context);
  };
}

export function todo(items = [{ key: '1', name: 'Item1' }]): Stage[] {
  const find: RouteHandler = (_, { key }) => {
    const item = items.find((item) => item.key === key);
    return item === undefined ? notFound() : json(item);
  };
  const add: RouteHandler = async (context) => {
    const { name } = JSON.parse(String(await context.body()));
    const item = { key: String(items.length + 1), name };
    items.push(item);
    return json(item, 201);
  };
  const list: RouteHandler = () => json(items);
  return [route('GET', '/api/todo', list), route('GET', '/api/todo/{key}', find), route('POST', '/api/todo', add)];
}

/** Creates a server: a request becomes a context, the stages return a reply, the reply becomes a response. */
export function service(stages: readonly Stage[]): Server {
  const handler = pipeline(stages, notFound);
  return createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!;
    const context: Context = { method: request.method!, path, request, body: () => buffer(request) };
    // ▼ Reply: call `handler`, turn an error into a reply with 500, and write the reply.
    response.end('not written yet');
  });
}

if (process.argv[1] === import.meta.filename) service(todo()).listen(8080, '127.0.0.1');
