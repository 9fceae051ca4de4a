/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * A request passes the outer stages of all plugins, then `problems`, the other stages of all plugins, and `routing`,
 * which calls the route that matches. If no route matches, the last stage, `unanswered`, answers with a 404.
 */

import { loggingTo } from '../message/error-log.ts';
import { problemReply } from '../message/problem.ts';
import { unanswered } from '../message/unanswered.ts';
import { chain, type NamedStage } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import type { Stage } from '../pipeline/stage.ts';
import { routing } from '../routing/routing.ts';
import { hostCheck } from '../wire/allowed-hosts.ts';
import { requester, type SentRequest } from '../wire/in-memory.ts';
import type { RefusalHandler, Servable } from '../wire/served.ts';
import { assertBasePath } from '../wire/served.ts';
import { forwardingBy } from '../wire/trusted-proxy.ts';
import {
  type ApplicationOptions,
  assertApplicationOptions,
  type StageOrigin,
  stageSubject,
} from './application-options.ts';
import { lifecycleOf, refusals } from './lifecycle.ts';
import { mountedStage } from './mounted.ts';
import { type Application, assertPlugins, type Plugin } from './plugin.ts';
import { routesOfPlugins } from './plugin-routes.ts';

/**
 * Composes the plugins. Throws a `PluginError` for a value that is not a plugin, for two plugins of one name and for
 * routes that cannot be added, with their mistakes as its cause; a `TypeError` for an option that cannot be used; and
 * what `composed` of a route or a plugin throws.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  assertApplicationOptions(options);
  assertPlugins(plugins);
  const { basePath, log, newRequestId, warn, allowedHosts = [], trustedProxies = [] } = options;
  const { unanswered: last = unanswered } = options;
  if (basePath !== undefined) assertBasePath(basePath);
  if (typeof last !== 'function')
    throw new TypeError('Cannot compose an application: its "unanswered" is no function; give (context) => reply');

  const instruments = [...plugins, options].flatMap(({ instrument }) => instrument ?? []);
  const routes = routesOfPlugins(plugins, instruments, warn);

  /** Puts the instruments around a stage, and the prefix of its plugin around both. Errors name it by its origin. */
  const placed = (declared: Stage, origin: StageOrigin, prefix?: string): NamedStage => {
    const watched = instruments.reduce((one, around) => around.stage?.(one, origin) ?? one, declared);
    const stage = prefix === undefined ? watched : mountedStage(prefix, watched);
    return { stage, name: () => stageSubject(origin) };
  };
  const stagesOf = (member: 'outerStages' | 'stages', kind: string): readonly NamedStage[] =>
    plugins.flatMap(({ name: plugin, prefix, [member]: stages = [] }) =>
      stages.map((stage, at) => placed(stage, { name: stage.name, plugin, place: `${kind} ${at + 1}` }, prefix)),
    );
  const outerStages = stagesOf('outerStages', 'outer stage');
  const stages = [
    ...outerStages,
    placed(problems(log), { name: 'problems' }),
    ...stagesOf('stages', 'stage'),
    placed(routing(routes), { name: 'routing' }),
    placed(last, { name: 'unanswered' }),
  ];

  const forwarding = forwardingBy(trustedProxies);
  const lifecycle = lifecycleOf(plugins);
  const composed: RunnableApplication = {
    plugins,
    options,
    routes,
    basePath,
    log,
    newRequestId,
    forwarding,
    handler: loggingTo(log, chain(stages)),
    refuse(context, { status, message, extra }) {
      const problem: Stage = (passed) => problemReply(passed, status, message, extra);
      return loggingTo(log, chain([...outerStages, { stage: problem, name: () => 'the refusal' }]))(context);
    },
    answersHost: hostCheck(allowedHosts, forwarding),
    assertLimits(limits) {
      for (const route of routes) route.assertLimits?.(limits);
    },
    refused: refusals(plugins, warn),
    start: () => lifecycle.start(composed),
    beginStop: lifecycle.beginStop,
    stop: lifecycle.stop,
    whenStopping: lifecycle.whenStopping,
    get stopping() {
      return lifecycle.stopping;
    },
    request: requester(() => composed),
  };
  return composed;
}

/** An application that can be started and served. */
export interface RunnableApplication extends Application, Omit<Servable, keyof Application> {
  /** The plugins and the options of this application. With an instrument, they make an application that is watched. */
  readonly plugins: readonly Plugin[];
  readonly options: ApplicationOptions;
  /** Answers a request that was refused before the stages: with a problem that passes the outer stages. */
  readonly refuse: RefusalHandler;
  /**
   * Starts the plugins in order. Where one fails, stops the started ones and rejects with an error that names it. Until
   * `stop` is called, further calls start nothing and return the same promise.
   */
  start(): Promise<void>;
  /**
   * Aborts `stopping`: open streams end, and plugins can close the connections that they have taken. Call it before you
   * close the service. `stop` calls it too.
   */
  beginStop(): void;
  /**
   * Ends open streams, then stops the plugins in reverse order. `time` limits the milliseconds for all plugins
   * together; without it they may take any time. A plugin that takes longer is reported to standard error, and the next
   * one is stopped. Rejects with an `AggregateError`, after all plugins, if a plugin fails to stop.
   */
  stop(time?: number): Promise<void>;
  /**
   * Sends a request without a socket, for tests: to a path, with the base path, or to an absolute URL; or a `Request`,
   * as `fetch` does. The members of `init` replace those of the `Request`. Its body is sent with its length. The
   * request passes the parser, the validation, all stages and the writer, with the default limits, but any
   * `maxBodyMemory`. Plugins need not be started unless their requests need it. The promise is fulfilled at the head of
   * the reply. A client that cancels the body, or aborts the signal, has left. Rejects where the connection is closed
   * without a reply.
   *
   *     const made = await app.request('/api/todo', { method: 'POST', json: { name: 'New' } });
   *     assert.equal(made.status, 201);
   */
  request(target: string | URL | Request, init?: SentRequest): Promise<Response>;
}
