/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * A request passes the outer stages of all plugins, then `problems`, the other stages of all plugins, and `routing`,
 * which calls the matching route. If no route matches, the last stage, `unanswered`, answers with a 404.
 */

import { loggingTo } from '../http/error-log.ts';
import { problemReply } from '../http/problem.ts';
import { unanswered } from '../http/unanswered.ts';
import { assertOptions } from '../options/assert-options.ts';
import { chain, type NamedStage } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import type { Stage } from '../pipeline/stage.ts';
import { RouteCollection } from '../routing/route-collection.ts';
import { routing } from '../routing/routing.ts';
import { hostCheck } from '../server/allowed-hosts.ts';
import { requester, type SentRequest } from '../server/in-memory.ts';
import type { RefusalHandler, Servable } from '../server/served.ts';
import { assertBasePath } from '../server/served.ts';
import { forwardingBy } from '../server/trusted-proxy.ts';
import { APPLICATION_OPTIONS, type ApplicationOptions, type StageOrigin, stageSubject } from './application-options.ts';
import { newLifecycle, refusals } from './lifecycle.ts';
import { mountedStage } from './mounted.ts';
import { type Application, assertPlugins, type Plugin, withParts } from './plugin.ts';
import { addRoutes, constraintsOf, upgradesTo } from './plugin-routes.ts';

/**
 * Composes the plugins into an application. Throws a `PluginError` for a value that is not a plugin, for two plugins
 * with the same name, and for routes that cannot be added; its `cause` then has their mistakes. Throws a `TypeError`
 * for an invalid option. Also throws the errors of the `composed` functions of routes and plugins.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  assertOptions('compose an application', options, APPLICATION_OPTIONS);
  assertPlugins(plugins);
  const { basePath, log, newRequestId, warn, allowedHosts = [], trustedProxies = [] } = options;
  const { unanswered: last = unanswered } = options;
  if (basePath !== undefined) assertBasePath(basePath);
  if (typeof last !== 'function')
    throw new TypeError('Cannot compose an application: its "unanswered" is not a function; give (context) => reply');

  const routes = new RouteCollection({ constraints: constraintsOf(plugins) });
  const forwarding = forwardingBy(trustedProxies);
  const lifecycle = newLifecycle();
  const added = withParts(plugins, (prefix) => ({
    routes,
    prefix,
    basePath,
    forwarding,
    get stopping() {
      return lifecycle.stopping;
    },
  }));
  const instruments = [...added, options].flatMap(({ instrument }) => instrument ?? []);
  addRoutes(routes, added, instruments, warn);

  /** Wraps a stage in the instruments, then in the prefix of its plugin. Errors name the stage by its `origin`. */
  const wrapped = (declared: Stage, origin: StageOrigin, prefix?: string): NamedStage => {
    const watched = instruments.reduce((inner, around) => around.stage?.(inner, origin) ?? inner, declared);
    const stage = prefix === undefined ? watched : mountedStage(prefix, watched);
    return { stage, name: () => stageSubject(origin) };
  };
  const stagesOf = (member: 'outerStages' | 'stages', kind: string): readonly NamedStage[] =>
    added.flatMap(({ name: plugin, prefix, [member]: stages = [] }) =>
      stages.map((stage, at) => wrapped(stage, { name: stage.name, plugin, place: `${kind} ${at + 1}` }, prefix)),
    );
  const outerStages = stagesOf('outerStages', 'outer stage');
  const stages = [
    ...outerStages,
    wrapped(problems(log), { name: 'problems' }),
    ...stagesOf('stages', 'stage'),
    wrapped(routing(routes), { name: 'routing' }),
    wrapped(last, { name: 'unanswered' }),
  ];

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
    takesUpgrade: upgradesTo(routes, basePath),
    assertLimits(limits) {
      for (const route of routes) route.assertLimits?.(limits);
    },
    refused: refusals(added, warn),
    start: () => lifecycle.start(added),
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
  /** The arguments of `application(…)`. To watch the application, compose them again with an `instrument`. */
  readonly plugins: readonly Plugin[];
  readonly options: ApplicationOptions;
  /** Answers a request that was refused before it reached a stage. The problem passes the outer stages. */
  readonly refuse: RefusalHandler;
  /**
   * Starts the plugins in order. If a plugin fails, stops the started plugins and rejects with an error that names the
   * failed plugin. Until `stop` is called, further calls return the same promise.
   */
  start(): Promise<void>;
  /**
   * Aborts `stopping`: open streams end, and plugins can close their upgraded connections. Call this before you close
   * the service. `stop` calls it too.
   */
  beginStop(): void;
  /**
   * Ends open streams, then stops the plugins in reverse order. `time` limits the milliseconds for all plugins
   * together; by default there is no limit. A plugin that takes longer is reported to standard error, and the next
   * plugin is stopped. If a plugin fails to stop, the others are still stopped, and the promise rejects with an
   * `AggregateError`.
   */
  stop(time?: number): Promise<void>;
  /**
   * Sends a request without a socket, for tests. The target is a path with the base path, an absolute URL, or a
   * `Request` as for `fetch`. The members of `init` replace those of the `Request`. The body is sent with its length.
   * The request passes the parser, the validation, all stages and the writer. The default limits apply, except
   * `maxBodyMemory`. If the plugins must be started to answer, call `start` first. The promise is fulfilled with the
   * head of the reply, and rejects if the connection is closed without a reply. To disconnect, cancel the body or abort
   * the signal.
   *
   *     const reply = await app.request('/api/todo', { method: 'POST', json: { name: 'New' } });
   *     assert.equal(reply.status, 201);
   */
  request(target: string | URL | Request, init?: SentRequest): Promise<Response>;
}
