/**
 * Declares incomplete routes, and the values that plugins offer to routes.
 *
 * An incomplete route is declared before the application is known. When the application is composed, the route gets the
 * name of its plugin, its place below the prefix of this plugin, and the values that other plugins offer.
 */
import type { Pipeline } from '../pipeline/stage.ts';
import type { Route, RouteInput } from './route.ts';
import type { RouteTemplate } from './template.ts';

/** A route that the application completes before adding it. */
export interface IncompleteRoute {
  readonly template: RouteTemplate;
  /**
   * Returns the complete route. Called once for each composition, and for each mount in it. If this function throws, the
   * error becomes the cause of a `PluginError`.
   */
  complete(composition: Composition): Route;
}

/** True for a route that is not complete. */
export const isIncomplete = (route: Route | IncompleteRoute): route is IncompleteRoute => 'complete' in route;

/** The information about the application with which a route is completed. */
export interface Composition {
  /** The name of the plugin that has the route. */
  readonly plugin: string;
  /** The template of the complete route: in a mounted plugin, the prefix and the template of the incomplete route. */
  readonly template: RouteTemplate;
  /** The beginning of the names of the routes in a mounted plugin, such as `tools/`; otherwise empty. */
  readonly scope: string;
  /**
   * The routes of the earlier plugins, and after the composition all routes. All `complete` calls of an application get
   * the same object.
   */
  readonly routes: Iterable<Route>;
  /** The stages of plugins that a request for the template can pass. */
  readonly stagesBefore: Pipeline;
  /** Returns the values that plugins offer under this key, in the order of the plugins. */
  offered<Value>(offer: Offer<Value>): readonly Offered<Value>[];
  /** Returns the handler, wrapped in the instruments of the application. */
  instrumented(handler: InnerHandler): InnerHandler;
}

/** A handler that runs inside of the `handle` of a route, which makes its input, and makes the reply of its result. */
export type InnerHandler = (input: Pick<RouteInput, 'context' | 'route' | 'values'>) => unknown;

/** A key under which plugins offer values to the routes of an application. */
export interface Offer<Value> {
  readonly name: string;
  /** Creates an entry for the `offers` of a plugin. */
  of(value: Value): OfferedValue;
}

/** An entry in the `offers` of a plugin. */
export interface OfferedValue {
  readonly offer: string;
  readonly value: unknown;
}

/** An offered value and its origin. */
export interface Offered<Value> {
  readonly value: Value;
  readonly plugin: string;
  /** The prefix of the plugin, such as `/tools`; undefined for a plugin that is not mounted. */
  readonly prefix: string | undefined;
}

/**
 * Creates a key. Two keys with the same name are the same key, even if two copies of this library create them.
 *
 *     const greeting = offer<string>('acme greeting');
 *     const english: Plugin = { name: 'english', offers: [greeting.of('Hello')] };
 */
export const offer = <Value>(name: string): Offer<Value> => ({ name, of: (value) => ({ offer: name, value }) });
