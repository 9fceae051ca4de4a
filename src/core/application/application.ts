/**
 * Composes plugins into one application and decides the order of its stages.
 *
 * The outer stages of all plugins come first, then `problems`, then the other stages of all plugins in the order of the
 * list, then the stage that routes. A request that no stage answers gets a 404.
 */
import { logError } from '../log/log-line.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import type { Context, Handler } from '../message/context.ts';
import { type ErrorLog, problemReply } from '../message/problem.ts';
import { readyReply } from '../message/ready-reply.ts';
import { recordOf } from '../message/request-record.ts';
import { capitalised } from '../message/text.ts';
import { type ProblemFormats, problemWriter } from '../operations/operation/problem-format.ts';
import type { OperationSettings } from '../operations/routes/operation-routes.ts';
import { assertOptions } from '../options/assert-options.ts';
import { pipeline, unanswered } from '../pipeline/pipeline.ts';
import { problems } from '../pipeline/problems.ts';
import { namedStage, type Pipeline, type Stage } from '../pipeline/stage.ts';
import { routing } from '../routing/routing.ts';
import { hostCheck } from '../wire/allowed-hosts.ts';
import { StopController } from '../wire/connection/closing.ts';
import type { RefusalHandler, Servable } from '../wire/connection/exchange.ts';
import { requester, type SentRequest } from '../wire/in-memory.ts';
import { assertBasePath } from '../wire/listener.ts';
import { forwardingBy } from '../wire/trusted-proxy.ts';
import type { Instrument, StageOrigin } from './instrument.ts';
import { mountedStage } from './mounted.ts';
import { type Application, assertPlugins, type Plugin } from './plugin.ts';
import { limitsCheck, routesOfPlugins } from './plugin-routes.ts';
import { refusals } from './refusals.ts';

/**
 * Composes the plugins. Throws a `PluginError` for a value that is no plugin, for two plugins of one name and for
 * routes that cannot be added, with their mistakes as its cause; a `TypeError` for a Location that leads nowhere.
 */
export function application(plugins: readonly Plugin[], options: ApplicationOptions = {}): RunnableApplication {
  assertOptions('compose an application', options, APPLICATION_OPTIONS);
  assertPlugins(plugins);
  const { naming = 'camelCase', basePath, log, newRequestId, problems: format, unanswered: own } = options;
  if (basePath !== undefined) assertBasePath(basePath);
  if (own !== undefined && typeof own !== 'function')
    throw new TypeError('Cannot compose an application: its "unanswered" is no function; give (context) => reply');
  const { allowedHosts = [], trustedProxies = [] } = options;
  const instruments = [...plugins.map((plugin) => plugin.instrument), options.instrument].filter(
    (one) => one !== undefined,
  );
  const routes = routesOfPlugins(plugins, { ...options, instruments });
  const outer = stagesOf(plugins, 'outerStages', 'outer stage');
  const placed: readonly PlacedStage[] = [
    ...outer,
    [problems(log), { name: 'problems' }],
    ...stagesOf(plugins, 'stages', 'stage'),
    [routing(routes), { name: 'routing' }],
  ];
  const stages = placed.map(([declared, origin, prefix]) => {
    const stage = instruments.reduce((one, around) => around.stage?.(one, origin) ?? one, declared);
    const inPlace = prefix === undefined ? stage : mountedStage(prefix, stage);
    return namedStage(inPlace, stageSubject(origin), stage);
  });
  const end: Handler = own
    ? (context) => readyReply(own(context), context, () => 'the handler "unanswered" of the application')
    : unanswered;
  const writeProblem = format && problemWriter(format, 'the application', log);
  const formatted = (context: Context): Context => {
    const record = recordOf(context);
    if (record !== undefined) record.writeProblem = writeProblem;
    return context;
  };
  const handle = pipeline(stages, end);
  const lifecycle = lifecycleOf(plugins);
  const forwarding = forwardingBy(trustedProxies);
  const composed: RunnableApplication = {
    ...{ plugins, options, routes, stages, naming, basePath, log, newRequestId, forwarding, problems: format },
    handler: format ? (context) => handle(formatted(context)) : handle,
    refuse: (context, { status, message, extra }) =>
      pipeline(stages.slice(0, outer.length), (last) => problemReply(last, status, message, extra))(
        format ? formatted(context) : context,
      ),
    ...{ answersHost: hostCheck(allowedHosts, forwarding), assertLimits: limitsCheck(routes) },
    refused: refusals(plugins, options.warn),
    get stopping() {
      return lifecycle.stopping;
    },
    start: () => lifecycle.start(composed),
    ...{ beginStop: lifecycle.beginStop, stop: lifecycle.stop, whenStopping: lifecycle.whenStopping },
    request: requester(() => composed),
  };
  return composed;
}

