/** The stage between what comes before routing and what no route wants: match, or pass on (§4.3). */
import type { Middleware } from '../pipeline/pipeline.ts';
import type { RouteCollection } from './route-collection.ts';

/** Hands a request to the first route that takes it; to the next stage when none does. */
export const routing = (routes: RouteCollection): Middleware => function routing(context, next) {
  const match = routes.match(context);
  return match === undefined ? next(context) : match.route.handler(context, match, routes);
};
