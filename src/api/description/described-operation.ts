/**
 * Routes → the operations of a description, in its order: what is not routed is not described, what is described is routed.
 *
 * An operation whose last parameter is optional is there twice, once per path. Where an earlier route has taken the shorter path,
 * as `api/todo` does before `api/todo/{id?}`, no request reaches the second one there, so it is not described there.
 */
import type { Route } from '../../routing/route/route.ts';
import { operationId, refuseDuplicates } from '../operation/operation-id.ts';
import { operationOf, type RoutedOperation } from '../operation/routed-operation.ts';
import { type DescribedPath, describedPaths } from './described-path.ts';

/** One operation on one path. */
export interface DescribedOperation extends RoutedOperation {
  readonly path: DescribedPath;
}

/** In the order of their routes, after a stable sort by tag (A.6). Throws an Error that names two routes of one operationId (D15). */
export function describedOperations(routes: Iterable<Route>): DescribedOperation[] {
  const described: DescribedOperation[] = [],
    taken = new Set<string>(),
    ids: [string, string][] = [];
  for (const route of routes) {
    const routed = operationOf(route);
    if (routed === undefined) continue;
    const paths = describedPaths(route.template),
      full = paths.at(-1)!;
    for (const path of paths) {
      const id = operationId(routed.operation.method, path.segments);
      if (path !== full && taken.has(id)) continue;
      taken.add(id);
      ids.push([id, `${routed.operation.method} ${route.template.text}`]);
      described.push({ ...routed, id, path });
    }
  }
  refuseDuplicates(ids);
  return described.sort((one, other) => compare(one.controller.name, other.controller.name));
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
