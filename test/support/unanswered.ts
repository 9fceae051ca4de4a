import { type Route, type RouteOptions, route } from '../../src/core/routing/route.ts';
import { RouteCollection } from '../../src/core/routing/route-collection.ts';

/** A handler for routes that no test requests. */
export const unanswered = (): never => {
  throw new Error('not asked');
};

/** The template of a route, alone or with options. */
export type RouteRow = string | ({ readonly template: string } & RouteOptions);

/** Creates a route that no test requests. */
export function unansweredRoute(row: RouteRow, more: RouteOptions = {}): Route {
  const { template, ...options } = typeof row === 'string' ? { template: row } : row;
  return route({ path: template as string, ...options, ...more, handle: unanswered });
}

/** Creates a collection of routes that no test requests. */
export const collectionOf = (...rows: readonly RouteRow[]): RouteCollection =>
  new RouteCollection().add(...rows.map((row) => unansweredRoute(row)));
