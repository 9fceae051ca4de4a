/**
 * The whole idea: a context goes in, a reply comes out. A stage answers, or returns the reply of the next stage.
 * Start it: `node --import tsx test/lessons/tiny.ts`. The folder `steps` shows the attacks that break it.
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
  stages.reduceRight<Handler>((next, stage) => (context) => stage(context, next), end);

/** Returns a stage that answers a matching request, and lets every other request fall through to the next stage. */
export function route(method: string, template: string, handle: RouteHandler): Stage {
  const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return (context, next) => {
    const match = context.method === method ? pattern.exec(context.path) : null;
    return match === null ? next(context) : handle(context, match.groups ?? {});
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
    const promised = Promise.resolve(context).then(handler);
    const reply = await promised.catch((error: Error) => text(error.message, 500));
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
}

if (process.argv[1] === import.meta.filename) service(todo()).listen(8080, '127.0.0.1');
