/**
 * What can be said about an API as a whole, and the `info` member made of it: the same in both formats.
 *
 * Members without content are left out – an empty `contact.email` makes a document invalid – and so is an object with none left (D13).
 */
import type { PropertyNaming } from '../schema/property-naming.ts';

/** Settings of a description. */
export interface DescriptionOptions {
  readonly title: string;
  /** `v1` unless given (§9). */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly termsOfService?: string | undefined;
  readonly contact?: DescribedContact | undefined;
  /** A license without a name is refused: neither format has one. */
  readonly license?: { readonly name?: string | undefined; readonly url?: string | undefined } | undefined;
  /** The application's base path; `/` when it is empty or not given (D16). */
  readonly basePath?: string | undefined;
  /** Summaries, remarks and the texts of responses and schemas; on unless false (D17). Parameters and headers keep theirs (§2.2). */
  readonly comments?: boolean | undefined;
  /** camelCase unless given (D1). */
  readonly naming?: PropertyNaming | undefined;
}

/** Whom to ask about an API. */
export interface DescribedContact {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly email?: string | undefined;
}

/** The text of a comment as it is shown, or undefined: there is none, or comments are off (D17). */
export type Comment = (text: string | undefined) => string | undefined;

/** Shows comments, or leaves them out. */
export const commentsOf = ({ comments = true }: DescriptionOptions): Comment =>
  comments ? (text) => text || undefined : () => undefined;

/** The `info` member, in the order of the reference (A.6). */
export interface DescriptionInfo {
  readonly version: string;
  readonly title: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string };
}

/** Makes the `info` member. Throws a TypeError for a license that has an address and no name. */
export function infoOf({
  title,
  version,
  description,
  termsOfService,
  contact,
  license,
}: DescriptionOptions): DescriptionInfo {
  if (license?.url && !license.name)
    throw new TypeError(`Cannot describe the license "${license.url}": it has no name; give it one`);
  return {
    version: version || 'v1',
    title,
    ...filled({ description, termsOfService }),
    ...filled({ contact: filled({ name: contact?.name, url: contact?.url, email: contact?.email }) }),
    ...(license?.name ? { license: { name: license.name, ...filled({ url: license.url }) } } : {}),
  };
}

type Filled<Members> = { readonly [Name in keyof Members]?: NonNullable<Members[Name]> };

/** The members that are neither undefined nor empty. */
function filled<Members extends object>(members: Members): Filled<Members> {
  const full = Object.entries(members).filter(([, value]) => value && Object.keys(value as object | string).length > 0);
  return Object.fromEntries(full) as Filled<Members>;
}
