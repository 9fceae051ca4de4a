/** Declares what can be put around the parts of an application while it is composed, to watch or to time them. */

import type { Stage } from '../pipeline/stage.ts';
import type { RouteTrial } from '../routing/explain.ts';
import type { Route } from '../routing/route.ts';
import type { Refusal } from '../wire/connection/exchange.ts';
import type { RoutedOperation } from './operation/controller.ts';

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of its function; empty when it has none. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems` and `routing`, which every application has. */
  readonly plugin?: string | undefined;
  /** Its place in the list of that plugin: `stage 2`, `outer stage 1`. */
  readonly place?: string | undefined;
}

/**
 * Is given each stage, each route and each operation once, in their order. What it returns takes their place.
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
 *     const { handler } = application([todo()], { instrument: timed });
 */
export interface Instrument {
  /** A stage of a plugin, or one that every application has. Of a mounted plugin it sees the path below the prefix. */
  readonly stage?: ((stage: Stage, origin: StageOrigin) => Stage) | undefined;
  /** Is told of each route that is tried for a request, and what it answered. */
  readonly tried?: ((trial: RouteTrial) => void) | undefined;
  /**
   * A route, also that of an operation. Its template, method and name must stay as they are. `handle` stands behind its
   * `stages`, which begin with what an operation declares, its security for example.
   */
  readonly route?: ((route: Route, plugin: string) => Route) | undefined;
  /** An operation, before its route is made of it. Its path, method and declarations must stay as they are. */
  readonly operation?: ((routed: RoutedOperation, plugin: string) => RoutedOperation) | undefined;
  /**
   * Is told of each request that is refused before any stage sees it, by the parser or for too many connections, and of
   * each that a limit of the whole service refuses with 503. What it throws is logged.
   */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}
