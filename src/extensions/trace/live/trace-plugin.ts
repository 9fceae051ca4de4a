/** Makes the plugin that answers below `/trace`: the page, the last requests, and requests that are sent again. */

import {
  type Context,
  empty,
  HttpProblem,
  json,
  operation,
  type Plugin,
  type Reply,
  type RunnableApplication,
  redirect,
  route,
} from '../../../index.ts';
import { innermost, type StageOrigin, stageLabel } from '../../../instrument.ts';
import { answer } from '../../../operations.ts';
import { events } from '../../events/events.ts';
import type { AskedRequest, RecordedAnswer } from '../recording/recorded-service.ts';
import { routeFacts } from '../recording/route-verdicts.ts';
import { sourcePlaces } from '../recording/source-places.ts';
import type { Finished } from '../views/station.ts';
import type { LastRequests } from './last-requests.ts';
import { pageFiles } from './page-files.ts';
import { orderOf, requestOf, SENT_AGAIN, type SentAgain } from './sent-again.ts';

/** A copy of the application, to which requests are sent again. */
export interface Workbench {
  /** Sends a request to the copy, with its stages in the order of these. Rejects with the error of a failed start. */
  send(request: AskedRequest, order: readonly StageOrigin[]): Promise<RecordedAnswer>;
  /** Stops the copy. The next request makes another. */
  reset(): Promise<void>;
}

/** What the plugin shows. */
export interface Traced {
  readonly application: RunnableApplication;
  readonly requests: LastRequests;
  readonly workbench: Workbench;
}

/** The plugin for what is traced. It stands alone in an application, behind the stage that decides who is answered. */
export function tracePlugin(traced: Traced): Plugin {
  const file = pageFiles();
  const shown = (value: unknown): Reply => json(value, { headers: { 'Cache-Control': 'no-store' } });
  return {
    name: 'trace',
    routes: [
      route({ method: READ, path: 'trace', handle: ({ context }) => page(context, (name) => file(context, name)) }),
      route({ method: READ, path: 'trace/pipeline', handle: () => shown(pipelineOf(traced.application)) }),
      route({ method: READ, path: 'trace/requests', handle: () => shown(traced.requests.summaries) }),
      route({
        method: READ,
        path: 'trace/requests/{number:int}',
        handle({ values }) {
          const recording = traced.requests.find(Number(values.number));
          if (recording === undefined)
            throw new HttpProblem(404, `The request number ${values.number} is no longer kept`);
          return shown({ recording: recording.whole() });
        },
      }),
      route({
        method: 'GET',
        path: 'trace/events',
        handle: ({ context }) =>
          events(context, async function* ({ signal }) {
            for await (const summary of traced.requests.later(signal)) yield { data: summary };
          }),
      }),
      route({
        method: 'POST',
        path: 'trace/reset',
        handle: async () => {
          await traced.workbench.reset();
          return empty();
        },
      }),
      route({ method: READ, path: 'trace/{file}', handle: ({ context, values }) => file(context, values.file) }),
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
              const { workbench, application } = traced;
              const sent: SentAgain = body;
              const request = requestOf(sent);
              const order = orderOf(sent, application.stageOrigins);
              if (sent.fresh) await workbench.reset();
              const { recording, answer: reply } = await workbench.send(request, order);
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

/** In characters. */
const SHOWN = 4096;

const READ = ['GET', 'HEAD'];

/** The links of the page are relative to `/trace` without a slash behind it, also where a proxy strips a prefix. */
const page = (context: Context, file: (name: string) => Reply | Promise<Reply>): Reply | Promise<Reply> =>
  context.path.endsWith('/') ? redirect('../trace', 307) : file('index.html');

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
