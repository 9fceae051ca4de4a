/**
 * Declares incomplete routes, and the values that plugins offer to routes.
 *
 * An incomplete route is declared before the application is known. When the application is composed, the route gets the
 * name of its plugin, the prefix of this plugin, and the values that other plugins offer.
 */
import type { Pipeline } from '../pipeline/stage.ts';
import type { Route, RouteOptions } from './route.ts';
import type { RouteTemplate } from './template.ts';

/** A route that the application completes before adding it. */
export interface IncompleteRoute extends Pick<RouteOptions, 'name' | 'scope'> {
  readonly template: RouteTemplate;
  /**
   * Returns the complete route, without `complete`. `self` is this route, or in a mounted plugin a copy with the prefix
   * before its template and its name. If this function throws, the error becomes the cause of a `PluginError`.
   */
  complete(self: IncompleteRoute, composition: Composition): Route;
}

/** True for a route that is not complete. */
export const isIncomplete = (route: Route | IncompleteRoute): route is IncompleteRoute => 'complete' in route;

/** The information about the application with which a route is completed. */
export interface Composition {
  /** The name of the plugin that has the route. */
  readonly plugin: string;
  /** All routes of this plugin, in their order. */
  readonly siblings: readonly (Route | IncompleteRoute)[];
  /** Every route of the earlier plugins. All `complete` calls of an application get the same object. */
  readonly routes: Iterable<Route>;
  /** Returns the stages of plugins that a request for this template can pass. */
  stagesBefore(template: RouteTemplate): Pipeline;
  /** Returns the values that plugins offer under this key, in the order of the plugins. */
  offered<Value>(offer: Offer<Value>): readonly Offered<Value>[];
  /** Returns the result of `make`. Calls `make` only once per application, and reuses its result after that. */
  once<Value>(make: (offered: Composition['offered']) => Value): Value;
}

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
