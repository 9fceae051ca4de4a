/** Declares what can be put around the stages and the routes of an application while it is composed. */
import { capitalised } from '../message/text.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { Route } from '../routing/route.ts';

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
