/** Collects the operations of a description, with their paths, parameters and bodies (D13, D14). */
import type { Route } from '../../core/routing/route.ts';
import type { RouteTemplate, Segment } from '../../core/routing/template.ts';
import { assertResponses } from '../../operations/media-types/assert-responses.ts';
import { operationOf, type RoutedOperation } from '../../operations/operation/controller.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { operationId, pathShape, refuseDuplicate } from '../../operations/operation/operation-id.ts';
import { hasFiles, isOwnBody, kindsOf, type OwnBody } from '../../operations/operation/own-body.ts';
import type { ParameterDeclaration, Parameters, PathParameters } from '../../operations/parameters/parameter.ts';
import { formatOf, type SentPlace, schemaOf } from '../../operations/parameters/parameter.ts';
import { narrowed, pathSchema } from '../../operations/parameters/path-parameter.ts';
import { type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { OwnFormatName, Schema } from '../../operations/schema/schema.ts';

/** Returns the paths of a template: with and without each optional parameter at its end, the shortest path first. */
export function templatePaths({ segments }: RouteTemplate): Segments[] {
  const paths = [segments];
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at]!;
    const last = segment.at(-1)!;
    if (last.kind === 'literal') break;
    const before = segments.slice(0, at);
    const isMixed = segment.length > 1;
    // In `{name}.{ext?}` the period is optional together with the parameter.
    if (last.optional) paths.unshift(isMixed ? [...before, segment.slice(0, -2)] : before);
    if (isMixed || !(last.optional || last.catchAll || last.default !== undefined)) break;
  }
  return paths;
}
type Segments = readonly Segment[];

export const pathKey = (segments: Segments): string => `/${segments.map(keyOf).join('/')}`;

const keyOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? encodeLiteral(part.text) : `{${part.name}}`)).join('');

/** Percent-encodes a literal (RFC 3986 §3.3), including braces, which would look like a parameter. */
const encodeLiteral = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$&'()*+,;=:@-]+/gu, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\ufffd')),
  );

/** An operation on one of its paths. */
export interface DescribedOperation extends RoutedOperation {
  readonly path: string;
  /** The parameters: first of the path, then of the query, then of the headers. */
  readonly parameters: readonly DescribedParameter[];
  /** An input for each kind of request body; empty for an operation without a body. */
  readonly inputs: readonly DescribedInput[];
}

/** A parameter, or a field of a form. Its `description` is empty if the declaration does not have a text. */
interface DescribedParameter {
  readonly name: string;
  readonly in: SentPlace;
  readonly description: string;
  readonly required: true | undefined;
  readonly deprecated: true | undefined;
  readonly schema: Schema;
  /** The list format, as a `collectionFormat` of Swagger 2.0. */
  readonly list: string | undefined;
}

/**
 * Returns the operations of the routes. They are sorted by tag; operations with the same tag stay in the order of their
 * routes. If a path without its optional parameter is the path of an earlier operation, only the earlier one is listed
 * for it: `api/todo` before `api/todo/{id?}`. Paths that differ only in the names of their parameters become one path,
 * with the names of the first (D14). Throws an `Error` if two routes have the same operationId, or the same method and
 * path.
 */
export function describedOperations(routes: Iterable<Route>): DescribedOperation[] {
  const described: DescribedOperation[] = [];
  const firstOfShape = new Map<string, Segments>();
  const seen = new Map<string, string>();
  for (const [route, routed] of routedOperations(routes)) {
    const paths = templatePaths(route.template);
    for (const [at, segments] of paths.entries()) {
      const { method, id: declaredId } = routed.operation;
      const shape = pathShape(segments);
      const isWhole = at === paths.length - 1;
      if (!isWhole && seen.has(`${method} ${shape}`)) continue;
      const id =
        declaredId === undefined ? operationId(method, segments) : routed.id + without(route.template, segments);
      refuseDuplicate(method, { text: route.template.text, segments }, id, seen);
      const first = firstOfShape.get(shape) ?? segments;
      firstOfShape.set(shape, first);
      described.push({
        ...routed,
        id,
        path: pathKey(first),
        parameters: parametersOf(routed, segments, first),
        inputs: inputsOf(routed),
      });
    }
  }
  return described.sort(
    ({ controller: one }, { controller: other }) => Number(one.name > other.name) - Number(one.name < other.name),
  );
}

