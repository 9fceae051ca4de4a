/** Shows the last requests of an application, and what each of its stations did: `todo-item-service/trace`. */
import { assertOptions } from '../../extending.ts';
import {
  type Context,
  application as composed,
  type ListenerOptions,
  mounted,
  type Plugin,
  type RunnableApplication,
} from '../../index.ts';
import type { Answering } from '../../instrument.ts';
import { copyMadeBy } from './copy.ts';
import { LastRequests } from './last-requests.ts';
import { Recorder } from './recorder.ts';
import { tracePage } from './trace-page.ts';

/** Where the page is, whom it answers, and what requests are sent again to. */
export interface TraceOptions {
  /** Where the page is, behind the base path: ends in `/trace`, which is the default. */
  readonly path?: string | undefined;
  /** Answers everyone who reaches the port; without it this machine alone. */
  readonly everyone?: boolean | undefined;
  /** Is there where `NODE_ENV` is `production`, too. Without it the plugin does nothing there. */
  readonly inProduction?: boolean | undefined;
  /**
   * Makes another application of the same plugins, with stores of its own: the page sends edited requests to it, and
   * changes the order of its stages. The trace starts and stops it. Without it the page only shows.
   */
  readonly copy?: (() => RunnableApplication | Promise<RunnableApplication>) | undefined;
  /** Leaves the page to another application, as that of a port for operators: it is given the plugin `page`. */
  readonly apart?: boolean | undefined;
  /** The limits of the copy. */
  readonly limits?: ListenerOptions['limits'] | undefined;
}

/** The plugin, and its page for another application. */
export interface Trace extends Plugin {
  readonly page: Plugin;
}

/**
 * The plugin that records every request of the application and shows the last of them, at most fifty in 16 MiB. It
 * stands in front of all stages, wherever it is in the list, and is no part of what it shows: requests for the page are
 * not recorded. Credentials, cookies and declared API keys are hidden (D93). A recorded request takes 0.1 to 0.4 ms
 * more: it is for development. Throws a `TypeError` for an unknown option and for a path that does not end in `/trace`.
 *
 *     const app = application([trace(), todo()]); // open http://127.0.0.1:8080/trace
 */
export function trace(options: TraceOptions = {}): Trace {
  assertOptions('make a trace', options, ['path', 'everyone', 'inProduction', 'copy', 'apart', 'limits']);
  const { path = '/trace', everyone = false, inProduction = false, copy: make, apart = false, limits = {} } = options;
  if (!/^(?:\/[\w.~-]+)*\/trace$/.test(path)) {
    const cause = 'its last segment is not "trace"; give a path such as /trace or /internal/trace';
    throw new TypeError(`Cannot show the trace at ${JSON.stringify(path)}: ${cause}`);
  }
  if (process.env['NODE_ENV'] === 'production' && !inProduction) return { name: 'trace', page: { name: 'trace' } };
  const requests = new LastRequests();
  const recorder = new Recorder((recording) => requests.add(recording));
  const copy = make && copyMadeBy(make, limits);
  const prefix = path.slice(0, -'/trace'.length);
  let page: Answering | undefined;
  // They are taken at once: what this returns becomes those of the application.
  const besidePage = ({ handler, refuse }: Answering): Answering => {
    const pageFor = ({ path: asked }: Context) => (isBelow(asked, path) ? page : undefined);
    return {
      handler: (context) => (pageFor(context)?.handler ?? handler)(context),
      refuse: (context, problem) => (pageFor(context)?.refuse ?? refuse)(context, problem),
    };
  };
  return {
    name: 'trace',
    instrument: recorder,
    wrap(application) {
      const recorded = recorder.servable(application);
      const plugin = tracePage({ application, requests, copy, everyone });
      page = composed([prefix === '' ? plugin : mounted(prefix, plugin)]);
      return apart ? recorded : besidePage(recorded);
    },
    page: { name: 'trace', wrap: besidePage },
    stop: () => copy?.reset(),
  };
}

/** Routes ignore case, so this does. */
function isBelow(asked: string, path: string): boolean {
  const folded = asked.slice(0, path.length + 1).toLowerCase();
  return folded === path.toLowerCase() || folded === `${path.toLowerCase()}/`;
}
