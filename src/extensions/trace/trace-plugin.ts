/** Answers below `/trace`: the page, the last requests, and requests that are sent again. */
import { EventEmitter, on } from 'node:events';
import { after, packageFile } from '../../extending.ts';
import {
  type Context,
  empty,
  HttpProblem,
  type Infer,
  json,
  operation,
  type Plugin,
  type Reply,
  type RunnableApplication,
  redirect,
  route,
  schema,
} from '../../index.ts';
import { innermost, type StageOrigin, stageLabel } from '../../instrument.ts';
import { answer } from '../../operations.ts';
import { events } from '../events/events.ts';
import { type EmbeddedFiles, EmbeddedFolder, Folder, fileReply, isFileName } from '../files/files.ts';
import { PAGE_HEADERS } from '../swagger-page/swagger-page.ts';
import { type AskedRequest, type RecordedAnswer, sentHeaderFault } from './recorded-service.ts';
import type { Finished, RequestSummary } from './recording.ts';
import { sourcePlaces } from './source-places.ts';
import { routeFacts, SHOWN } from './views.ts';

/** So many recordings are kept. */
const KEPT = 50;

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [RequestSummary] }> {
  #recordings: readonly Finished[] = [];

  constructor() {
    super();
    // Each page that is open listens.
    this.setMaxListeners(0);
  }

  add(recording: Finished): void {
    this.#recordings = [recording, ...this.#recordings.slice(0, KEPT - 1)];
    this.emit('added', recording.summary);
  }

  get summaries(): readonly RequestSummary[] {
    return this.#recordings.map(({ summary }) => summary);
  }

  /** The recording with this number; undefined once it is no longer kept. */
  find(number: number): Finished | undefined {
    return this.#recordings.find(({ summary }) => summary.number === number);
  }
}

/** What the plugin shows, and the copy of the application to which requests are sent again. */
export interface Traced {
  readonly application: RunnableApplication;
  readonly requests: LastRequests;
  readonly copy: {
    /** Sends a request to the copy, with its stages in the order of these. Rejects with the error of a failed start. */
    send(request: AskedRequest, order: readonly StageOrigin[]): Promise<RecordedAnswer>;
    /** Stops the copy. The next request makes another. */
    reset(): Promise<void>;
  };
}

/** The plugin for what is traced. It stands alone in an application, behind the stage that decides who is answered. */
export function tracePlugin({ application, requests, copy }: Traced): Plugin {
  const method = ['GET', 'HEAD'];
  const file = pageFiles();
  const shown = (value: unknown): Reply => json(value, { headers: { 'Cache-Control': 'no-store' } });
  return {
    name: 'trace',
    routes: [
      // The links of the page are relative to `/trace` without a slash behind it, also where a proxy strips a prefix.
      route({
        method,
        path: 'trace',
        handle: ({ context }) => (context.path.endsWith('/') ? redirect('../trace', 307) : file(context, 'index.html')),
      }),
      route({ method, path: 'trace/pipeline', handle: () => shown(pipelineOf(application)) }),
      route({ method, path: 'trace/requests', handle: () => shown(requests.summaries) }),
      route({
        method,
        path: 'trace/requests/{number:int}',
        handle({ values }) {
          const recording = requests.find(Number(values.number));
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
      route({ method: 'POST', path: 'trace/reset', handle: () => copy.reset().then(() => empty()) }),
      route({ method, path: 'trace/{file}', handle: ({ context, values }) => file(context, values.file) }),
    ],
    controllers: [
      {
        name: 'Trace',
        path: 'trace',
        operations: [
          operation({
            method: 'POST',
            path: 'send',
            body: SENT_AGAIN,
            responses: { 200: { description: 'What the copy did', mediaType: 'application/json' } },
            async handle({ body }) {
              const request = requestOf(body);
              const order = orderOf(body, application.stageOrigins);
              if (body.fresh) await copy.reset();
              const { recording, answer: reply } = await copy.send(request, order);
              const refused = typeof reply === 'string' ? reply : `the parser refused it with ${reply.status}`;
              return answer(200, JSON.stringify(recording === undefined ? { refused } : told(recording, reply)));
            },
          }),
        ],
      },
    ],
  };
}

/** The recording, and the beginning of the body that the client got: also one that no station has made. */
function told(recording: Finished, reply: RecordedAnswer['answer']): object {
  const whole = recording.whole();
  return { recording: whole, body: typeof reply === 'string' ? '' : recording.hide(reply.body).slice(0, SHOWN) };
}

/** The stages in their order, and the routes in theirs. */
function pipelineOf({ stages, stageOrigins, routes, basePath = '' }: RunnableApplication): unknown {
  const places = sourcePlaces(stages.map(innermost));
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
function pageFiles(): (context: Context, name: string) => Reply | Promise<Reply> {
  const folder =
    typeof EMBEDDED_TRACE === 'undefined'
      ? new Folder(packageFile('static/trace'), { headers: PAGE_HEADERS })
      : new EmbeddedFolder(EMBEDDED_TRACE, { headers: PAGE_HEADERS });
  return (context, name) => {
    const found = isFileName(name) ? folder.find(name) : undefined;
    const reply = after(found, (file) => file && fileReply(context, file, folder.root));
    return after(reply, (made) => {
      if (made !== undefined) return made;
      throw new HttpProblem(404, `The page of the trace has no file "${name}"`);
    });
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
function orderOf<Stage>({ order }: SentAgain, stages: readonly Stage[]): readonly Stage[] {
  if (order === undefined || order === null) return stages;
  if (order.length === stages.length && stages.every((_, number) => order.includes(number)))
    return order.map((number) => stages[number]!);
  throw new HttpProblem(400, `The order has to name each of the stages 0 to ${stages.length - 1} once`);
}
