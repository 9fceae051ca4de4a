/**
 * Declares routes that complete themselves when an application is composed, and the values that plugins offer them.
 *
 * Such a route is declared before the application is known: the plugin that the route belongs to, the prefix at which
 * this plugin is mounted, and what other plugins offer to all routes.
 */
import type { Route, RouteOptions } from './route.ts';
import type { RouteTemplate } from './template.ts';

/** A route that the application completes before it adds it. `mounted` changes the template and the three options. */
export interface IncompleteRoute extends Pick<RouteOptions, 'name' | 'linkScopes' | 'prefix'> {
  readonly template: RouteTemplate;
  /**
   * Returns the route to add, which has no `complete`. `self` is this route, or the copy of it that `mounted` has made.
   * An error becomes the cause of a `PluginError`.
   */
  complete(self: IncompleteRoute, composition: Composition): Route;
}

/** Tells a route that lacks its completion from a complete one. */
export const isIncomplete = (route: Route | IncompleteRoute): route is IncompleteRoute => 'complete' in route;

/** What a route learns of the application while it is completed. */
export interface Composition {
  /** The name of the plugin that gives the route. */
  readonly plugin: string;
  /** All routes of this plugin, in their order. */
  readonly siblings: readonly (Route | IncompleteRoute)[];
  /** Every route of the plugins before this one. The object is the same for all routes of an application. */
  readonly routes: Iterable<Route>;
  /** Returns what all plugins offer under this key, in the order of the plugins. */
  offered<Value>(offer: Offer<Value>): readonly Offered<Value>[];
  /** Returns what `make` returns for this application: it is called for the first route that asks, and not again. */
  once<Value>(make: (offered: Composition['offered']) => Value): Value;
}

/** A key under which plugins offer values to the routes of an application. */
export interface Offer<Value> {
  readonly name: string;
  /** Makes an entry of `offers` of a plugin. */
  of(value: Value): OfferedValue;
}

/** An entry of `offers` of a plugin. */
export interface OfferedValue {
  readonly offer: string;
  readonly value: unknown;
}

/** An offered value, and where it comes from. */
export interface Offered<Value> {
  readonly value: Value;
  readonly plugin: string;
  /** Where the plugin is mounted, as `/tools`; undefined for a plugin that is not mounted. */
  readonly prefix: string | undefined;
}

/**
 * Makes a key. Keys of one name are the same key, also in two copies of this library.
 *
 *     const greeting = offer<string>('acme greeting');
 *     const english: Plugin = { name: 'english', offers: [greeting.of('Hello')] };
 */
export const offer = <Value>(name: string): Offer<Value> => ({ name, of: (value) => ({ offer: name, value }) });
