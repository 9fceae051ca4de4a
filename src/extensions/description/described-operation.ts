/**
 * Lists the operations of a description: those that the routes carry, in the order of the document (A.6).
 *
 * An operation whose last parameter is optional is listed once per path. A path that an earlier operation of the same
 * method has taken is left out, because no request reaches the later one there: `api/todo` before `api/todo/{id?}`.
 */

import type { ParameterDeclaration, Parameters, Route, Schema } from '../../index.ts';
import {
  formatOf,
  narrowed,
  operationId,
  operationOf,
  type ParameterPlace,
  pathSchema,
  type RoutedOperation,
  refuseDuplicates,
  type SentPlace,
  schemaOf,
} from '../../operations.ts';
import { type TemplatePath, templatePaths } from './template-paths.ts';

/** One operation on one path. */
export interface DescribedOperation extends RoutedOperation {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly path: string;
  /** The parameters of the path, of the query and the headers, in this order. */
  readonly parameters: readonly DescribedParameter[];
}

/** One parameter, or a field of a form. Its `description` is empty where it has no text. */
export interface DescribedParameter<Place extends SentPlace = ParameterPlace> {
  readonly name: string;
  readonly in: Place;
  readonly description: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly schema: Schema;
  /** How a list is written, as Swagger 2.0 calls it. */
  readonly list: string | undefined;
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

function parametersOf({ operation }: RoutedOperation, { segments }: TemplatePath): DescribedParameter[] {
  const { parameters = {}, query = {}, headers = {} } = operation;
  const given = parameters as Readonly<Record<string, string | ParameterDeclaration>>;
  const inPath = segments
    .flat()
    .filter((part) => part.kind === 'parameter')
    .map((part) => {
      const declared = given[part.name];
      const schema = pathSchema(part);
      const parameter =
        typeof declared !== 'object'
          ? { ...schema, description: declared }
          : declared.type === schema.type
            ? { ...declared, ...narrowed(schema, schemaOf(declared)) }
            : declared;
      return described(part.name, 'path', { ...(parameter as ParameterDeclaration), required: true });
    });
  const others = (place: ParameterPlace, declared: Parameters): DescribedParameter[] =>
    Object.entries(declared).map(([name, parameter]) => described(name, place, parameter));
  return [...inPath, ...others('query', query), ...others('header', headers)];
}

/** The parameter of this name and place. */
export function described<Place extends SentPlace>(
  name: string,
  place: Place,
  parameter: ParameterDeclaration,
): DescribedParameter<Place> {
  const { description, ...schema } = schemaOf(parameter);
  const { required = false, deprecated = false } = parameter;
  const list = parameter.type === 'array' ? formatOf(parameter, place) : undefined;
  return { name, in: place, description: description ?? '', required, deprecated, schema, list };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
