/**
 * What both documents share (D13, D17, D71): the settings, `info`, the paths with the members of their operations, and
 * the security schemes.
 */
import { statusText } from '../../http.ts';
import type { ResponseDeclaration, SecurityScheme } from '../../index.ts';
import { type ProblemFormat, type PropertyNaming, requirementsOf, responsesOf } from '../../operations.ts';
import { type DescribedBody, type DescribedOperation, responseBodies } from './described-operation.ts';

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
  /**
   * Shows summaries, remarks and the texts of responses and schemas; true unless given (D17). Examples and the texts
   * of parameters and headers are always shown (§2.2).
   */
  readonly comments?: boolean | undefined;
  /** `camelCase` unless given (D1). */
  readonly naming?: PropertyNaming | undefined;
  /** How problems are written; as RFC 9457 says unless given (D81). */
  readonly problems?: ProblemFormat | undefined;
}

/** The contact for an API. */
interface DescribedContact {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

/** Gives a comment's text, or undefined if it is empty or comments are off (D17). */
export type CommentFilter = (text: string | undefined) => string | undefined;

export const commentFilter = ({ comments = true }: DescriptionOptions): CommentFilter =>
  comments ? (text) => text || undefined : () => undefined;

/** The `info` member. */
export interface DescriptionInfo {
  readonly version: string;
  readonly title: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string };
}

/** Writes `info` in the order of the reference (A.6). Throws a TypeError for a license with a URL and no name. */
export function infoOf(options: DescriptionOptions): DescriptionInfo {
  const { title, version, description, termsOfService, license } = options;
  if (license?.url && !license.name)
    throw new TypeError(`Cannot describe the license "${license.url}": it has no name; give it one`);
  const { name, url, email } = options.contact ?? {};
  const contact = present({ name: name || undefined, url: url || undefined, email: email || undefined });
  return present({
    version: version || 'v1',
    title,
    description: description || undefined,
    termsOfService: termsOfService || undefined,
    contact: Object.keys(contact).length > 0 ? contact : undefined,
    license: license?.name ? present({ name: license.name, url: license.url || undefined }) : undefined,
  });
}

/** The members that are not undefined, in their order. */
export const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
type Present<Members> = { [Name in keyof Members]: Exclude<Members[Name], undefined> };

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The operations of a path by lower-case method. */
export type PathItem<Members> = { readonly [Method in (typeof METHODS)[number]]?: Members };

/** The members of an operation that both formats have. */
export interface OperationMembers<Response> {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated: boolean;
  /** The names of the schemes, in 3.1 with the roles. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** One declared response. `description` is its text in the document; an error has no `bodies`. */
export interface DescribedResponse extends ResponseDeclaration {
  readonly status: number;
  readonly description: string;
  readonly bodies: readonly DescribedBody[];
}

/** How a format writes the members of an operation that differ. */
export interface OperationFormat<Input extends object, Response> {
  /** The members between `operationId` and `responses`. */
  input(operation: DescribedOperation): Input;
  response(response: DescribedResponse): Response;
  roles(roles: readonly string[]): readonly string[];
}

/** The `paths`, in the order of their first operation; the methods of a path stand in a fixed order (A.6). */
export function pathItems<Input extends object, Response>(
  operations: readonly DescribedOperation[],
  options: DescriptionOptions,
  format: OperationFormat<Input, Response>,
): Record<string, PathItem<OperationMembers<Response> & Input>> {
  const comment = commentFilter(options);
  const membersOf = (described: DescribedOperation): OperationMembers<Response> & Input => {
    const { controller, operation, id, security } = described;
    const responses = describedResponses(described, options).map((one) => [one.status, format.response(one)]);
    const requirements = security && requirementsOf(security);
    return present({
      tags: [controller.name],
      summary: comment(operation.summary),
      description: comment(operation.remarks),
      operationId: id,
      ...format.input(described),
      responses: Object.fromEntries(responses),
      deprecated: operation.deprecated === true,
      security: requirements?.map(({ scheme, roles }) => ({ [scheme.schemeName]: format.roles(roles) })),
    }) as OperationMembers<Response> & Input;
  };
  const byPath = new Map<string, Map<string, DescribedOperation>>();
  for (const described of operations) {
    const { path, operation } = described;
    byPath.set(path, (byPath.get(path) ?? new Map()).set(operation.method.toLowerCase(), described));
  }
  return Object.fromEntries(
    Array.from(byPath, ([path, byMethod]) => {
      const methods = METHODS.filter((method) => byMethod.has(method));
      return [path, Object.fromEntries(methods.map((method) => [method, membersOf(byMethod.get(method)!)]))];
    }),
  );
}

/** By rising status. Without a comment, 200 has the text "Success" and every other its standard phrase (D17). */
function describedResponses(described: DescribedOperation, options: DescriptionOptions): DescribedResponse[] {
  const comment = commentFilter(options);
  return Object.entries(responsesOf(described)).map(([key, declaration]) => {
    const status = Number(key);
    const phrase = status === 200 ? 'Success' : (statusText(status) ?? 'Unknown');
    const bodies = status >= 400 ? [] : responseBodies(declaration, described.operation, options.naming);
    return { ...declaration, status, description: comment(declaration.description) ?? phrase, bodies };
  });
}

/** A security scheme of a document. */
export type DescribedScheme = Readonly<Record<string, string>>;

/** The schemes of these operations by name. `write` writes one for the format. Throws an Error for two of one name. */
export function schemesOf(
  operations: readonly DescribedOperation[],
  write: (scheme: SecurityScheme) => DescribedScheme,
): Record<string, DescribedScheme> {
  const schemes: Record<string, DescribedScheme> = {};
  for (const { scheme } of operations.flatMap(({ security = [] }) => requirementsOf(security))) {
    const written = write(scheme);
    const known = schemes[scheme.schemeName];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(written))
      throw new Error(`Cannot describe two security schemes named "${scheme.schemeName}": they differ; rename one`);
    schemes[scheme.schemeName] = written;
  }
  return schemes;
}
