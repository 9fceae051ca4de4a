/** Declares security schemes, as in OpenAPI, and the security of operations (D71). */

import type { Context } from '../core/http/context.ts';
import { TOKEN } from '../core/http/headers/content-type.ts';
import { librarySlot } from '../core/http/slotted-context.ts';
import { isObject } from '../core/log/thrown-value.ts';
import { unknownName } from '../core/options/assert-options.ts';
import { isRecord, isText, isTexts } from '../core/options/shape.ts';

export type SecuritySchemeKind =
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly description?: string | undefined;
    }
  | { readonly type: 'http'; readonly scheme: 'basic'; readonly description?: string | undefined }
  | {
      readonly type: 'http';
      readonly scheme: 'bearer';
      /** The format of the token, such as `JWT`. It is only a hint for people. */
      readonly bearerFormat?: string | undefined;
      readonly description?: string | undefined;
    };

/** A security scheme, and its name in the description. */
export interface SecurityScheme<Role extends string = string> {
  readonly schemeName: string;
  readonly kind: SecuritySchemeKind;
  /** All roles that an operation may require. Default: any. */
  readonly declaredRoles?: readonly Role[] | undefined;
}

/** A scheme and roles. The caller needs all of the roles. */
interface SchemeAndRoles {
  readonly scheme: SecurityScheme;
  readonly roles?: readonly string[] | undefined;
}

type Requirement = (SecurityScheme & { readonly roles?: undefined }) | SchemeAndRoles;

/** The entry `{}`: the way of a caller without credentials. */
type NoCredentials = Readonly<Record<string, never>>;

/**
 * The ways to get access, as in OpenAPI. One of them is enough. The way `{ all: [a, b] }` needs the credentials of both
 * schemes; the identity of the caller is that of the first. The way `{}` needs no credentials: the identity is undefined
 * without credentials, and wrong credentials are still refused. An empty list allows everyone.
 */
export type Security = readonly (Requirement | { readonly all: readonly Requirement[] } | NoCredentials)[];

/** Refuses security that requires a role which its scheme does not declare. Roles of the type `string` pass. */
export type DeclaredRoles<Requirements> = [UndeclaredRole<Requirements>] extends [never]
  ? unknown
  : { readonly security: `the scheme does not declare the role "${UndeclaredRole<Requirements>}"` };

type UndeclaredRole<Requirements> = Requirements extends readonly (infer One)[] ? UndeclaredIn<One> : never;
type UndeclaredIn<One> = One extends { readonly all: readonly (infer Each)[] }
  ? UndeclaredIn<Each>
  : One extends { readonly scheme: SecurityScheme<infer Role>; readonly roles: readonly (infer Given extends string)[] }
    ? string extends Given
      ? never
      : Exclude<Given, Role>
    : never;

/** The type of the caller of an operation with this security: the identities of its authenticators. */
export type IdentityOf<Requirements> = Requirements extends readonly (infer One)[] ? ShownTo<One> : unknown;

type ShownTo<One> =
  One extends Authenticator<infer Identity>
    ? Identity
    : One extends { readonly scheme: Authenticator<infer Identity> }
      ? Identity
      : One extends { readonly all: readonly [infer First, ...unknown[]] }
        ? ShownTo<First>
        : [keyof One] extends [never]
          ? undefined
          : unknown;

/**
 * Returns a scheme. It may declare all roles that operations may require. Throws a `SyntaxError` if the name has
 * characters other than `A-Za-z0-9_.-`. Throws a `TypeError` if the kind is unknown, the name of an API key cannot be
 * sent by a client, the description is not a string, or the roles are not a list of strings.
 */
export function securityScheme<const Role extends string = string>(
  schemeName: string,
  kind: SecuritySchemeKind,
  declaredRoles?: readonly Role[],
): SecurityScheme<Role> {
  if (!isText(schemeName) || !/^[A-Za-z0-9_.-]+$/.test(schemeName))
    throw new SyntaxError(`Cannot name a security scheme "${schemeName}": use letters, digits, ".", "_" and "-" only`);
  const fault =
    !isKey(kind) && !isHttp(kind)
      ? 'it is neither an apiKey with the name of a header, a query parameter or a cookie, nor http with basic or bearer'
      : kind.description !== undefined && !isText(kind.description)
        ? 'its description is not a string; give a string'
        : declaredRoles !== undefined && !isTexts(declaredRoles)
          ? "its roles are not a list of strings; give ['…'], or leave them out"
          : undefined;
  if (fault !== undefined) throw new TypeError(`Cannot make the security scheme "${schemeName}": ${fault}`);
  return declaredRoles === undefined ? { schemeName, kind } : { schemeName, kind, declaredRoles };
}

const isHttp = (kind: SecuritySchemeKind): boolean =>
  kind.type === 'http' && (kind.scheme === 'basic' || kind.scheme === 'bearer');

function isKey(kind: SecuritySchemeKind): boolean {
  if (kind.type !== 'apiKey' || !isText(kind.name)) return false;
  if (kind.in === 'query') return kind.name !== '';
  return (kind.in === 'header' || kind.in === 'cookie') && TOKEN.test(kind.name);
}

