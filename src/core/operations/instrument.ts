/** Declares what can be put around the routes of an application while it is composed, to watch or to time them. */

import type { Route } from '../routing/route.ts';
import type { Refusal } from '../wire/connection/exchange.ts';
import type { RoutedOperation } from './operation/controller.ts';

/**
 * Is given each route and each operation once, in their order. What it returns takes their place.
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
  /** A route, also that of an operation. Its template, method and name must stay as they are. */
  readonly route?: ((route: Route, plugin: string) => Route) | undefined;
  /** An operation, before its route is made of it. Its path, method and declarations must stay as they are. */
  readonly operation?: ((routed: RoutedOperation, plugin: string) => RoutedOperation) | undefined;
  /**
   * Is told of each request that is refused before any stage sees it, by the parser or for too many connections, and of
   * each that a limit of the whole service refuses with 503. What it throws is logged.
   */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
}
