/**
 * Defines the settings of a description, and writes the `info` member, which both formats have.
 *
 * Empty members are left out (D13): an empty `contact.email` makes a document invalid.
 */
import type { ProblemFormat, PropertyNaming } from '../../operations.ts';

/** Settings of a description. */
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
export interface DescribedContact {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

/** Returns a comment's text, or undefined if it is empty or comments are off (D17). */
export type CommentFilter = (text: string | undefined) => string | undefined;

/** Returns the filter for the `comments` setting. */
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
  const contact = { ...(name && { name }), ...(url && { url }), ...(email && { email }) };
  return {
    version: version || 'v1',
    title,
    ...(description && { description }),
    ...(termsOfService && { termsOfService }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...(license?.name && { license: { name: license.name, ...(license.url && { url: license.url }) } }),
  };
}