/** Returns what a caller needs for this way: schemes, each with a list of roles and its declaration. */
export function needsOf(way: Security[number]) {
  const needed = 'all' in way ? way.all : Object.keys(way).length === 0 ? [] : [way];
  return (needed as readonly Requirement[]).map(needOf);
}

function needOf(declared: Requirement) {
  const { scheme, roles = [] }: SchemeAndRoles = 'scheme' in declared ? declared : { scheme: declared };
  return { declared, scheme, roles };
}

/** Returns the error for security that cannot be checked. `subject` is, for example, `the operation "…"`. */
export const unprotected = (subject: string, fault: string): TypeError =>
  new TypeError(`Cannot protect ${subject}: ${fault}`);

export function assertSecurity(security: unknown, subject: string): asserts security is Security {
  if (!Array.isArray(security))
    throw unprotected(subject, 'its security is not a list; give [scheme, …], or [] to allow everyone');
  for (const [at, one] of security.entries()) {
    const needsNothing = isRecord(one) && Object.keys(one).length === 0;
    const fault = needsNothing ? undefined : wayFault(Object(one), `its security[${at}]`);
    if (fault !== undefined) throw unprotected(subject, fault);
  }
}

function wayFault(way: object, place: string): string | undefined {
  if (!('all' in way)) return requirementFault(way as SecurityScheme, place);
  const surplus = unknownName(way, ['all']);
  if (surplus !== undefined) return `${place} has the member "${surplus}" beside "all"; give it a scheme in the list`;
  if (!Array.isArray(way.all) || way.all.length === 0)
    return `the member "all" of ${place} is not a list of schemes; give [scheme, …], or {} for no credentials`;
  return way.all.map((one, at) => requirementFault(Object(one), `${place}.all[${at}]`)).find(Boolean);
}

function requirementFault(one: SecurityScheme, place: string): string | undefined {
  const { scheme, roles } = needOf(one);
  const { schemeName, kind }: Partial<SecurityScheme> = Object(scheme);
  if (!isText(schemeName) || !isRecord(kind))
    return isAuthenticator(Object(scheme))
      ? `the scheme of ${place} is an authenticator without schemeName and kind; make it { ...scheme, scheme, challenge, authenticate }`
      : `${place} is not a scheme; give securityScheme(…), an authenticator or { scheme, roles }`;
  // Roles in a scheme, next to `schemeName`, would be ignored, so a caller without the roles would get access.
  const known = 'scheme' in one ? ['scheme', 'roles'] : ['schemeName', 'kind', 'declaredRoles'];
  const surplus = isAuthenticator(one) ? undefined : unknownName(one, known);
  if (surplus !== undefined)
    return `${place} has the member "${surplus}"; give a scheme, or { scheme, roles } with its roles`;
  return isTexts(roles) ? undefined : `the roles of ${place} are not a list of strings; give roles: ['…']`;
}

/** The result of an authenticator for a request. */
export type Credentials<Identity> =
  | { readonly found: 'none' }
  | { readonly found: 'invalid' }
  | { readonly found: 'valid'; readonly identity: Identity; readonly roles?: readonly string[] | undefined };

/**
 * Checks the credentials of one scheme. An application has one authenticator for each scheme name. Create an
 * authenticator as `{ ...scheme, scheme, challenge, authenticate }`, so that it can be used as a scheme: with
 * `security: [{ scheme: authenticator, roles }]`, the handler gets an identity of the type `Identity`.
 */
export interface Authenticator<Identity = unknown> {
  readonly scheme: SecurityScheme;
  /**
   * Returns the value of `WWW-Authenticate` for a 401. `error` is set if the request has credentials of this scheme and
   * they are not valid (RFC 6750 §3.1). If the value begins with `Basic`, a browser asks the user for a password before
   * a script of the page gets the 401.
   */
  challenge(error?: 'invalid_token'): string;
  /** Returns the credentials in a request. If the result is not of the type `Credentials`, the reply is 500. */
  authenticate(context: Context): Credentials<Identity> | PromiseLike<Credentials<Identity>>;
}

export function isAuthenticator(value: object): value is Authenticator {
  const { scheme, challenge, authenticate } = value as Partial<Authenticator>;
  return isObject(scheme) && typeof challenge === 'function' && typeof authenticate === 'function';
}

/** The slot of the context that has the identity of the caller. All copies of the library share the slot. */
export const caller = librarySlot<{ readonly identity: unknown }>('caller');

/**
 * Returns the identity of the caller; undefined for a caller without credentials, if a way allows this. Throws an `Error`
 * if the operation has no security.
 */
export function callerOf(context: Context, operation: string | undefined): unknown {
  const found = caller.find(context);
  if (found !== undefined) return found.identity;
  throw new Error(
    `Cannot identify the caller of "${operation}": it requires no credentials; ` +
      'declare security: [scheme], not public: true',
  );
}
