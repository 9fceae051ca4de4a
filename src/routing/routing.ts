/** The stage between what comes before routing and what no route wants: match, or pass on (§4.3). */
import { checkReply, isChecked } from '../http/message/check-reply.ts';
import { Context } from '../http/message/context.ts';
import type { Stage } from '../pipeline/stage.ts';
import type { Route } from './route/route.ts';
import type { RouteCollection } from './route-collection.ts';

/** Hands a request to the first route that takes it; to the next stage when none does. Throws as `checkReply` does. */
export const routing = (routes: RouteCollection): Stage =>
  function routing(context, next) {
    const match = routes.match(context);
    if (match === undefined) return next(context);
    const { route } = match,
      state = Context.stateOf(context);
    if (state !== undefined) state.route = route;
    const returned = route.handler(context, match, routes);
    return state !== undefined && isChecked(returned, state)
      ? returned
      : checkReply(returned, context, routeLabel, route);
  };

function routeLabel({ methods, template }: Route): string {
  const list = methods === undefined ? '' : `${[methods].flat().join(',').toUpperCase()} `;
  return `the route "${list}${template.text}"`;
}
