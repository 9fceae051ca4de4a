/** Declares how a client shows who it is, in the words of OpenAPI, and who may call an operation (D71). */
import { isObject } from '../core/log/thrown-value.ts';
import type { Context } from '../core/message/context.ts';
import { TOKEN } from '../core/message/headers/content-type.ts';
import { ownSlot } from '../core/message/slotted-context.ts';
import { unknownName } from '../core/options/assert-options.ts';
import { isRecord, isText, isTexts } from '../core/options/shape.ts';

/** What a scheme is, beside its name. */
export type SecuritySchemeKind =
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'query';
      readonly name: string;
      readonly description?: string | undefined;
    }
  | { readonly type: 'http'; readonly scheme: 'basic'; readonly description?: string | undefined }
  | {
      readonly type: 'http';
      readonly scheme: 'bearer';
      /** A hint for people: `JWT`. */
      readonly bearerFormat?: string | undefined;
      readonly description?: string | undefined;
    };

/** A scheme under the name that it has in the documents. */
export interface SecurityScheme<Role extends string = string> {
  readonly schemeName: string;
  readonly kind: SecuritySchemeKind;
  /** All roles that an operation may require. Default: any. */
  readonly declaredRoles?: readonly Role[] | undefined;
}

/** One way to be allowed: the scheme, and the roles of which a client needs every one. */
interface SecurityRequirement {
  readonly scheme: SecurityScheme;
  readonly roles?: readonly string[] | undefined;
}

/** The same with its roles, or none. */
type Requirement = Required<SecurityRequirement> & { readonly roles: readonly string[] };

/** The ways to be allowed; one of them is enough. An empty list allows everyone. */
export type Security = readonly ((SecurityScheme & { readonly roles?: undefined }) | SecurityRequirement)[];

/** Who may have called an operation with this security: the identities of its authenticators. */
export type IdentityOf<Requirements> = Requirements extends readonly (infer One)[] ? ShownTo<One> : unknown;

type ShownTo<One> =
  One extends Authenticator<infer Identity>
    ? Identity
    : One extends { readonly scheme: Authenticator<infer Identity> }
      ? Identity
      : unknown;

/**
 * Makes a scheme, which may declare all its roles. Throws a `SyntaxError` for a name with other characters than
 * `A-Za-z0-9_.-`, and a `TypeError` for an unknown kind, for the name of a key that nobody can send, for a
 * description that is not a text, and for roles that are not a list of texts.
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
      ? 'it is neither an apiKey with the name of a header or of a query parameter, nor http with basic or bearer'
      : kind.description !== undefined && !isText(kind.description)
        ? 'its description is not a text; give one'
        : declaredRoles !== undefined && !isTexts(declaredRoles)
          ? "its roles are no list of texts; give ['…'], or leave them out"
          : undefined;
  if (fault !== undefined) throw new TypeError(`Cannot make the security scheme "${schemeName}": ${fault}`);
  return declaredRoles === undefined ? { schemeName, kind } : { schemeName, kind, declaredRoles };
}

const isHttp = (kind: SecuritySchemeKind): boolean =>
  kind.type === 'http' && (kind.scheme === 'basic' || kind.scheme === 'bearer');

function isKey(kind: SecuritySchemeKind): boolean {
  if (kind.type !== 'apiKey' || !isText(kind.name)) return false;
  return kind.in === 'header' ? TOKEN.test(kind.name) : kind.in === 'query' && kind.name !== '';
}

/** The requirement, with its roles. An authenticator has a scheme, too. */
export function requirementOf(one: SecurityScheme | SecurityRequirement): Requirement {
  const { scheme, roles = [] }: SecurityRequirement = 'scheme' in one ? one : { scheme: one };
  return { scheme, roles };
}

/** The requirements, each with its roles. */
export const requirementsOf = (security: Security): readonly Requirement[] => security.map(requirementOf);

/** The error of an operation that nothing would protect. `subject` is `the operation "…"` for example. */
export const unprotected = (subject: string, fault: string): TypeError =>
  new TypeError(`Cannot protect ${subject}: ${fault}`);

/** Throws a `TypeError` that names the subject and the remedy. */
export function assertSecurity(security: unknown, subject: string): asserts security is Security {
  if (!Array.isArray(security))
    throw unprotected(subject, 'its security is no list; give [scheme, …], or [] to allow everyone');
  for (const [at, one] of security.entries()) {
    const fault = requirementFault(Object(one), `its security[${at}]`);
    if (fault !== undefined) throw unprotected(subject, fault);
  }
}

function requirementFault(one: SecurityScheme, place: string): string | undefined {
  const { scheme, roles } = requirementOf(one);
  const { schemeName, kind }: Partial<SecurityScheme> = Object(scheme);
  if (!isText(schemeName) || !isRecord(kind))
    return isAuthenticator(Object(scheme))
      ? `the scheme of ${place} is an authenticator without schemeName and kind; make it { ...scheme, scheme, challenge, authenticate }`
      : `${place} is no scheme; give securityScheme(…), an authenticator or { scheme, roles }`;
  // Roles beside a name would be ignored, and open the operation.
  const known = 'scheme' in one ? ['scheme', 'roles'] : ['schemeName', 'kind', 'declaredRoles'];
  const surplus = isAuthenticator(one) ? undefined : unknownName(one, known);
  if (surplus !== undefined)
    return `${place} has the member "${surplus}"; give a scheme, or { scheme, roles } with its roles`;
  return isTexts(roles) ? undefined : `the roles of ${place} are no list of texts; give roles: ['…']`;
}

/** What an authenticator finds in a request. */
export type Credentials<Identity> =
  | { readonly found: 'none' }
  | { readonly found: 'invalid' }
  | { readonly found: 'valid'; readonly identity: Identity; readonly roles?: readonly string[] | undefined };

/**
 * Checks the credentials of one scheme. An application has one for each name of a scheme. As
 * `{ ...scheme, scheme, challenge, authenticate }` it is its scheme too: `security: [{ scheme: it, roles }]` then gives
 * the handler an identity of this type.
 */
export interface Authenticator<Identity = unknown> {
  readonly scheme: SecurityScheme;
  /**
   * The value of `WWW-Authenticate` in a 401; `error` is set where the credentials of this scheme are not valid (RFC
   * 6750 §3.1). For `Basic`, a browser asks its user itself before a page sees the 401.
   */
  challenge(error?: 'invalid_token'): string;
  /** A result of any other form is an error: the request is refused with 500. */
  authenticate(context: Context): Credentials<Identity> | PromiseLike<Credentials<Identity>>;
}

/** Tells an authenticator from a scheme and from a requirement. */
export function isAuthenticator(value: object): value is Authenticator {
  const { scheme, challenge, authenticate } = value as Partial<Authenticator>;
  return isObject(scheme) && typeof challenge === 'function' && typeof authenticate === 'function';
}

/** The identity of the caller. A slot of the library itself: two copies of it share the caller. */
export const caller = ownSlot<{ readonly identity: unknown }>('caller');

/** Who calls. Throws an `Error` that names the operation where it has required no credentials. */
export function callerOf(context: Context, operation: string | undefined): unknown {
  const found = caller.find(context);
  if (found !== undefined) return found.identity;
  throw new Error(
    `Cannot tell who calls "${operation}": it requires no credentials; give it security: [scheme], not public: true`,
  );
}
