/** Composes an application of one plugin with these routes, and returns the complete routes. */
import { application } from '../../src/core/application/application.ts';
import type { IncompleteRoute } from '../../src/core/routing/composition.ts';
import type { Route } from '../../src/core/routing/route.ts';
import type { RouteCollection } from '../../src/core/routing/route-collection.ts';
import { type OperationOptions, operations } from '../../src/operations/operations.ts';

export const composedRoutes = (
  routes: Iterable<Route | IncompleteRoute>,
  options: OperationOptions = {},
): RouteCollection => application([operations(options), { name: 'test', routes: [...routes] }]).routes;
