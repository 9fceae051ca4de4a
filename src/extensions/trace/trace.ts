/** Shows the last requests of an application, and what each of its stations did: `todo-item-service/trace`. */

import { application } from '../../core/application/application.ts';
import { mounted } from '../../core/application/mounted.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { pathBelow, prefixSegments } from '../../core/message/path.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Pipeline } from '../../core/pipeline/stage.ts';
import { Recorder } from './recorder.ts';
import { LastRequests, tracePage } from './trace-page.ts';

/** Where the page is, and whom it answers. */
interface TraceOptions {
  /** Where the page is, behind the base path: ends in `/trace`, which is the default. */
  readonly path?: string | undefined;
  /** Answers everyone who reaches the port; without it this machine alone. */
  readonly everyone?: boolean | undefined;
  /** Is there where `NODE_ENV` is `production`, too. Without it the plugin does nothing there. */
  readonly inProduction?: boolean | undefined;
  /** Leaves the page to another application, as that of a port for operators: it is given the plugin `page`. */
  readonly apart?: boolean | undefined;
}

/** The plugin, and its page for another application. */
export interface Trace extends Plugin {
  readonly page: Plugin;
}

/**
 * The plugin that records every request of the application and shows the last of them, at most fifty in 16 MiB. It is
 * the first plugin of the list: it records what the stages behind its own do. Requests for the page are not recorded.
 * Credentials, cookies and declared API keys are hidden (D93). A recorded request takes 0.4 to 0.7 ms more: it is for
 * development. Throws a `TypeError` for an unknown option and for a path that does not end in `/trace`.
 *
 *     const app = application([trace(), todo()]); // open http://127.0.0.1:8080/trace
 */
export function trace(options: TraceOptions = {}): Trace {
  assertOptions('make a trace', options, ['path', 'everyone', 'inProduction', 'apart']);
  const { path = '/trace', everyone = false, inProduction = false, apart = false } = options;
  if (!/^(?:\/[\w.~-]+)*\/trace$/.test(path)) {
    const cause = 'its last segment is not "trace"; give a path such as /trace or /internal/trace';
    throw new TypeError(`Cannot show the trace at ${JSON.stringify(path)}: ${cause}`);
  }
  if (process.env['NODE_ENV'] === 'production' && !inProduction) return { name: 'trace', page: { name: 'trace' } };
  const requests = new LastRequests();
  const segments = prefixSegments(path);
  const isOfPage = (context: Context): boolean => pathBelow(context, segments) !== undefined;
  const recorder = new Recorder(
    'trace',
    (recording, secrets) => requests.add(recording, secrets),
    apart ? undefined : isOfPage,
  );
  const plugin = tracePage(recorder, requests, everyone);
  const prefix = path.slice(0, -'/trace'.length);
  // An application of its own: it has no part in the routes that it shows.
  const page = application([prefix === '' ? plugin : mounted(prefix, plugin)]);
  const stages: Pipeline = [
    function traceAnswers(context, next) {
      return isOfPage(context) ? page.handler(context) : next(context);
    },
  ];
  return { ...recorder.plugin, ...(!apart && { stages }), page: { name: 'trace', stages } };
}
