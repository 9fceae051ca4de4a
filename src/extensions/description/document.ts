/**
 * What both documents share (D13, D17, D71): the settings, `info`, the operations and their paths, and the security
 * schemes. The order of members is that of the reference (A.6).
 */
import { isJsonType } from '../../core/message/headers/content-type.ts';
import { statusText } from '../../core/message/headers/reply-headers.ts';
import type { Route } from '../../core/routing/route.ts';
import type { RouteTemplate, Segment } from '../../core/routing/template.ts';
import { writtenMediaTypes } from '../../operations/media-types/body-writers.ts';
import { operationOf, type RoutedOperation } from '../../operations/operation/controller.ts';
import type { ResponseDeclaration, Writer } from '../../operations/operation/operation.ts';
import { operationId, pathShape, refuseDuplicate } from '../../operations/operation/operation-id.ts';
import { isOwnBody, kindsOf, type OwnBody } from '../../operations/operation/own-body.ts';
import { type ProblemFormats, rfc9457 } from '../../operations/operation/problem-format.ts';
import type { ParameterDeclaration, Parameters } from '../../operations/parameters/parameter.ts';
import { formatOf, type SentPlace, schemaOf } from '../../operations/parameters/parameter.ts';
import { narrowed, pathSchema } from '../../operations/parameters/path-parameter.ts';
import { responsesOf } from '../../operations/routes/responses-of.ts';
import { type PropertyNaming, wireName } from '../../operations/schema/names.ts';
import type { OwnFormatName, Schema } from '../../operations/schema/schema.ts';
import { rowSerializer, serializer } from '../../operations/schema/serialize.ts';
import type { SecurityScheme } from '../../operations/security.ts';
import { requirementsOf } from '../../operations/security.ts';

/** Settings of a description. Empty members are left out (D13): an empty `contact.email` makes a document invalid. */
export interface DescriptionOptions {
  readonly title: string;
  /** `v1` unless given (§9). */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly termsOfService?: string | undefined;
  readonly contact?: DescribedContact | undefined;
  /** A license needs a name, as in both formats. */
  readonly license?: { readonly name?: string | undefined; readonly url?: string | undefined } | undefined;
  /** The path in front of all others; `/` if it is empty. Unless given, a served document names that of the request. */
  readonly basePath?: string | undefined;
  /** Shows summaries, remarks, and texts of responses and schemas (D17); true unless given. Others always show. */
  readonly comments?: boolean | undefined;
}

/** The contact for an API. */
interface DescribedContact {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

/** The text of a comment; undefined if it is empty or comments are off (D17). */
export const commentOf = ({ comments = true }: DescriptionOptions, text: string | undefined): string | undefined =>
  (comments && text) || undefined;

/** The `info` member. */
export interface DescriptionInfo {
  readonly version: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly termsOfService?: string | undefined;
  readonly contact?:
    | {
        readonly name?: string | undefined;
        readonly url?: string | undefined;
        readonly email?: string | undefined;
      }
    | undefined;
  readonly license?: { readonly name: string; readonly url?: string | undefined } | undefined;
}

/** Throws a TypeError for a license with a URL and no name. */
export function infoOf(options: DescriptionOptions): DescriptionInfo {
  const { title, version, description, termsOfService, license } = options;
  if (license?.url && !license.name)
    throw new TypeError(`Cannot describe the license "${license.url}": it has no name; give it one`);
  const { name, url, email } = options.contact ?? {};
  const contact = filled({ name, url, email });
  const named = license?.name ? { name: license.name, ...filled({ url: license.url }) } : undefined;
  return { version: version || 'v1', title, ...filled({ description, termsOfService, contact, license: named }) };
}

type Present<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> };

/** The members that are not undefined, in their order. */
export const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** The members that are not empty either; undefined if there is none. */
export const filled = <Members extends object>(members: Members): Partial<Present<Members>> | undefined =>
  unlessEmpty(Object.fromEntries(Object.entries(members).filter(([, value]) => value)) as never);

export const unlessEmpty = <Members extends object>(members: Members): Members | undefined =>
  Object.keys(members).length > 0 ? members : undefined;

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
  /** One for each kind of body; none where there is no body. */
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

/** What an id of one's own has behind it on a path that lacks parameters: `WithoutId`. */
function without({ parameters }: RouteTemplate, segments: Segments): string {
  const written = new Set(segments.flat());
  const absent = parameters.filter((one) => !written.has(one)).map(({ name }) => wireName(name, 'PascalCase'));
  return absent.length === 0 ? '' : `Without${absent.join('')}`.replaceAll(/[^\w.-]+/g, '');
}

/** A controller as a tag. */
export interface DescribedTag {
  readonly name: string;
  readonly description?: string | undefined;
}

/**
 * The tags in the order in which the controllers are given; undefined where none has a text (D98). Throws an `Error`
 * for two controllers of one name that have two texts.
 */
