/** `todo-item-service/trace`: shows the last requests of an application, and what each stage and handler did. */

import { application } from '../../core/application/application.ts';
import { mounted } from '../../core/application/mounted.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context, Handler } from '../../core/http/context.ts';
import { pathBelow, prefixSegments } from '../../core/http/path.ts';
import { probeSlot } from '../../core/http/request-notes.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import { LastRequests, tracePage } from './trace-page.ts';

/** The options of `trace`. */
interface TraceOptions {
  /** The path of the page, without the base path. It must end in `/trace`. Default: `/trace`. */
  readonly path?: string | undefined;
  /** If true, the page answers all clients that can reach the port; if false, only this machine. Default: false. */
  readonly everyone?: boolean | undefined;
  /** If false, the plugin does nothing when `NODE_ENV` is `production`. Default: false. */
  readonly inProduction?: boolean | undefined;
  /**
   * If true, this plugin does not serve the page. Add its member `page` to another application, for example on a
   * separate port. Default: false.
   */
  readonly apart?: boolean | undefined;
}

/**
 * The plugin. Its member `page` is a plugin that serves the page in another application. If several applications have
 * the trace, `page` shows the application that was composed last.
 */
export interface Trace extends Plugin {
  readonly page: Plugin;
}

/**
 * Returns a plugin that records every request of the application, except requests for its page and probes of `health`.
 * The page shows the last fifty requests, or fewer if they need more than 16 MiB. Make the plugin the first one, because
 * it records only the stages after its own stage. It hides the values of headers, query parameters and members of JSON
 * with well-known names, such as `Cookie` and `password` (D93). Use it only for development. Throws a `TypeError` for an
 * unknown option and for a path that does not end in `/trace`.
 *
 *     const app = application([trace(), todo()]); // open http://127.0.0.1:8080/trace
 */
export function trace(options: TraceOptions = {}): Trace {
  assertOptions('make a trace', options, ['path', 'everyone', 'inProduction', 'apart']);
  const { path = '/trace', everyone = false, inProduction = false, apart = false } = options;
  if (!/^(?:\/[\w.~-]+)*\/trace$/.test(path)) {
    const cause = 'its last segment is not "trace"; use a path such as /trace or /internal/trace';
    throw new TypeError(`Cannot show the trace at ${JSON.stringify(path)}: ${cause}`);
  }
  if (process.env['NODE_ENV'] === 'production' && !inProduction) return { name: 'trace', page: { name: 'trace' } };
  const segments = prefixSegments(path);
  const isOfPage = (context: Context): boolean => pathBelow(context, segments) !== undefined;
  const prefix = path.slice(0, -'/trace'.length);
  let lastPage: Handler | undefined;
  const answeringBy = (page: () => Handler | undefined): Stage =>
    function traceAnswers(context, next) {
      const answer = isOfPage(context) ? page() : undefined;
      return (answer ?? next)(context);
    };
  return {
    name: 'trace',
    parts({ routes }) {
      const requests = new LastRequests();
      const skips = apart ? undefined : isOfPage;
      const done = (recording: Recording, context: Context): void => {
        if (!probeSlot.find(context)) requests.add(recording);
      };
      const recorder = new Recorder('trace', routes, done, skips);
      const plugin = tracePage(recorder, requests, everyone);
      // The page is a separate application, so that the trace does not list the routes of the page.
      const page = application([prefix === '' ? plugin : mounted(prefix, plugin)]).handler;
      lastPage = page;
      return { ...recorder.parts, ...(!apart && { stages: [answeringBy(() => page)] }) };
    },
    page: { name: 'trace', stages: [answeringBy(() => lastPage)] },
  };
}
