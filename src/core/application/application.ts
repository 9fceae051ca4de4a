/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * The outer stages of all plugins come first, then `problems`, then the other stages of all plugins in the order of the
 * list, then the stage that routes. A request that no stage answers gets a 404.
 */

import type { Context, Handler } from '../message/context.ts';
import { headerFault } from '../message/headers/reply-headers.ts';
import { type ErrorLog, logToConsole, type ProblemWriter, problemReply, report } from '../message/problem.ts';
import { readyReply } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { recordOf } from '../message/request-record.ts';
import type { ProblemFormat } from '../operations/operation/problem-format.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import { unanswered } from '../pipeline/unanswered.ts';
import { routing } from '../routing/routing.ts';
import { hostCheck } from '../wire/allowed-hosts.ts';
import type { RefusalHandler } from '../wire/connection/exchange.ts';
import { requester } from '../wire/in-memory.ts';
import { forwardingBy } from '../wire/trusted-proxy.ts';
import type { Plugin } from './plugin.ts';
import { limitsCheck, routesOfPlugins } from './plugin-routes.ts';
import { assertPlugins } from './plugin-shape.ts';
import {
  type ApplicationOptions,
  lifecycleOf,
  namedStages,
  originsOf,
  type RunnableApplication,
} from './runnable-application.ts';

/**
 * Composes the plugins. Throws a `PluginError` for a value that is no plugin, for two plugins of one name and for
 * routes that cannot be added, with their mistakes as its cause; a `TypeError` for a Location that leads nowhere.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  assertPlugins(plugins, options);
  const { naming = 'camelCase', basePath, log, newRequestId, problems: format } = options;
  const { allowedHosts = [], trustedProxies = [], forwardedHeaders = 'x-forwarded' } = options;
  const routes = routesOfPlugins(plugins, options);
  const outer = plugins.flatMap((plugin) => plugin.outerStages ?? []);
  const inner = plugins.flatMap((plugin) => plugin.stages ?? []);
  const stageOrigins = originsOf(plugins);
  const stages = namedStages([...outer, problems(log), ...inner, routing(routes)], stageOrigins);

  const written = writingProblems(format, log);
  const lifecycle = lifecycleOf(plugins);
  const forwarding = forwardingBy(trustedProxies, forwardedHeaders);
  const composed: RunnableApplication = {
    ...{ routes, stages, stageOrigins, naming, basePath, log, newRequestId, forwarding, problems: format },
    handler: written(pipeline(stages, checkedUnanswered(options.unanswered))),
    refuse: written(refuseThrough(stages.slice(0, outer.length))),
    ...{ answersHost: hostCheck(allowedHosts, forwarding), assertLimits: limitsCheck(routes) },
    get stopping() {
      return lifecycle.stopping;
    },
    start: () => lifecycle.start(composed),
    ...{ stop: lifecycle.stop, whenStopping: lifecycle.whenStopping },
    request: requester(() => composed),
  };
  return composed;
}

/** Answers refused requests with a problem that passes these stages. */
const refuseThrough =
  (outer: Pipeline): RefusalHandler =>
  (context, { status, message, extra }) =>
    pipeline(outer, (refused) => problemReply(refused, status, message, extra))(context);

/** The end of the stages: the given handler, whose replies are checked, or the 404. */
const checkedUnanswered = (own: Handler | undefined): Handler =>
  own === undefined
    ? unanswered
    : (context) =>
        readyReply(own(context), context, (name: string) => name, 'the handler "unanswered" of the application');

type Answerer<More extends unknown[]> = (context: Context, ...more: More) => Reply | Promise<Reply>;

/**
 * Makes a function that puts the format into each request which the given handler gets. Without a format it returns the
 * handler itself. Throws a `TypeError` for a media type that no header can carry.
 */
function writingProblems(format: ProblemFormat | undefined, log: ErrorLog = logToConsole) {
  const write = format === undefined ? undefined : writerOf(format, log);
  return <More extends unknown[]>(handler: Answerer<More>): Answerer<More> =>
    write === undefined
      ? handler
      : (context, ...more) => {
          const record = recordOf(context);
          if (record !== undefined) record.writeProblem = write;
          return handler(context, ...more);
        };
}

function writerOf({ mediaType, write }: ProblemFormat, log: ErrorLog): ProblemWriter {
  if (!/^[\w.+-]+\/[\w.+-]*json\b/.test(mediaType) || headerFault('Content-Type', mediaType) !== undefined)
    throw new TypeError(
      `Cannot write problems as ${JSON.stringify(mediaType)}: it is no media type of JSON; give one such as application/json`,
    );
  return (problem, context) => {
    try {
      const body = JSON.stringify(write(problem, context)) as string | undefined;
      if (body === undefined)
        throw new TypeError('Cannot write the problem: what "write" returned is no value of JSON');
      return { mediaType, body };
    } catch (error) {
      report(error, context, log);
      return undefined;
    }
  };
}
