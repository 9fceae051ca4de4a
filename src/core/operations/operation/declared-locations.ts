/**
 * Decides, when an application is composed, whether each declared Location can lead anywhere.
 *
 * A response that does not declare its `location` fails with the first request instead: `created(body, readOne, { id
 * })` throws where `readOne` is an operation of another plugin.
 */
import { missingRoute } from '../../routing/explain.ts';
import type { RouteCollection } from '../../routing/route-collection.ts';
import { operationOf, type RoutedOperation } from './controller.ts';
import type { OperationReference } from './operation-reference.ts';

/** Throws a `TypeError` that names the operation and every target that no values could make a path for. */
export function assertLocations(routes: RouteCollection): void {
  const faults = [...routes].flatMap((route) => {
    const routed = operationOf(route);
    return Object.entries(routed?.operation.responses ?? {}).flatMap(([status, { location }]) => {
      const fault = location === undefined ? undefined : faultOf(location, routed!, routes);
      return fault === undefined
        ? []
        : `Cannot make the Location of ${status} of the operation "${routed!.id}": ${fault}`;
    });
  });
  if (faults.length > 0) throw new TypeError(faults.join('. '));
}

function faultOf(to: string | OperationReference, { controller, nameOf }: RoutedOperation, routes: RouteCollection) {
  if (typeof to === 'string')
    return routes.explainLink({}, { name: to, scopes: controller.linkScopes }).length > 0
      ? undefined
      : missingRoute(to);
  return nameOf(to) === undefined
    ? `"${to.method} ${to.path}" is no operation of the plugin; name its route by its operationId`
    : undefined;
}
