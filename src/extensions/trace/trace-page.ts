/** Answers below `/trace`: the page, the last requests, and requests that are sent again. */
import { on } from 'node:events';
import { packageFile } from '../../extending.ts';
import {
  type Context,
  application as composed,
  empty,
  HttpProblem,
  type Infer,
  json,
  operation,
  type Plugin,
  type Reply,
  redirect,
  route,
  type Stage,
  schema,
} from '../../index.ts';
import { type ComposedApplication, type StageOrigin, sourceOf, stageLabel } from '../../instrument.ts';
import { answer } from '../../operations.ts';
import { events } from '../events/events.ts';
import { type EmbeddedFiles, EmbeddedFolder, Folder, fileReply, isFileName } from '../files/files.ts';
import { PAGE_HEADERS } from '../swagger-page/swagger-page.ts';
import type { Copy } from './copy.ts';
import type { LastRequests } from './last-requests.ts';
import { type AskedRequest, type RecordedAnswer, sentHeaderFault } from './recorded-service.ts';
import { sourcePlaces } from './source-places.ts';
import { routeFacts, SHOWN } from './views.ts';

/** What the page shows, the copy of the application to which requests are sent again, and who may see it. */
export interface Traced {
  readonly application: ComposedApplication;
  readonly requests: LastRequests;
  /** Undefined where there is none, and none is offered. */
  readonly copy: Copy | undefined;
  /** Without it, requests of this machine alone are answered. */
  readonly everyone: boolean;
}

/** The plugin that answers at `/trace`. It stands in an application of its own. */
export function tracePage({ application, requests, copy, everyone }: Traced): Plugin {
  const method = ['GET', 'HEAD'];
  const file = pageFiles();
  const shown = (value: unknown): Reply => json(value, { headers: { 'Cache-Control': 'no-store' } });
  return {
    name: 'trace',
    stages: [localOnly(everyone)],
    routes: [
      // The links of the page are relative to `/trace` without a slash behind it, also where a proxy strips a prefix.
      route({
        method,
        path: 'trace',
        handle: ({ context }) => (context.path.endsWith('/') ? redirect('../trace', 307) : file(context, 'index.html')),
      }),
      route({
        method,
        path: 'trace/pipeline',
        handle: () => shown({ ...pipelineOf(application), copies: copy !== undefined }),
      }),
      route({ method, path: 'trace/requests', handle: () => shown(requests.recordings.map(({ summary }) => summary)) }),
      route({
        method,
        path: 'trace/requests/{number:int}',
        handle({ values }) {
          const recording = requests.recordings.find(({ summary }) => summary.number === Number(values.number));
          if (recording !== undefined) return shown({ recording: recording.whole() });
          throw new HttpProblem(404, `The request number ${values.number} is no longer kept`);
        },
      }),
      route({
        method: 'GET',
        path: 'trace/events',
        handle: ({ context }) =>
          events(context, async function* ({ signal }) {
            for await (const [data] of on(requests, 'added', { signal })) yield { data };
          }),
      }),
      ...(copy === undefined
        ? []
        : [route({ method: 'POST', path: 'trace/reset', handle: () => copy.reset().then(() => empty()) })]),
      route({ method, path: 'trace/{file}', handle: ({ context, values }) => file(context, values.file) }),
    ],
    controllers: copy === undefined ? [] : [{ name: 'Trace', path: 'trace', operations: [sending(copy, application)] }],
  };
}

const sending = (copy: Copy, { stageOrigins }: ComposedApplication) =>
  operation({
    method: 'POST',
    path: 'send',
    body: SENT_AGAIN,
    responses: { 200: { description: 'What the copy did', mediaType: 'application/json' } },
    async handle({ body }) {
      const request = requestOf(body);
      const order = orderOf(body, stageOrigins);
      if (body.fresh) await copy.reset();
      return answer(200, JSON.stringify(told(await copy.send(request, order))));
    },
  });

/** A proxy writes these: who asks it is somebody else. */
const OF_PROXY = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-envoy-.*)$/;
/** An IPv4 address inside of an IPv6 one is that address. */
const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;

/**
 * Lets requests pass that come from this machine, and none of a page of another origin: it throws an `HttpProblem` 403.
 * A page elsewhere can make its name lead to 127.0.0.1, so the name that is asked for must be a local one too.
 */
