/**
 * Lists the operations of a description: those that the routes carry, in the order of the document (A.6).
 *
 * An operation whose last parameter is optional is listed once per path. A path that an earlier operation of the same
 * method has taken is left out, because no request reaches the later one there: `api/todo` before `api/todo/{id?}`.
 */
import type { Operation, ParameterDeclaration, Parameters, ResponseDeclaration, Route, Schema } from '../../index.ts';
import {
  formatOf,
  isOwnBody,
  narrowed,
  operationId,
  operationOf,
  type ParameterPlace,
  type PropertyNaming,
  pathSchema,
  type RoutedOperation,
  refuseDuplicates,
  type SentPlace,
  schemaOf,
  serializer,
  type Writer,
  writtenMediaTypes,
} from '../../operations.ts';
import type { RouteTemplate, Segment } from '../../routing.ts';
import { fileFields, isForm, textFields } from '../uploads/upload.ts';

/** One path of a template. */
interface TemplatePath {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly key: string;
  readonly segments: readonly Segment[];
}

/** Returns the paths of a template, the shortest first. The last has every parameter. */
export function templatePaths({ segments }: RouteTemplate): TemplatePath[] {
  const paths = [templatePath(segments)];
  for (let at = segments.length - 1; at >= 0; at -= 1) {
    const segment = segments[at]!;
    const last = segment.at(-1)!;
    if (last.kind === 'literal') break;
    const before = segments.slice(0, at);
    const isMixed = segment.length > 1;
    // The period in `{name}.{ext?}` is left out with the parameter.
    if (last.optional) paths.unshift(templatePath(isMixed ? [...before, segment.slice(0, -2)] : before));
    if (isMixed || !(last.optional || last.catchAll || last.default !== undefined)) break;
  }
  return paths;
}

function templatePath(segments: readonly Segment[]): TemplatePath {
  const keyOf = (segment: Segment): string =>
    segment.map((part) => (part.kind === 'literal' ? encodeLiteral(part.text) : `{${part.name}}`)).join('');
  return { key: `/${segments.map(keyOf).join('/')}`, segments };
}

/** Percent-encodes a literal (RFC 3986 §3.3), braces too, so that they do not read as a parameter. */
const encodeLiteral = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$&'()*+,;=:@-]+/gu, (characters) =>
    encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\ufffd')),
  );

/** One operation on one path. */
export interface DescribedOperation extends RoutedOperation {
  /** The key in `paths`: `/api/todo/{id}`. */
  readonly path: string;
  /** The parameters of the path, of the query and the headers, in this order. */
  readonly parameters: readonly DescribedParameter[];
}

/** One parameter, or a field of a form. Its `description` is empty where it has no text. */
interface DescribedParameter<Place extends SentPlace = ParameterPlace> {
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
function described<Place extends SentPlace>(
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

/** The schema of bytes. */
export const BINARY: Schema = { type: 'string', format: 'binary' };

/** The media types of the body, none where there is no body. */
export const bodyMediaTypes = ({ body }: Operation): readonly string[] =>
  body === undefined ? [] : isOwnBody(body) ? body.mediaTypes : ['application/json'];

/** The schema of a body that is one value; undefined for a form and for no body. */
export const bodySchema = ({ body }: Operation): Schema | undefined =>
  !isOwnBody(body) ? body : isForm(body) ? undefined : BINARY;

/** The fields of a form in their order; undefined for any other body. */
export function formFields({ body }: Operation): readonly DescribedParameter<'formData'>[] | undefined {
  if (!isOwnBody(body) || !isForm(body)) return undefined;
  const { fields } = body;
  const texts = textFields(fields);
  const files = new Map(fileFields(fields));
  return Object.keys(fields).map((name) => {
    const file = files.get(name);
    if (file === undefined) return described(name, 'formData', texts[name]!);
    const { description = '', required = false } = file;
    return { name, in: 'formData', description, required, deprecated: false, schema: BINARY, list: undefined };
  });
}

/** A body in one media type. */
export interface DescribedBody {
  readonly mediaType: string;
  /** Undefined for JSON whose members are not described. */
  readonly schema: Schema | undefined;
  /** As it is sent; of JSON the value. */
  readonly example?: unknown;
}

/** The bodies of a success, in the order of their media types; none for a response without a body. */
export function responseBodies(
  { schema, mediaType, example }: ResponseDeclaration,
  operation: Operation,
  naming: PropertyNaming = 'camelCase',
): DescribedBody[] {
  if (mediaType !== undefined) return [rawBody(mediaType, example)];
  if (schema === undefined) return [];
  const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
  const written = writtenMediaTypes(operation);
  return written.map((one): DescribedBody => {
    const write = writers[one];
    if (write !== undefined) return rawBody(one, example === undefined ? undefined : write(example));
    if (example === undefined) return { mediaType: one, schema };
    return { mediaType: one, schema, example: JSON.parse(serializer(schema, naming)(example as never)) };
  });
}

/** A body whose members are not described. A client that reads JSON has a value for it, and no text. */
function rawBody(mediaType: string, example: unknown): DescribedBody {
  const isText = typeof example === 'string';
  if (/[/+]json$/.test(mediaType))
    return { mediaType, schema: undefined, ...(isText && { example: JSON.parse(example) as unknown }) };
  return { mediaType, schema: rawSchema(mediaType), ...(isText && { example }) };
}

/** `binary` makes generators return the bytes. */
const rawSchema = (mediaType: string): Schema =>
  /^text\/|[/+](?:xml|yaml)$/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