export function describedTags(routes: Iterable<Route>, options: DescriptionOptions): DescribedTag[] | undefined {
  const texts = new Map<string, string | undefined>();
  for (const route of routes) {
    const { name, description } = operationOf(route)?.controller ?? {};
    if (name === undefined) continue;
    const text = commentOf(options, description);
    const earlier = texts.get(name);
    if (earlier !== undefined && text !== undefined && text !== earlier)
      throw new Error(
        `Cannot describe the tag "${name}": two controllers of this name have different descriptions; rename one`,
      );
    texts.set(name, earlier ?? text);
  }
  const tags = [...texts].map(([name, description]) => present({ name, description }) as DescribedTag);
  return tags.some(({ description }) => description !== undefined) ? tags : undefined;
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
interface DescribedInput {
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

/** A body in one media type. */
export interface DescribedBody {
  readonly mediaType: string;
  /** Undefined for JSON whose members are not described. */
  readonly schema: Schema | undefined;
  /** As it is sent; of JSON the value. */
  readonly example: unknown;
}

/** The bodies of a success, in the order of their media types; none for a response without a body. */
function responseBodies(
  { schema, mediaType, example }: ResponseDeclaration,
  { operation, naming }: DescribedOperation,
): DescribedBody[] {
  if (mediaType !== undefined) return [rawBody(mediaType, example)];
  if (schema === undefined) return [];
  const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
  return writtenMediaTypes(operation).map((one) => {
    const write = writers[one];
    const json = serializer(schema, naming);
    if (write === undefined)
      return {
        mediaType: one,
        schema,
        example: example === undefined ? undefined : JSON.parse(json(example as never)),
      };
    return rawBody(one, example === undefined ? undefined : write(example as never, rowSerializer(schema, json)));
  });
}

/** A body whose members are not described. Of what is neither JSON nor text, `binary` makes generators return bytes. */
function rawBody(mediaType: string, example: unknown): DescribedBody {
  const text = typeof example === 'string' ? example : undefined;
  if (isJsonType(mediaType)) return { mediaType, schema: undefined, example: text && JSON.parse(text) };
  const isText = /^text\/|[/+](?:xml|yaml|x-ndjson)$/.test(mediaType);
  return { mediaType, schema: isText ? { type: 'string' } : BINARY, example: text };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The operations of a path by lower-case method. */
export type PathItem<Members> = { readonly [Method in (typeof METHODS)[number]]?: Members };

/** The members of an operation that both formats have. */
export interface OperationMembers<Response> {
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated: boolean;
  /** The names of the schemes, in 3.1 with the roles. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[] | undefined;
}

/** One declared response. `description` is its text in the document; an error has no `bodies`. */
export interface DescribedResponse extends Pick<ResponseDeclaration, 'schema' | 'headers'> {
  readonly status: number;
  readonly description: string;
  readonly bodies: readonly DescribedBody[];
  /** How an error is written. */
  readonly problems: ProblemFormats;
}

/** The `paths` in the order of their first operation. `input` gives what stands before `responses`. */
export function pathItems<Members extends OperationMembers<unknown>>(
  operations: readonly DescribedOperation[],
  options: DescriptionOptions,
  input: (operation: DescribedOperation) => Omit<Members, keyof OperationMembers<unknown>>,
  response: (response: DescribedResponse) => Members['responses'][string],
  rolesOf: (roles: readonly string[]) => readonly string[],
): Record<string, PathItem<Members>> {
  const responsesIn = (described: DescribedOperation): object =>
    Object.fromEntries(
      Object.entries(responsesOf(described)).map(([key, declaration]) => {
        const status = Number(key);
        // Without a comment, 200 has the text "Success" and every other its standard phrase (D17).
        const phrase = status === 200 ? 'Success' : (statusText(status) ?? 'Unknown');
        const description = commentOf(options, declaration.description) ?? phrase;
        const problems = described.problems ?? rfc9457;
        const bodies = status >= 400 ? [] : responseBodies(declaration, described);
        return [key, response({ ...declaration, status, description, bodies, problems })];
      }),
    );
  const membersOf = (described: DescribedOperation): Members => {
    const { controller, operation, id, security } = described;
    const responses = responsesIn(described);
    const requirements = security && requirementsOf(security);
    return present({
      tags: [controller.name],
      summary: commentOf(options, operation.summary),
      description: commentOf(options, operation.remarks),
      operationId: id,
      ...input(described),
      responses,
      deprecated: operation.deprecated === true,
      security: requirements?.map(({ scheme, roles }) => ({ [scheme.schemeName]: rolesOf(roles) })),
    }) as unknown as Members;
  };
  const byKey = new Map(operations.map((one) => [`${one.operation.method.toLowerCase()} ${one.path}`, one]));
  const itemOf = (path: string): PathItem<Members> => {
    const found = METHODS.map((method) => [method, byKey.get(`${method} ${path}`)] as const);
    return Object.fromEntries(found.flatMap(([method, one]) => (one === undefined ? [] : [[method, membersOf(one)]])));
  };
  return Object.fromEntries([...new Set(operations.map(({ path }) => path))].map((path) => [path, itemOf(path)]));
}

/** A security scheme of a document. */
export type DescribedScheme = Readonly<Record<string, string>>;

/** The schemes of these operations by name, each as `write` writes it for the format. */
export const schemesOf = (
  operations: readonly DescribedOperation[],
  write: (scheme: SecurityScheme) => DescribedScheme,
): Record<string, DescribedScheme> =>
  Object.fromEntries(
    operations
      .flatMap(({ security = [] }) => requirementsOf(security))
      .map(({ scheme }) => [scheme.schemeName, write(scheme)]),
  );
