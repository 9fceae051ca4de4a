/**
 * What both documents share (D13, D17, D71): the settings, `info`, the operations and their paths, and the security
 * schemes. The order of members is that of the reference (A.6).
 */
import { isJsonType } from '../../core/message/headers/content-type.ts';
import { statusText } from '../../core/message/headers/header-lines.ts';
import type { Route } from '../../core/routing/route.ts';
import { writtenMediaTypes } from '../../operations/media-types/body-writers.ts';
import { operationOf } from '../../operations/operation/controller.ts';
import type { ResponseDeclaration, Writer } from '../../operations/operation/operation.ts';
import { type ProblemFormats, rfc9457 } from '../../operations/operation/problems.ts';
import { responsesOf } from '../../operations/routes/responses-of.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { rowSerializer, serializer } from '../../operations/schema/serialize.ts';
import { requirementsOf, type SecurityScheme } from '../../operations/security.ts';
import { BINARY, type DescribedOperation } from './described-operations.ts';

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
  readonly contact?: DescribedContact | undefined;
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
    const json = serializer(schema, naming) as (value: unknown) => string;
    if (write !== undefined)
      return rawBody(one, example === undefined ? undefined : write(example, rowSerializer(schema, json)));
    return { mediaType: one, schema, example: example === undefined ? undefined : JSON.parse(json(example)) };
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
