/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * The outer stages of all plugins come first, then `problems`, then the other stages of all plugins in the order of the
 * list, then the stage that routes. A request that no stage answers gets a 404.
 */

import { problemReply } from '../message/problem.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import type { Pipeline } from '../pipeline/stage.ts';
import { routing } from '../routing/routing.ts';
import { requester } from '../wire/in-memory/requester.ts';
import type { RefusalHandler } from '../wire/listener-options.ts';
import { hostCheck } from '../wire/proxy/allowed-hosts.ts';
import { forwardingBy } from '../wire/proxy/trusted-proxy.ts';
import { serverOf } from '../wire/service.ts';
import { assertPlugins } from './checks/plugin-shape.ts';
import { checkedUnanswered, writingProblems } from './own-answers.ts';
import type { Plugin } from './plugin.ts';
import { lifecycleOf } from './plugin-lifecycle.ts';
import { limitsCheck, routesOfPlugins } from './plugin-routes.ts';
import type { ApplicationOptions, RunnableApplication } from './runnable-application.ts';
import { namedStages, originsOf } from './stage-origin.ts';

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
    request: requester(() => composed, serverOf),
  };
  return composed;
}

/** Answers refused requests with a problem that passes these stages. */
export const refuseThrough =
  (outer: Pipeline): RefusalHandler =>
  (context, { status, message, extra }) =>
    pipeline(outer, (refused) => problemReply(refused, status, message, extra))(context);