type PlacedStage = readonly [stage: Stage, origin: StageOrigin, prefix?: string | undefined];

const stagesOf = (plugins: readonly Plugin[], member: 'stages' | 'outerStages', kind: string): PlacedStage[] =>
  plugins.flatMap(({ name: plugin, prefix, [member]: stages = [] }) =>
    stages.map((stage, at): PlacedStage => [stage, { name: stage.name, plugin, place: `${kind} ${at + 1}` }, prefix]),
  );

/** The settings that hold for all plugins and for the server. Each is given here, once. */
export interface ApplicationOptions extends OperationSettings {
  /** The path in front of all others, as `/tools`; links and the description begin with it; none by default (D16). */
  readonly basePath?: string | undefined;
  /**
   * The hosts that are answered, with a port or with any; a request that names another is 421, before any stage. All
   * unless given. `localhost` is every loopback name, such as 127.0.0.1 (D43).
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Addresses and ranges of the proxies whose `X-Forwarded-*` headers are used; none by default (D18). */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Answers what no stage and no route answers; by default a problem with 404 does. */
  readonly unanswered?: Handler | undefined;
  /** Writes problems otherwise than RFC 9457 does; `problemFormat(…)` makes it. `Accept` chooses one of a list. */
  readonly problems?: ProblemFormats | undefined;
  /** Is called with the cause of every 500. Default: writes it to standard error. */
  readonly log?: ErrorLog | undefined;
  /** Makes the ids of requests that bring none, to be known beforehand in a test; unique in a service (D10). */
  readonly newRequestId?: (() => string) | undefined;
  /** Is given a line for each declaration that is allowed but probably a mistake. Unless given, the line is logged. */
  readonly warn?: ((line: string) => void) | undefined;
  /** Is put around stages and routes, by programs that watch or time what they do. */
  readonly instrument?: Instrument | undefined;
}

/** The names of the options of an application. */
export const APPLICATION_OPTIONS = [
  ...(['naming', 'security', 'authenticators', 'basePath', 'trustedProxies'] as const),
  ...(['allowedHosts', 'unanswered', 'problems', 'log', 'newRequestId', 'warn', 'instrument', 'strictQuery'] as const),
] as const;

/** An application that can be started and served. */
export interface RunnableApplication extends Application, Omit<Servable, keyof Application> {
  /** The plugins and the options of this application. With an instrument, they make an application that is watched. */
  readonly plugins: readonly Plugin[];
  readonly options: ApplicationOptions;
  /** Every stage, in the order in which a request passes them. */
  readonly stages: Pipeline;
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

/** What a plugin has to stop when the time of all is over, in milliseconds. */
const MIN_TIME = 100;

/** `start` and `stop` of an application with these plugins, and the signal of its stop. */
function lifecycleOf(plugins: readonly Plugin[]) {
  const started: Plugin[] = [];
  let stopping = new StopController();
  let starting: Promise<void> | undefined;

  async function startAll(application: Application): Promise<void> {
    if (stopping.signal.aborted) stopping = new StopController();
    for (const plugin of plugins) {
      try {
        await plugin.start?.(application);
      } catch (error) {
        await stop().catch(() => {});
        throw new Error(`Cannot start the plugin "${plugin.name}": ${thrownMessage(error)}`, { cause: error });
      }
      started.push(plugin);
    }
  }

  async function stop(time = Infinity): Promise<void> {
    starting = undefined;
    stopping.abort();
    const deadline = performance.now() + time;
    const errors: unknown[] = [];
    for (const plugin of started.splice(0).reverse()) {
      let timer: NodeJS.Timeout | undefined;
      // The other plugins are to be stopped too.
      const late = new Promise<void>((resolve) => {
        const tooLate = (): void => {
          logError(new Error(`Cannot wait longer for the plugin "${plugin.name}": a stop may not take more time`));
          resolve();
        };
        if (time < Infinity) timer = setTimeout(tooLate, Math.max(deadline - performance.now(), MIN_TIME));
      });
      try {
        await Promise.race([plugin.stop?.(), late]);
      } catch (error) {
        const reason = thrownMessage(error);
        errors.push(new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${reason}`, { cause: error }));
      } finally {
        clearTimeout(timer);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  return {
    // Once until it is stopped: a second start would open twice what the plugins open.
    start: (application: Application): Promise<void> => (starting ??= startAll(application)),
    beginStop: (): void => stopping.abort(),
    stop,
    whenStopping(begin: () => void): void {
      if (stopping.signal.aborted) begin();
      else stopping.signal.addEventListener('abort', begin, { once: true });
    },
    get stopping() {
      return stopping.signal;
    },
  };
}

/** The stage in a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** The stage as a subject: `The stage "served" of the plugin "even"`, `Stage 2 of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? capitalised(place) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
