/** Answers below `/trace`: the page, and the last requests, which are kept as JSON. */
import { EventEmitter, once } from 'node:events';
import { application as composed } from '../../core/application/application.ts';
import { packageFile } from '../../core/application/package-file.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { json, redirect } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { route } from '../../core/routing/route.ts';
import { trustedProxies } from '../../core/wire/trusted-proxy.ts';
import { events } from '../events/events.ts';
import { isFileName } from '../files/disk-file.ts';
import { PAGE_HEADERS } from '../files/file-headers.ts';
import { fileReply } from '../files/file-reply.ts';
import type { EmbeddedFiles } from '../files/files.ts';
import { EmbeddedFolder, Folder } from '../files/folder.ts';
import type { Recorder } from './recorder.ts';
import type { Recording, RequestSummary } from './recording.ts';
import type { Secrets } from './secrets.ts';
import { routeFacts, shown } from './views.ts';

/** The plugin that answers at `/trace`, this machine alone unless `everyone`. It stands in its own application. */
export function tracePage(recorder: Recorder, requests: LastRequests, everyone: boolean): Plugin {
  const method = ['GET', 'HEAD'];
  const file = pageFiles();
  const options = { headers: { 'Cache-Control': 'no-store' } };
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
        handle: () => json({ stages: recorder.stages, routes: [...(recorder.routes ?? [])].map(routeFacts) }, options),
      }),
      route({
        method,
        path: 'trace/requests',
        handle: () => json(requests.summaries(), options),
      }),
      route({
        method,
        path: 'trace/requests/{number:int}',
        handle({ values }) {
          const recording = requests.recording(Number(values.number));
          if (recording !== undefined) return json({ recording }, options);
          throw new HttpProblem(404, `The request number ${values.number} is no longer kept`);
        },
      }),
      route({
        method: 'GET',
        path: 'trace/events',
        handle: ({ context }) =>
          events(context, async function* ({ signal }) {
            for await (const data of requests.added(signal)) yield { data };
          }),
      }),
      route({ method, path: 'trace/{file}', handle: ({ context, values }) => file(context, values.file) }),
    ],
  };
}

/** A proxy writes these: who asks it is somebody else. */
const OF_PROXY = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-envoy-.*)$/;
/** This machine connects by loopback or by a Unix socket, which has no address. */
const THIS_MACHINE = trustedProxies(['loopback', 'unix']);

/**
 * Lets requests pass that come from this machine, and none of a page of another origin: it throws an `HttpProblem` 403.
 * A page elsewhere can make its name lead to 127.0.0.1, so the name that is asked for must be a local one too.
 */
function localOnly(everyone: boolean): Stage {
  // What is a local name is the rule of every application.
  const { answersHost } = composed([], { allowedHosts: ['localhost'] });
  const remedy = 'ask it there, or open it to everyone: trace({ everyone: true })';
  const strangerFault = ({ request, headers }: Context): string | undefined => {
    const { socket } = request;
    if (!THIS_MACHINE.has(socket.remoteAddress, socket) || Object.keys(headers).some((name) => OF_PROXY.test(name)))
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

/** A name that the build defines, where the files of the page go into the program. */
declare const EMBEDDED_TRACE: EmbeddedFiles | undefined;

/** Makes the function that answers with the file of a name, or throws an `HttpProblem` 404. */
function pageFiles(): (context: Context, name: string) => Promise<Reply> {
  const folder =
    typeof EMBEDDED_TRACE === 'undefined'
      ? new Folder(packageFile('static/trace', 'leave trace() out'), { headers: PAGE_HEADERS })
      : new EmbeddedFolder(EMBEDDED_TRACE, { headers: PAGE_HEADERS });
  return async (context, name) => {
    const found = isFileName(name) ? await folder.find(name) : undefined;
    const reply = found && (await fileReply(context, found, folder.root));
    if (reply !== undefined) return reply;
    throw new HttpProblem(404, `The page of the trace has no file "${name}"`);
  };
}

const MAX_REQUESTS = 50;
/** All recordings together, with what is kept beside them. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What is kept of a request: the recording as JSON, and what is hidden in it when it is shown. */
interface Kept {
  readonly summary: RequestSummary;
  readonly json: Buffer;
  readonly secrets: Secrets;
}

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [] }> {
  kept: readonly Kept[] = [];

  constructor() {
    super();
    // Each page that is open listens.
    this.setMaxListeners(0);
  }

  add(recording: Recording, secrets: Secrets): void {
    const { number, method, target, at, took, status } = recording;
    const summary = { number, method, target, at, took, ...(status !== undefined && { status }) };
    const json = Buffer.from(JSON.stringify(recording));
    const last = [{ summary, json, secrets }, ...this.kept].slice(0, MAX_REQUESTS);
    let bytes = 0;
    const end = last.findIndex((one) => (bytes += bytesOf(one)) > MAX_BYTES);
    this.kept = end < 0 ? last : last.slice(0, end);
    this.emit('added');
  }

  /** The recording of this number, without its secrets; undefined where it is not kept. */
  recording(number: number): Recording | undefined {
    const found = this.kept.find(({ summary }) => summary.number === number);
    return found && shown(JSON.parse(found.json.toString()) as Recording, found.secrets);
  }

  /** The requests that are kept, the newest first, without their secrets. */
  summaries(): readonly RequestSummary[] {
    return this.kept.map(summaryOf);
  }

  /** Each further request, the oldest first. A slow reader misses the requests that have been dropped. */
  async *added(signal: AbortSignal): AsyncGenerator<RequestSummary> {
    let [last] = this.kept;
    for (;;) {
      const end = this.kept.findIndex((one) => one === last);
      const added = end < 0 ? this.kept : this.kept.slice(0, end);
      [last] = this.kept;
      for (const one of added.toReversed()) yield summaryOf(one);
      if (this.kept[0] === last) await once(this, 'added', { signal });
    }
  }
}

const summaryOf = ({ summary, secrets }: Kept): RequestSummary => secrets.search().all(summary);

const bytesOf = ({ summary, json, secrets }: Kept): number => json.length + secrets.length + summary.target.length;
