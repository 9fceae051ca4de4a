/** Declares the options of an application, and the instrument that watches its stages and routes. */
import type { Handler } from '../message/context.ts';
import type { ErrorLog } from '../message/error-log.ts';
import { capitalised } from '../message/text.ts';
import { assertOptions } from '../options/assert-options.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { Route } from '../routing/route.ts';

/** The settings that hold for all plugins and for the server. Each is given here, once. */
export interface ApplicationOptions {
  /** The path in front of all others, as `/tools`; every link begins with it; none by default (D16). */
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
  'basePath',
  'trustedProxies',
  'allowedHosts',
  'unanswered',
  'log',
  'newRequestId',
  'warn',
  'instrument',
] as const;

/** What earlier versions had here, and what plugins have in its place. */
const MOVED = {
  naming: 'operations({ naming })',
  security: 'operations({ security })',
  strictQuery: 'operations({ strictQuery })',
  problems: 'operations({ problems })',
  authenticators: 'a plugin that offers them',
};

/** Throws a `TypeError` for a member that is not an option, with the way to say the same. */
export function assertApplicationOptions(options: ApplicationOptions): void {
  const moved = Object.entries(MOVED).find(([name]) => Object(options)[name] !== undefined);
  if (moved !== undefined) {
    const [name, plugin] = moved;
    throw new TypeError(
      `Cannot compose an application with the option "${name}": it belongs to a plugin; add ${plugin} to the list`,
    );
  }
  assertOptions('compose an application', options, APPLICATION_OPTIONS);
}

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of its function; empty for a function without a name. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems`, `routing` and `unanswered`, which every application has. */
  readonly plugin?: string | undefined;
  /** Its place in the list of that plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string | undefined;
}

/**
 * Watches or times the parts of an application. Each function is called once for each stage and each route, in their
 * order, while the application is composed. What it returns takes the place of the stage or the route.
 *
 *     const timed: Instrument = {
 *       route: (route, plugin) => ({
 *         ...route,
 *         async handle(input) {
 *           const started = performance.now();
 *           const reply = await route.handle(input);
 *           console.log(plugin, route.template.text, reply.status, performance.now() - started);
 *           return reply;
 *         },
 *       }),
 *     };
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const { handler } = application([hello], { instrument: timed });
 */
export interface Instrument {
  /** A stage of a plugin, or of every application. A stage of a mounted plugin sees the path below the prefix. */
  readonly stage?: ((stage: Stage, origin: StageOrigin) => Stage) | undefined;
  /**
   * A route, complete. Its template, method and name must stay as they are. `handle` stands behind the `stages` of
   * the route.
   */
  readonly route?: ((route: Route, plugin: string) => Route) | undefined;
}

/** The stage in a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** The stage as a subject: `The stage "served" of the plugin "even"`, `Stage 2 of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? capitalised(place) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
