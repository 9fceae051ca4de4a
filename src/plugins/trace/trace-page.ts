/** Serves the trace page at `/trace` and, below it, the last requests as JSON. */
import { application as composed } from '../../core/application/application.ts';
import { packageFile } from '../../core/application/package-file.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/http/context.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { json, redirect, text } from '../../core/http/replies.ts';
import type { Reply } from '../../core/http/reply.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { route } from '../../core/routing/route.ts';
import { trustedProxies } from '../../core/server/trusted-proxy.ts';
import { isFileName } from '../files/disk-file.ts';
import { PAGE_HEADERS } from '../files/file-headers.ts';
import { fileReply } from '../files/file-reply.ts';
import type { EmbeddedFiles } from '../files/files.ts';
import { EmbeddedFolder, Folder } from '../files/folder.ts';
import type { Recorder } from './recorder.ts';
import type { Recording, RequestSummary } from './recording.ts';
import { routeFacts } from './views.ts';

/** Returns the plugin that serves `/trace`. It answers only requests from this machine, unless `everyone` is true. */
export function tracePage(recorder: Recorder, requests: LastRequests, everyone: boolean): Plugin {
  const method = ['GET', 'HEAD'];
  const file = pageFiles();
  const options = { headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } };
  return {
    name: 'trace',
    stages: [localOnly(everyone)],
    routes: [
      // The relative links of the page work only at `/trace`, so `/trace/` is redirected there. The redirect is
      // relative too, because a proxy may have removed a path prefix.
      route({
        method,
        path: 'trace',
        handle: ({ context }) => (context.path.endsWith('/') ? redirect('../trace', 307) : file(context, 'index.html')),
      }),
      route({
        method,
        path: 'trace/pipeline',
        handle: () => json({ stages: recorder.stages, routes: [...recorder.routes].map(routeFacts) }, options),
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
          const found = requests.stored.find(({ summary }) => summary.number === Number(values.number));
          if (found !== undefined) return text(found.json.toString(), options);
          throw new HttpProblem(404, `The request number ${values.number} is no longer stored`);
        },
      }),
      route({ method, path: 'trace/{file}', handle: ({ context, values }) => file(context, values.file) }),
    ],
  };
}

/** Headers that proxies add. A request with such a header may come from another machine, even if the proxy is local. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-envoy-.*)$/;
/** Connections from this machine use a loopback address or a Unix socket. */
const THIS_MACHINE = trustedProxies(['loopback', 'unix']);

/**
 * Returns a stage that refuses requests from pages of other origins with 403. Unless `everyone` is true, it also
 * refuses requests from other machines, and requests for a host name that is not local: another site can make its host
 * name resolve to 127.0.0.1 (DNS rebinding).
 */
function localOnly(everyone: boolean): Stage {
  // The option `allowedHosts` of an application already contains the check for local host names.
  const { answersHost } = composed([], { allowedHosts: ['localhost'] });
  const orRemedy = 'or open it to everyone: trace({ everyone: true })';
  const machineFault = ({ request, headers }: Context): string | undefined => {
    const { socket } = request;
    if (!THIS_MACHINE.has(socket.remoteAddress, socket) || Object.keys(headers).some((name) => PROXY_HEADER.test(name)))
      return `The trace answers only requests from its own machine; open it there, ${orRemedy}`;
    if (answersHost!(request)) return undefined;
    return `The trace answers only to local host names, such as localhost and 127.0.0.1; use such a name, ${orRemedy}`;
  };
  return function localOnly(context, next) {
    const fault = (everyone ? undefined : machineFault(context)) ?? originFault(context);
    if (fault !== undefined) throw new HttpProblem(403, fault);
    return next(context);
  };
}

/** Returns an error if `Origin` or `Sec-Fetch-Site` shows that a page of another origin sends the request. */
function originFault({ headers }: Context): string | undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isSame = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isSame && site !== 'cross-site' ? undefined : 'The trace does not answer pages of other origins';
}

/** The files of the page. This name is defined only if the build embeds the files in the program. */
declare const EMBEDDED_TRACE: EmbeddedFiles | undefined;

/** Returns a function that makes the reply with a file of the page. For an unknown name it rejects with a 404. */
function pageFiles(): (context: Context, name: string) => Promise<Reply> {
  const folder =
    typeof EMBEDDED_TRACE === 'undefined'
      ? new Folder(packageFile('static/trace', 'remove trace()'), { headers: PAGE_HEADERS })
      : new EmbeddedFolder(EMBEDDED_TRACE, { headers: PAGE_HEADERS });
  return async (context, name) => {
    const found = isFileName(name) ? await folder.find(name) : undefined;
    const reply = found && (await fileReply(context, found, folder.root));
    if (reply !== undefined) return reply;
    throw new HttpProblem(404, `The page of the trace has no file "${name}"`);
  };
}

const MAX_REQUESTS = 50;
/** The maximum size of all stored requests together, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A stored request: its summary, and its recording as JSON. */
interface StoredRequest {
  readonly summary: RequestSummary;
  readonly json: Buffer;
}

/** Stores the last recordings, the newest first. */
export class LastRequests {
  stored: readonly StoredRequest[] = [];

  add(recording: Recording): void {
    const { number, method, target, at, took, status } = recording;
    const json = Buffer.from(JSON.stringify({ recording }));
    const last = [{ summary: { number, method, target, at, took, status }, json }, ...this.stored];
    let bytes = 0;
    this.stored = last.slice(0, MAX_REQUESTS).filter((request) => (bytes += request.json.length) <= MAX_BYTES);
  }

  summaries(): readonly RequestSummary[] {
    return this.stored.map(({ summary }) => summary);
  }
}