/** Returns the operations of the routes, and an operation for each method of a plain route with a text or responses. */
function* routedOperations(routes: Iterable<Route>): Generator<readonly [Route, RoutedOperation]> {
  for (const route of routes) {
    const routed = operationOf(route);
    if (routed !== undefined) yield [route, routed];
    const { template, method = 'GET', summary, responses = { 200: {} } } = route;
    if (summary === undefined && route.responses === undefined) continue;
    for (const declared of [method].flat()) {
      const each = declared === '*' ? 'GET' : declared;
      const id = operationId(each, template.segments);
      // The name of the tag. A plain route has no controller.
      const controller = { name: 'Routes', path: '', operations: [] };
      const operation = { method: each, path: template.text, summary, responses } as unknown as Operation;
      assertResponses(operation, id);
      yield [route, { controller, operation, id, nameOf: () => undefined, isStrict: false, naming: 'camelCase' }];
    }
  }
}

/** Returns the property naming of a description. It is the same for all operations of an application (D1). */
export const namingOf = (operations: readonly DescribedOperation[]): PropertyNaming =>
  operations.find(({ controller }) => controller.operations.length > 0)?.naming ?? 'camelCase';

/** Returns a suffix for a declared id, such as `WithoutId`, if the path lacks a parameter of the template. */
function without({ parameters }: RouteTemplate, segments: Segments): string {
  const present = new Set(segments.flat());
  const absent = parameters
    .filter((parameter) => !present.has(parameter))
    .map(({ name }) => wireName(name, 'PascalCase'));
  return absent.length === 0 ? '' : `Without${absent.join('')}`.replaceAll(/[^\w.-]+/g, '');
}

/** Takes the names of path parameters from `named`, a path of the same shape. */
function parametersOf({ operation }: RoutedOperation, segments: Segments, named: Segments): DescribedParameter[] {
  const { parameters = {}, query = {}, headers = {} } = operation;
  const declarations = parameters as PathParameters;
  const parts = named.flat();
  const inPath = segments.flat().flatMap((part, at) => {
    const inDocument = parts[at]!;
    if (part.kind === 'literal' || inDocument.kind === 'literal') return [];
    const declared = declarations[part.name];
    const { description: remark, ...schema } = pathSchema(part);
    const parameter =
      typeof declared !== 'object'
        ? { ...schema, description: declared }
        : declared.type === schema.type
          ? { ...declared, ...narrowed(schema, schemaOf(declared)) }
          : declared;
    // A declared number is never NaN or infinite.
    const isRemarked = typeof declared !== 'object' || declared.type === 'string';
    const description = [parameter.description, isRemarked && remark].filter(Boolean).join('\n\n');
    const described = { ...parameter, description, required: true } as ParameterDeclaration;
    return describedParameter(inDocument.name, 'path', described);
  });
  const listed = (place: SentPlace, declared: Parameters): DescribedParameter[] =>
    Object.entries(declared).map(([name, parameter]) => describedParameter(name, place, parameter));
  return [...inPath, ...listed('query', query), ...listed('header', headers)];
}

function describedParameter(name: string, place: SentPlace, parameter: ParameterDeclaration): DescribedParameter {
  const { description = '', ...schema } = schemaOf(parameter);
  const list = parameter.type === 'array' ? formatOf(parameter, place) : undefined;
  const marks = { required: parameter.required || undefined, deprecated: parameter.deprecated || undefined };
  return { name, in: place, description, ...marks, schema, list };
}

/** The schema of a body or a file that contains bytes. */
export const BINARY: Schema = { type: 'string', format: 'binary' as OwnFormatName };

/** The content of a request body: a value with a schema, or the fields of a form. */
interface DescribedInput {
  readonly mediaTypes: readonly string[];
  readonly schema?: Schema | undefined;
  /** The fields in their declared order. `mediaTypes` of a file are its accepted media types, separated by commas. */
  readonly fields?: readonly (DescribedParameter & { readonly mediaTypes?: string | undefined })[];
}

function inputsOf({ operation: { body } }: RoutedOperation): readonly DescribedInput[] {
  if (body === undefined) return [];
  if (!isOwnBody(body) || body.kinds === undefined) return [inputOf(body)];
  return kindsOf(body).map(([type, kind]) => inputOf(kind, type));
}

function inputOf(body: Schema | OwnBody, mediaType = 'application/json'): DescribedInput {
  if (!isOwnBody(body)) return { mediaTypes: [mediaType], schema: body };
  const { mediaTypes } = body;
  if (body.fields === undefined) return { mediaTypes, schema: BINARY };
  const fields = Object.entries(body.fields).map(([name, declared]) => {
    if (!hasFiles(declared)) return describedParameter(name, 'formData', declared);
    const { description = '', required = false, maxItems } = declared;
    const field = describedParameter(name, 'formData', { type: 'string', description, required });
    const [file, schema] =
      declared.type === 'file'
        ? [declared, BINARY]
        : [declared.items, { type: 'array', items: BINARY, maxItems } as const];
    return { ...field, schema, mediaTypes: file.mediaTypes?.join(', ') };
  });
  return { mediaTypes, fields };
}
