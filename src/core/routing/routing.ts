/** Calls the handler of the first route that matches a request, or the next stage if none matches (§4.3). */
import { checkReply } from '../message/check-reply.ts';
import { Context } from '../message/context.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { RouteTrial } from './explain-request.ts';
import type { Route } from './route/route.ts';
import { MatchedInput } from './route/route-input.ts';
import type { RouteCollection } from './route-collection.ts';

/**
 * Makes the stage. `tried` is told of each route that is tried, and what it answered. The stage throws an `HttpProblem`
 * 414 for a value that is too long for its constraint, and an `InvalidReply` for a reply that cannot be sent.
 */
export const routing = (routes: RouteCollection, tried?: (trial: RouteTrial) => void): Stage =>
  function routing(context, next) {
    // Tries the routes in order, as `matchRoute` does; an index leaves out those that cannot match.
    const match = routes.match(context, tried);
    if (match === undefined) return next(context);
    const { route } = match;
    const state = Context.stateOf(context);
    if (state !== undefined) state.route = route; // for the log, which names the route
    return checkReply(route.handle(new MatchedInput(context, match, routes)), context, routeLabel, route);
  };

function routeLabel({ method, template }: Route): string {
  const list = method === undefined ? '' : `${[method].flat().join(',').toUpperCase()} `;
  return `the route "${list}${template.text}"`;
}