function localOnly(everyone: boolean): Stage {
  // What is a local name is the rule of every application.
  const { answersHost } = composed([], { allowedHosts: ['localhost'] });
  const remedy = 'ask it there, or open it to everyone: --trace any, or trace({ everyone: true })';
  const strangerFault = ({ request, headers }: Context): string | undefined => {
    if (!LOOPBACK.test(request.socket.remoteAddress!) || Object.keys(headers).some((name) => OF_PROXY.test(name)))
      return `The trace answers the machine that it runs on alone; ${remedy}`;
    if (answersHost!(request)) return undefined;
    return `The trace answers to the names of this machine alone, such as localhost and 127.0.0.1; ${remedy}`;
  };
  return function localOnly(context, next) {
    const fault = (everyone ? undefined : strangerFault(context)) ?? originFault(context);
    if (fault !== undefined) throw new HttpProblem(403, fault);
    return next(context);
  };
}

/** A browser tells where the page of a request comes from. Other clients tell nothing, and no page makes them ask. */
function originFault({ headers }: Context): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn && site !== 'cross-site' ? undefined : 'The trace answers its own page alone, and no other origin';
}

/** The recording, and the beginning of the body that the client got: also one that no station has made. */
function told({ recording, answer: reply }: RecordedAnswer): object {
  const isText = typeof reply === 'string';
  if (recording === undefined) return { refused: isText ? reply : `the parser refused it with ${reply.status}` };
  return { recording: recording.whole(), body: isText ? '' : recording.hide(reply.body).slice(0, SHOWN) };
}

/** The stages in their order, and the routes in theirs. */
function pipelineOf({ stages, stageOrigins, routes, basePath = '' }: ComposedApplication): object {
  const places = sourcePlaces(stages.map(sourceOf));
  return {
    basePath,
    stages: stageOrigins.map((origin, number) => {
      const { plugin, place } = origin;
      return { number, label: stageLabel(origin), plugin, place: places[number] ?? place };
    }),
    routes: [...routes].map(routeFacts),
  };
}

/** A name that the build defines, where the files of the page go into the program. */
declare const EMBEDDED_TRACE: EmbeddedFiles | undefined;

/** Makes the function that answers with the file of a name, or throws an `HttpProblem` 404. */
function pageFiles(): (context: Context, name: string) => Promise<Reply> {
  const folder =
    typeof EMBEDDED_TRACE === 'undefined'
      ? new Folder(packageFile('static/trace'), { headers: PAGE_HEADERS })
      : new EmbeddedFolder(EMBEDDED_TRACE, { headers: PAGE_HEADERS });
  return async (context, name) => {
    const found = isFileName(name) ? await folder.find(name) : undefined;
    const reply = found && (await fileReply(context, found, folder.root));
    if (reply !== undefined) return reply;
    throw new HttpProblem(404, `The page of the trace has no file "${name}"`);
  };
}

/** The body of `POST /trace/send`. `order` has the numbers of the stages; with `fresh` the copy is made anew before. */
const SENT_AGAIN = schema('SentAgain', {
  type: 'object',
  required: ['method', 'target'],
  properties: {
    method: { type: 'string' },
    target: { type: 'string' },
    headers: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'value'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
    body: { type: 'string' },
    order: { type: 'array', items: { type: 'integer' } },
    fresh: { type: 'boolean', default: false },
  },
});
type SentAgain = Infer<typeof SENT_AGAIN>;

/** The client writes these itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The request to send. Throws an `HttpProblem` 400 for a method, a target and a header that cannot be sent. */
function requestOf({ method, target, headers, body }: SentAgain): AskedRequest {
  if (!/^\/[!-~]*$/.test(target))
    throw new HttpProblem(400, 'The path and query has to begin with a slash and to be percent-encoded');
  if (!/^[a-z-]+$/i.test(method) || method.toUpperCase() === 'CONNECT')
    throw new HttpProblem(400, `The method ${JSON.stringify(method)} cannot be sent; take another`);
  const lines = Object.create(null) as Record<string, string[]>;
  for (const { name, value } of headers ?? []) {
    const fault = sentHeaderFault(name, value);
    if (fault !== undefined) throw new HttpProblem(400, `The header ${JSON.stringify(name)} cannot be sent: ${fault}`);
    if (!OWN.has(name.toLowerCase())) (lines[name.toLowerCase()] ??= []).push(value);
  }
  return { method: method.toUpperCase(), path: target, headers: lines, ...(body && { body }) };
}

/** The stages in the order of the request, which has each number once. Throws an `HttpProblem` 400 for any other. */
function orderOf({ order }: SentAgain, stages: readonly StageOrigin[]): readonly StageOrigin[] {
  if (order === undefined || order === null) return stages;
  if (order.length === stages.length && stages.every((_, number) => order.includes(number)))
    return order.map((number) => stages[number]!);
  throw new HttpProblem(400, `The order has to name each of the stages 0 to ${stages.length - 1} once`);
}
