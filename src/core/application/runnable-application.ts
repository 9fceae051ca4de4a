/** Declares the options of an application, and what an embedding program has of it once it is composed. */
import type { IncomingMessage } from 'node:http';
import { thrownMessage } from '../log/thrown-value.ts';
import type { Handler } from '../message/context.ts';
import type { ErrorLog } from '../message/problem.ts';
import type { Instrument } from '../operations/instrument.ts';
import type { ProblemFormat } from '../operations/operation/problem-format.ts';
import type { OperationSettings } from '../operations/routes/operation-settings.ts';
import { namedStage, type Pipeline } from '../pipeline/stage.ts';
import { StopController } from '../wire/connection/closing.ts';
import type { RefusalHandler } from '../wire/connection/exchange.ts';
import type { Limits } from '../wire/connection/limits.ts';
import type { SentRequest } from '../wire/in-memory.ts';
import type { ForwardedFamily } from '../wire/trusted-proxy.ts';
import type { Application, Plugin } from './plugin.ts';

/** The settings that hold for all plugins and for the server. Each is given here, once. */
export interface ApplicationOptions extends OperationSettings {
  /** The path in front of all others, as `/tools`; links and the description begin with it; none by default (D16). */
  readonly basePath?: string;
  /**
   * The hosts that are answered, with a port or with any; a request that names another is 421, before any stage. All
   * unless given. `localhost` is every loopback name, such as 127.0.0.1 (D43).
   */
  readonly allowedHosts?: readonly string[];
  /** Addresses and ranges of the proxies whose `X-Forwarded-*` headers are used; none by default (D18). */
  readonly trustedProxies?: readonly string[];
  /** The headers that these proxies write: `x-forwarded` unless given. */
  readonly forwardedHeaders?: ForwardedFamily;
  /** Answers what no stage and no route answers; by default a problem with 404 does. */
  readonly unanswered?: Handler;
  /** Writes problems otherwise than RFC 9457 does; `problemFormat(…)` makes it. */
  readonly problems?: ProblemFormat;
  /** Is called with the cause of every 500. Default: writes it to standard error. */
  readonly log?: ErrorLog;
  /** Makes the ids of requests that bring none, to be known beforehand in a test; unique in a service (D10). */
  readonly newRequestId?: () => string;
  /** Is given a line for each declaration that is allowed but probably a mistake. Unless given, the line is logged. */
  readonly warn?: (line: string) => void;
  /** Is put around routes and operations, by programs that watch or time what they do. */
  readonly instrument?: Instrument | undefined;
}

/** An application that can be started and served. */
export interface RunnableApplication extends Application {
  /** Every stage, in the order in which a request passes them. */
  readonly stages: Pipeline;
  /** The plugin of each stage, in the same order. */
  readonly stageOrigins: readonly StageOrigin[];
  readonly handler: Handler;
  /** Answers a request that was refused before the stages: with a problem that passes the outer stages. */
  readonly refuse: RefusalHandler;
  /** Is the request for a host that is answered? Undefined where all are. */
  readonly answersHost: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` that names an operation whose body, within its limit, can never fit into `maxBodyMemory`. */
  readonly assertLimits: (limits: Limits) => void;
  readonly log: ErrorLog | undefined;
  /** Calls `begin` when the application begins to stop: what serves it ends its open streams then. */
  readonly whenStopping: (begin: () => void) => void;
  readonly newRequestId: (() => string) | undefined;
  /**
   * Starts the plugins in order. Where one fails, stops the started ones and rejects with an error that names it. Until
   * `stop` is called, further calls start nothing and return the same promise.
   */
  start(): Promise<void>;
  /**
   * Ends open streams, then stops the plugins in reverse order. Rejects with an `AggregateError` after all of them,
   * where any failed, or has not stopped within `time`: milliseconds for all together, any unless given.
   */
  stop(time?: number): Promise<void>;
  /**
   * Sends a request without a socket, for tests: to a path, with the base path, or to an absolute URL. It passes the
   * parser, the validation, all stages and the writer, with the default limits, but any `maxBodyMemory`. Plugins
   * need not be started unless their requests need it. The promise is fulfilled at the head of the reply. A client that
   * cancels the body, or aborts the signal, has left. Rejects where the connection is closed without a reply.
   *
   *     const made = await app.request('/api/todo', { method: 'POST', json: { name: 'New' } });
   *     assert.equal(made.status, 201);
   */
  request(target: string | URL, init?: SentRequest): Promise<Response>;
}

/** What a plugin has to stop when the time of all is over, in milliseconds. */
const MIN_TIME = 100;

type Lifecycle = Pick<RunnableApplication, 'stop' | 'stopping' | 'whenStopping'> & {
  start(application: Application): Promise<void>;
};

/** `start` and `stop` of an application with these plugins, and the signal of its stop. */
export function lifecycleOf(plugins: readonly Plugin[]): Lifecycle {
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
      try {
        await stopWithin(plugin, Math.max(deadline - performance.now(), MIN_TIME));
      } catch (error) {
        const reason = thrownMessage(error);
        errors.push(new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${reason}`, { cause: error }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  return {
    // Once until it is stopped: a second start would open twice what the plugins open.
    start: (application) => (starting ??= startAll(application)),
    stop,
    whenStopping(begin) {
      if (stopping.signal.aborted) begin();
      else stopping.signal.addEventListener('abort', begin, { once: true });
    },
    get stopping() {
      return stopping.signal;
    },
  };
}

/** Stops the plugin. Rejects where that takes longer than `time` milliseconds: the others are to be stopped too. */
async function stopWithin(plugin: Plugin, time: number): Promise<void> {
  if (time === Infinity) return plugin.stop?.();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it has not stopped in the time that a stop may take')), time);
  });
  try {
    await Promise.race([plugin.stop?.(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of its function; empty when it has none. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems` and `routing`, which every application has. */
  readonly plugin?: string;
  /** Its place in the list of that plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string;
}

/** The origins of all stages of an application, in the order of `application`. */
export function originsOf(plugins: readonly Plugin[]): readonly StageOrigin[] {
  const originsIn = (plugin: string, stages: Pipeline, kind: string): StageOrigin[] =>
    stages.map(({ name }, at) => ({ name, plugin, place: `${kind} ${at + 1}` }));
  const outer = plugins.flatMap(({ name, outerStages = [] }) => originsIn(name, outerStages, 'outer stage'));
  const inner = plugins.flatMap(({ name, stages = [] }) => originsIn(name, stages, 'stage'));
  return [...outer, { name: 'problems' }, ...inner, { name: 'routing' }];
}

/** The stages, each named in error messages by its origin. */
export const namedStages = (stages: Pipeline, origins: readonly StageOrigin[]): Pipeline =>
  stages.map((stage, at) => namedStage(stage, stageSubject(origins[at]!)));

/** The stage in a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** The stage as a subject: `The stage "served" of the plugin "even"`, `Stage 2 of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? place.replace(/^./, (letter) => letter.toUpperCase()) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
