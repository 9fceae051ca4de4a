/**
 * Creates the common parts of both documents: `info`, the tags, the operations with their paths, and the security
 * schemes (D13, D17, D71). The members are in the order that the reference defines (A.6).
 */
import { isJsonType } from '../../core/http/headers/content-type.ts';
import { statusText } from '../../core/http/headers/header-lines.ts';
import type { Route } from '../../core/routing/route.ts';
import { sentMediaTypes, writtenMediaTypes } from '../../operations/media-types/body-writers.ts';
import { operationOf } from '../../operations/operation/controller.ts';
import type { ResponseDeclaration, Writer } from '../../operations/operation/operation.ts';
import type { SentPlace } from '../../operations/parameters/parameter.ts';
import { responsesOf } from '../../operations/routes/responses-of.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { rowSerializer, serializer } from '../../operations/schema/serialize.ts';
import { needsOf, type SecurityScheme } from '../../operations/security.ts';
import { BINARY, type DescribedOperation } from './described-operations.ts';

/** The options of a description. Empty texts are omitted, because an empty `contact.email` would be invalid (D13). */
export interface DescriptionOptions {
  readonly title: string;
  /** Default: `v1` (§9). */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly termsOfService?: string | undefined;
  readonly contact?: { readonly [Name in 'name' | 'url' | 'email']?: string | undefined } | undefined;
  /** A license needs a name, because both formats require it. */
  readonly license?: { readonly name?: string | undefined; readonly url?: string | undefined } | undefined;
  /** The prefix of all paths. Default: the prefix of the request if the document is served, otherwise `/`. */
  readonly basePath?: string | undefined;
  /** If false, summaries, remarks, and texts of responses, schemas and tags are omitted (D17). Default: true. */
  readonly comments?: boolean | undefined;
}

/** Returns the text; undefined if it is empty, or if the option `comments` is false (D17). */
export const commentOf = ({ comments = true }: DescriptionOptions, text: string | undefined): string | undefined =>
  (comments && text) || undefined;

export interface DescriptionInfo
  extends Pick<DescriptionOptions, 'title' | 'description' | 'termsOfService' | 'contact' | 'license'> {
  readonly version: string;
}

/** Returns the `info` member. Throws a `TypeError` for a license that has a URL but no name. */
export function infoOf(options: DescriptionOptions): DescriptionInfo {
  const { title, version, description, termsOfService, license } = options;
  if (license?.url && !license.name)
    throw new TypeError(`Cannot describe the license "${license.url}": it has no name; give it one`);
  const { name, url, email } = options.contact ?? {};
  const contact = filled({ name, url, email });
  const validLicense = license?.name ? { name: license.name, ...filled({ url: license.url }) } : undefined;
  return {
    version: version || 'v1',
    title,
    ...filled({ description, termsOfService, contact, license: validLicense }),
  };
}

type Present<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> };

/** Returns a copy without the members that are undefined. */
export const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** Returns a copy without undefined and empty members; undefined if no member remains. */
const filled = <Members extends object>(members: Members): Partial<Present<Members>> | undefined =>
  unlessEmpty(Object.fromEntries(Object.entries(members).filter(([, value]) => value)) as never);

export const unlessEmpty = <Members extends object>(members: Members): Members | undefined =>
  Object.keys(members).length > 0 ? members : undefined;

export interface DescribedTag {
  readonly name: string;
  readonly description?: string | undefined;
}

/**
 * Returns the tags in the order of the controllers; undefined if no controller has a text. In this case, Swagger 2.0
 * does not list tags, and OpenAPI 3.1 lists them sorted (D98). Throws an `Error` if two controllers with the same name
 * have different texts.
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

export interface DescribedBody {
  readonly mediaType: string;
  /** Undefined for JSON whose members are not described. */
  readonly schema: Schema | undefined;
  /** An example of the body: a value for JSON, a text for other media types. */
  readonly example: unknown;
}

/** Returns the bodies of a success, one for each media type; an empty array for a response without a body. */
function responseBodies(response: ResponseDeclaration, { operation, naming }: DescribedOperation): DescribedBody[] {
  const { schema, example } = response;
  if (schema === undefined) return sentMediaTypes(response).map((type) => rawBody(type, example));
  const writers = (operation.writers ?? {}) as Readonly<Record<string, Writer<any>>>;
  return writtenMediaTypes(operation).map((type) => {
    const write = writers[type];
    const json = serializer(schema, naming) as (value: unknown) => string;
    if (write !== undefined)
      return rawBody(type, example === undefined ? undefined : write(example, rowSerializer(schema, json)));
    return { mediaType: type, schema, example: example === undefined ? undefined : JSON.parse(json(example)) };
  });
}

