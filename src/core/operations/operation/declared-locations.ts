/**
 * Decides, when an application is composed, whether each declared Location can lead anywhere.
 *
 * A response that does not declare its `location` fails with the first request instead: `created(body, readOne, { id
 * })` throws where `readOne` is an operation of another plugin.
 */
import type { RouteCollection } from '../../routing/route-collection.ts';
import { operationOf, type RoutedOperation } from './controller.ts';
import type { OperationReference } from './operation-reference.ts';

/** Throws a `TypeError` that names the operation and every target that no values could make a path for. */
export function assertLocations(routes: RouteCollection): void {
  const faults: string[] = [];
  for (const route of routes) {
    const routed = operationOf(route);
    if (routed === undefined) continue;
    for (const [status, { location }] of Object.entries(routed.operation.responses)) {
      const fault = location === undefined ? undefined : faultOf(location, routed, routes);
      if (fault !== undefined)
        faults.push(`Cannot make the Location of ${status} of the operation "${routed.id}": ${fault}`);
    }
  }
  if (faults.length > 0) throw new TypeError(faults.join('. '));
}

function faultOf(
  location: string | OperationReference,
  { controller, names }: RoutedOperation,
  routes: RouteCollection,
): string | undefined {
  if (typeof location === 'string') return missingRoute(location, controller.linkScopes, routes);
  return names.get(location) !== undefined
    ? undefined
    : `"${location.method} ${location.path}" is no operation of the plugin; name its route by its operationId`;
}

/** What is wrong with the name of a route that these routes do not have; undefined for one that they have. */
export function missingRoute(
  name: string,
  scopes: readonly string[] | undefined,
  routes: RouteCollection,
): string | undefined {
  if (routes.explainLink({}, { name, scopes }).length > 0) return undefined;
  return `there is no route named "${name}"; give the name of one, or an operation of this plugin`;
}
