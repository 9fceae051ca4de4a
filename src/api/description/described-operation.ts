/**
 * Lists the operations of a description: those that the routes carry, in the order of the document (A.6).
 *
 * An operation whose last parameter is optional is listed once per path. A path that an earlier operation of the same
 * method has taken is left out, because no request reaches the later one there: `api/todo` before `api/todo/{id?}`.
 */
import type { Route } from '../../routing/route/route.ts';
import { operationOf, type RoutedOperation } from '../operation/controller.ts';
import { operationId, refuseDuplicates } from '../operation/operation-id.ts';
import { type TemplatePath, templatePaths } from './template-paths.ts';

/** One operation on one path. */
export interface DescribedOperation extends RoutedOperation {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly path: string;
  /** The parameters of the path; `description` is empty for one without a text. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** Sorts stably by tag (A.6). Throws an Error that names two routes of one operationId (D15). */
export function describedOperations(routes: Iterable<Route>): DescribedOperation[] {
  const described: DescribedOperation[] = [];
  const taken = new Set<string>();
  const ids: [string, string][] = [];
  for (const route of routes) {
    const routed = operationOf(route);
    if (routed === undefined) continue;
    const paths = templatePaths(route.template);
    const longest = paths.at(-1)!;
    for (const path of paths) {
      const id = operationId(routed.operation.method, path.segments);
      if (path !== longest && taken.has(id)) continue;
      taken.add(id);
      ids.push([id, `${routed.operation.method} ${route.template.text}`]);
      described.push({ ...routed, id, path: path.key, parameters: parametersOf(routed, path) });
    }
  }
  refuseDuplicates(ids);
  return described.sort((one, other) => compare(one.controller.name, other.controller.name));
}

function parametersOf({ operation }: RoutedOperation, { segments }: TemplatePath): DescribedOperation['parameters'] {
  const descriptions: Readonly<Record<string, string | undefined>> = operation.parameters ?? {};
  return segments
    .flat()
    .filter((part) => part.kind === 'parameter')
    .map(({ name }) => ({ name, description: descriptions[name] ?? '' }));
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