/** Returns a body without a declared schema. Clients read bytes, unless it is JSON or text. */
function rawBody(mediaType: string, example: unknown): DescribedBody {
  const text = typeof example === 'string' ? example : undefined;
  if (isJsonType(mediaType)) return { mediaType, schema: undefined, example: text && JSON.parse(text) };
  const isText = /^text\/|[/+](?:xml|yaml|x-ndjson)$/.test(mediaType);
  return { mediaType, schema: isText ? { type: 'string' } : BINARY, example: text };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The members that the documents of both formats have. */
export interface DescribedDocument {
  readonly info: DescriptionInfo;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly tags?: readonly DescribedTag[];
}

/** The operations of a path, by their methods in lower case. */
type PathItem = { readonly [Method in (typeof METHODS)[number]]?: OperationObject };

/** An operation in a document. `consumes` and `produces` are members of 2.0; `requestBody` is a member of 3.1. */
interface OperationObject {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: { readonly description?: string; readonly content: Content; readonly required: boolean };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly deprecated: boolean;
  /** The names of the security schemes, with the required roles in 3.1, and with empty arrays in 2.0. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter. In 2.0, a field of a form and the body are parameters too, and only the body has a `schema`. */
export interface ParameterObject {
  readonly name: string;
  readonly in: SentPlace | 'body';
  readonly schema?: DescribedSchema;
  readonly [keyword: string]: unknown;
}

/** A schema object, or some of its keywords. */
export type DescribedSchema = Readonly<Record<string, unknown>>;

/** A response. `schema` and `examples` are members of 2.0; `content` is a member of 3.1. */
export interface ResponseObject {
  readonly description: string;
  readonly schema?: DescribedSchema;
  readonly headers?: Readonly<Record<string, DescribedSchema>>;
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** Bodies by their media types, each with a schema. */
export type Content = Readonly<Record<string, object>>;

/** A declared response. `description` is its text in the document. `bodies` is empty if the status is an error. */
export interface DescribedResponse extends Pick<ResponseDeclaration, 'schema' | 'headers'> {
  readonly status: number;
  readonly description: string;
  readonly bodies: readonly DescribedBody[];
}

/**
 * Returns `paths`, in the order of their first operations. `input` returns the members that precede `responses`.
 * `rolesOf` returns undefined for a scheme that the format cannot describe.
 */
export function pathItems(
  operations: readonly DescribedOperation[],
  options: DescriptionOptions,
  input: (operation: DescribedOperation) => Pick<OperationObject, 'parameters'> & Partial<OperationObject>,
  response: (response: DescribedResponse) => ResponseObject,
  rolesOf: RolesOf,
): Record<string, PathItem> {
  const responsesIn = (described: DescribedOperation): OperationObject['responses'] =>
    Object.fromEntries(
      Object.entries(responsesOf(described)).map(([key, declaration]) => {
        const status = Number(key);
        // If the declaration has no text, it is "Success" for 200, and the reason phrase for any other status (D17).
        const phrase = status === 200 ? 'Success' : (statusText(status) ?? 'Unknown');
        const description = commentOf(options, declaration.description) ?? phrase;
        const bodies = status >= 400 ? [] : responseBodies(declaration, described);
        return [key, response({ ...declaration, status, description, bodies })];
      }),
    );
  const membersOf = (described: DescribedOperation): OperationObject => {
    const { controller, operation, id, security } = described;
    // Written before the input, because the named schemas are listed in the order in which they are written.
    const responses = responsesIn(described);
    const ways = security?.map((way) => needsOf(way));
    const hidden = ways?.filter((way) => way.some((need) => rolesOf(need) === undefined));
    return present({
      tags: [controller.name],
      summary: commentOf(options, operation.summary),
      description: commentOf(options, [operation.remarks, ...cookieTexts(hidden)].filter(Boolean).join('\n\n')),
      operationId: id,
      ...input(described),
      responses,
      deprecated: operation.deprecated === true,
      security: requirements(ways, rolesOf),
    });
  };
  const itemOf = (path: string): PathItem => {
    const onPath = operations.filter((each) => each.path === path);
    const ofMethod = (method: string) => onPath.filter(({ operation }) => operation.method.toLowerCase() === method);
    return Object.fromEntries(METHODS.flatMap((method) => ofMethod(method).map((each) => [method, membersOf(each)])));
  };
  return Object.fromEntries([...new Set(operations.map(({ path }) => path))].map((path) => [path, itemOf(path)]));
}

/** Returns the ways without the schemes that the format cannot describe; undefined if these are all. */
function requirements(ways: readonly Needs[] | undefined, rolesOf: RolesOf): OperationObject['security'] {
  const described = ways
    ?.map((way) => present(Object.fromEntries(way.map((need) => [need.scheme.schemeName, rolesOf(need)]))))
    .filter((known, at) => Object.keys(known).length > 0 || ways[at]!.length === 0);
  return described?.length === 0 && ways!.length > 0 ? undefined : described;
}

export type DescribedScheme = Readonly<Record<string, string>>;

type Needs = ReturnType<typeof needsOf>;
type RolesOf = (need: Needs[number]) => readonly string[] | undefined;

/** Returns a text for each way with a cookie, which the format cannot describe. */
const cookieTexts = (hidden: readonly Needs[] = []): readonly string[] => {
  const textOf = ({ scheme: { schemeName, kind } }: Needs[number]): string =>
    kind.type === 'apiKey' && kind.in === 'cookie' ? `the cookie \`${kind.name}\`` : `\`${schemeName}\``;
  return [...new Set(hidden.map((way) => `A caller can send ${way.map(textOf).join(' and ')} as credentials.`))];
};

/** Returns the security schemes of these operations, by name. `write` returns undefined to leave a scheme out. */
export const schemesOf = (
  operations: readonly DescribedOperation[],
  write: (scheme: SecurityScheme) => DescribedScheme | undefined,
): Record<string, DescribedScheme> => {
  const needs = operations.flatMap(({ security = [] }) => security.flatMap(needsOf));
  return present(Object.fromEntries(needs.map(({ scheme }) => [scheme.schemeName, write(scheme)])));
};
