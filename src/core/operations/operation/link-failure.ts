/** Says why an operation cannot link to another, or to a named route. */
import { failure, linkFailure } from '../../routing/link-failure.ts';
import type { LinkOrigin, LinkValues, RouteLinks } from '../../routing/route.ts';
import { RouteCollection } from '../../routing/route-collection.ts';
import { type OperationNames, type OperationReference, routeNameOf } from './operation-reference.ts';

/** The error of a link or a Location to this target that has no path. `attempt` names it and its operation. */
export function failureTo(
  attempt: string,
  to: string | OperationReference,
  names: OperationNames,
  values: LinkValues,
  from: LinkOrigin,
  links: RouteLinks,
): Error {
  const name = routeNameOf(to, names);
  if (name === undefined)
    return failure(attempt, values, 'its operation is none of the same plugin; name its route by its operationId');
  const missing = links instanceof RouteCollection ? missingRoute(name, from.scopes, links) : undefined;
  return missing === undefined
    ? linkFailure(attempt, values, { ...from, name }, links)
    : failure(attempt, values, missing);
}

/** What is wrong with the name of a route that these routes do not have; undefined for one that they have. */
export const missingRoute = (name: string, scopes: readonly string[] | undefined, routes: RouteCollection) =>
  routes.explainLink({}, { name, scopes }).length > 0
    ? undefined
    : `there is no route named "${name}"; give the name of one, or an operation of this plugin`;
