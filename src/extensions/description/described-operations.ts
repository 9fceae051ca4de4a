/** The operations of a document, each with its path, its parameters and its bodies (D13, D14). */
import type { Route } from '../../core/routing/route.ts';
import type { RouteTemplate, Segment } from '../../core/routing/template.ts';
import { operationOf, type RoutedOperation } from '../../operations/operation/controller.ts';
import { operationId, pathShape, refuseDuplicate } from '../../operations/operation/operation-id.ts';
import { isOwnBody, kindsOf, type OwnBody } from '../../operations/operation/own-body.ts';
import type { ParameterDeclaration, Parameters } from '../../operations/parameters/parameter.ts';
import { formatOf, type SentPlace, schemaOf } from '../../operations/parameters/parameter.ts';
import { narrowed, pathSchema } from '../../operations/parameters/path-parameter.ts';
import { type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { OwnFormatName, Schema } from '../../operations/schema/schema.ts';

/** The paths of a template, the shortest first: with and without each optional parameter at its end. */
export function templatePaths({ segments }: RouteTemplate): Segments[] {
  const paths = [segments];
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at]!;
    const last = segment.at(-1)!;
    if (last.kind === 'literal') break;
    const before = segments.slice(0, at);
    const isMixed = segment.length > 1;
    // The period in `{name}.{ext?}` is left out with the parameter.
    if (last.optional) paths.unshift(isMixed ? [...before, segment.slice(0, -2)] : before);
    if (isMixed || !(last.optional || last.catchAll || last.default !== undefined)) break;
  }
  return paths;
}
type Segments = readonly Segment[];

/** The path as a key of `paths`. */
export const pathKey = (segments: Segments): string => `/${segments.map(keyOf).join('/')}`;

const keyOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? encodeLiteral(part.text) : `{${part.name}}`)).join('');

/** Percent-encodes a literal (RFC 3986 §3.3), braces too, so that they do not read as a parameter. */
const encodeLiteral = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$&'()*+,;=:@-]+/gu, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\ufffd')),
  );

/** One operation on one path. */
export interface DescribedOperation extends RoutedOperation {
  /** The key in `paths`. */
  readonly path: string;
  /** The parameters of the path, of the query and the headers, in this order. */
  readonly parameters: readonly DescribedParameter[];
  /** The inputs, one for each kind of body. Empty for an operation without a body. */
  readonly inputs: readonly DescribedInput[];
}

/** One parameter, or a field of a form. Its `description` is empty where it has no text. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: SentPlace;
  readonly description: string;
  readonly required: true | undefined;
  readonly deprecated: true | undefined;
  readonly schema: Schema;
  /** How a list is written, as Swagger 2.0 calls it. */
  readonly list: string | undefined;
}

/**
 * The operations that the routes carry, sorted stably by tag. An earlier operation takes a path from a later one whose
 * last parameter is optional: `api/todo` before `api/todo/{id?}`. Paths that differ only in the names of parameters
 * become one path, with the names of the first (D14). Throws an Error that names two routes with the same
 * operationId, or with the same method and path.
 */
export function describedOperations(routes: Iterable<Route>): DescribedOperation[] {
  const described: DescribedOperation[] = [];
  const firstOfShape = new Map<string, Segments>();
  const seen = new Map<string, string>();
  for (const route of routes) {
    const routed = operationOf(route);
    if (routed === undefined) continue;
    const paths = templatePaths(route.template);
    for (const [at, segments] of paths.entries()) {
      const { method, id: own } = routed.operation;
      const shape = pathShape(segments);
      const isWhole = at === paths.length - 1;
      if (!isWhole && seen.has(`${method} ${shape}`)) continue;
      const id = own === undefined ? operationId(method, segments) : routed.id + without(route.template, segments);
      refuseDuplicate({ method, template: route.template.text, segments, id }, seen);
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

/** The names of properties in a document. All operations of an application have the same (D1). */
export const namingOf = (operations: readonly DescribedOperation[]): PropertyNaming =>
  operations[0]?.naming ?? 'camelCase';

/** The end of a declared id on a path that lacks parameters: `WithoutId`. */
function without({ parameters }: RouteTemplate, segments: Segments): string {
  const written = new Set(segments.flat());
  const absent = parameters.filter((one) => !written.has(one)).map(({ name }) => wireName(name, 'PascalCase'));
  return absent.length === 0 ? '' : `Without${absent.join('')}`.replaceAll(/[^\w.-]+/g, '');
}

/** The parameters of an operation. Those of its path have the names that they have in `named`, a path of its shape. */
function parametersOf({ operation }: RoutedOperation, segments: Segments, named: Segments): DescribedParameter[] {
  const { parameters = {}, query = {}, headers = {} } = operation;
  const given = parameters as Readonly<Record<string, string | ParameterDeclaration>>;
  const parts = named.flat();
  const inPath = segments.flat().flatMap((part, at) => {
    const inDocument = parts[at]!;
    if (part.kind === 'literal' || inDocument.kind === 'literal') return [];
    const declared = given[part.name];
    const schema = pathSchema(part);
    const parameter =
      typeof declared !== 'object'
        ? { ...schema, description: declared }
        : declared.type === schema.type
          ? { ...declared, ...narrowed(schema, schemaOf(declared)) }
          : declared;
    return describedParameter(inDocument.name, 'path', { ...(parameter as ParameterDeclaration), required: true });
  });
  const listed = (place: SentPlace, declared: Parameters): DescribedParameter[] =>
    Object.entries(declared).map(([name, one]) => describedParameter(name, place, one));
  return [...inPath, ...listed('query', query), ...listed('header', headers)];
}

function describedParameter(name: string, place: SentPlace, parameter: ParameterDeclaration): DescribedParameter {
  const { description = '', ...schema } = schemaOf(parameter);
  const list = parameter.type === 'array' ? formatOf(parameter, place) : undefined;
  const marks = { required: parameter.required || undefined, deprecated: parameter.deprecated || undefined };
  return { name, in: place, description, ...marks, schema, list };
}

/** The schema of bytes. */
export const BINARY: Schema = { type: 'string', format: 'binary' as OwnFormatName };

/** What is read of a request: one value with a schema, or the fields of a form. */
export interface DescribedInput {
  readonly mediaTypes: readonly string[];
  readonly schema?: Schema | undefined;
  /** In their order; a file has the media types that are taken, as one text. */
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
    if (declared.type !== 'file') return describedParameter(name, 'formData', declared);
    const { description = '', required = false } = declared;
    const field = describedParameter(name, 'formData', { type: 'string', description, required });
    return { ...field, schema: BINARY, mediaTypes: declared.mediaTypes?.join(', ') };
  });
  return { mediaTypes, fields };
}
