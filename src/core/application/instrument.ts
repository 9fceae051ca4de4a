/** Declares what can be put around the stages and the routes of an application while it is composed. */
import type { Stage } from '../pipeline/stage.ts';
import type { Route } from '../routing/route.ts';

/** The origin of a stage. */
export interface StageOrigin {
  /** The name of its function; empty for a function without a name. */
  readonly name: string;
  /** The name of its plugin; undefined for `problems` and `routing`, which every application has. */
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
 *     const { handler } = application([todo()], { instrument: timed });
 */
export interface Instrument {
  /** A stage of a plugin, or of every application. A stage of a mounted plugin sees the path below the prefix. */
  readonly stage?: ((stage: Stage, origin: StageOrigin) => Stage) | undefined;
  /**
   * A route; `operationOf(route)` is its operation, if it has one. Template, method and name must stay as they are.
   * `handle` stands behind the `stages` of the route, which begin with what an operation declares: its security, say.
   */
  readonly route?: ((route: Route, plugin: string) => Route) | undefined;
}
