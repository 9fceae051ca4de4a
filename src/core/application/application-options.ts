/** Declares the options of an application, and the instrument that watches its stages and routes. */
import type { Handler } from '../http/context.ts';
import type { ErrorLog } from '../http/error-log.ts';
import { capitalised } from '../http/text.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { InnerHandler } from '../routing/composition.ts';
import type { Route } from '../routing/route.ts';

/** The options that apply to all plugins and to the server. */
export interface ApplicationOptions {
  /** The path in front of all other paths, such as `/tools`. Every link begins with it. None by default (D16). */
  readonly basePath?: string | undefined;
  /**
   * The hosts that the service accepts. An entry without a port accepts every port. A request for another host gets a
   * 421 before any stage. By default all hosts are accepted. `localhost` includes every loopback name, such as
   * 127.0.0.1 (D43).
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Addresses and ranges of the proxies whose `X-Forwarded-*` headers are used; none by default (D18). */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Answers requests that no stage and no route answers; by default with a 404 problem. */
  readonly unanswered?: Handler | undefined;
  /** Called with the cause of every 500. By default the cause is written to standard error. */
  readonly log?: ErrorLog | undefined;
  /**
   * Creates an id for each request without an id, and for each request that Node's parser refuses (D78). A test can use
   * it for predictable ids. Ids must be unique (D10).
   */
  readonly newRequestId?: (() => string) | undefined;
  /** Called with a line for each declaration that is allowed but probably a mistake. By default the line is logged. */
  readonly warn?: ((line: string) => void) | undefined;
  /** Wraps stages and routes, to watch or time them. */
  readonly instrument?: Instrument | undefined;
}

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

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of the function of the stage; empty for a function without a name. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems`, `routing` and `unanswered`, which every application has. */
  readonly plugin?: string | undefined;
  /** The place of the stage in the list of its plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string | undefined;
}

/**
 * Watches or times the parts of an application. Each function is called once for each stage, route or handler, in their
 * order, while the application is composed. Its result replaces the stage, the route or the handler.
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
  /** Wraps a stage of a plugin or of the application. A stage of a mounted plugin sees the path below the prefix. */
  readonly stage?: ((stage: Stage, origin: StageOrigin) => Stage) | undefined;
  /** Wraps a complete route. Keep its template, method and name. `handle` runs after the `stages` of the route. */
  readonly route?: ((route: Route, plugin: string) => Route) | undefined;
  /**
   * Wraps the handler of an operation. It runs inside of the route's `handle`: after the input of the operation is read,
   * and before its result becomes a reply. Called before `route` gets the route of the operation.
   */
  readonly handler?: ((handler: InnerHandler, plugin: string) => InnerHandler) | undefined;
}

/** Returns the name of the stage for a table: `even: served`, `even: stage 2`, `routing`. */
export const stageLabel = ({ name, plugin, place = '' }: StageOrigin): string =>
  plugin === undefined ? name : `${plugin}: ${name || place}`;

/** Returns the stage as the subject of a sentence, such as `The stage "served" of the plugin "even"`. */
export function stageSubject({ name, plugin, place = '' }: StageOrigin): string {
  const subject = name === '' ? capitalised(place) : `The stage "${name}"`;
  return plugin === undefined ? subject : `${subject} of the plugin "${plugin}"`;
}
