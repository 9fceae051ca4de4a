/**
 * Declares how a client shows who it is, in the words of OpenAPI, and decides which authenticator checks that (D71).
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../core/log/thrown-value.ts';
import type { Context } from '../core/message/context.ts';
import { TOKEN } from '../core/message/headers/content-type.ts';
import { ownSlot } from '../core/message/slotted-context.ts';
import { hint, quoted, unknownName } from '../core/options/assert-options.ts';
import { isRecord, isTexts } from '../core/options/shape.ts';

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
  if (typeof schemeName !== 'string' || !/^[A-Za-z0-9_.-]+$/.test(schemeName))
    throw new SyntaxError(`Cannot name a security scheme "${schemeName}": use letters, digits, ".", "_" and "-" only`);
  const isKey =
    kind.type === 'apiKey' &&
    typeof kind.name === 'string' &&
    (kind.in === 'header' ? TOKEN.test(kind.name) : kind.in === 'query' && kind.name !== '');
  const isHttp = kind.type === 'http' && ['basic', 'bearer'].includes(kind.scheme);
  if (!isKey && !isHttp)
    throw new TypeError(
      `Cannot make the security scheme "${schemeName}": it is neither an apiKey with the name of a header or of a query parameter, nor http with basic or bearer`,
    );
  if (kind.description !== undefined && typeof kind.description !== 'string')
    throw new TypeError(`Cannot make the security scheme "${schemeName}": its description is not a text; give one`);
  if (declaredRoles === undefined) return { schemeName, kind };
  if (!isTexts(declaredRoles))
    throw new TypeError(
      `Cannot make the security scheme "${schemeName}": its roles are no list of texts; give ['…'], or leave them out`,
    );
  return { schemeName, kind, declaredRoles };
}

/** The requirement, with its roles. An authenticator has a scheme, too. */
export function requirementOf(one: SecurityScheme | SecurityRequirement): Requirement {
  const { scheme, roles = [] }: SecurityRequirement = 'scheme' in one ? one : { scheme: one };
  return { scheme, roles };
}

/** The requirements, each with its roles. */
export const requirementsOf = (security: Security): readonly Requirement[] => security.map(requirementOf);

/** Throws a `TypeError` that names the subject, `the operation "…"` for example, and the remedy. */
export function assertSecurity(security: unknown, subject: string): asserts security is Security {
  if (!Array.isArray(security))
    throw unprotected(subject, 'its security is no list; give [scheme, …], or [] to allow everyone');
  for (const [at, one] of security.entries()) {
    const fault = requirementFault(Object(one), `security[${at}]`);
    if (fault !== undefined) throw unprotected(subject, fault);
  }
}

function requirementFault(one: Members, place: string): string | undefined {
  const { scheme, roles } = requirementOf(one as unknown as SecurityRequirement);
  const { schemeName, kind } = Object(scheme) as Partial<SecurityScheme>;
  if (typeof schemeName !== 'string' || !isRecord(kind))
    return isAuthenticator(Object(scheme))
      ? `the scheme of its ${place} is an authenticator without schemeName and kind; make it { ...scheme, scheme, challenge, authenticate }`
      : `its ${place} is no scheme; give securityScheme(…), an authenticator or { scheme, roles }`;
  // Roles beside a name would be ignored, and open the operation.
  const known = 'scheme' in one ? ['scheme', 'roles'] : ['schemeName', 'kind', 'declaredRoles'];
  const surplus = isAuthenticator(one) ? undefined : unknownName(one, known);
  if (surplus !== undefined)
    return `its ${place} has the member "${surplus}"; give a scheme, or { scheme, roles } with its roles`;
  return isTexts(roles) ? undefined : `the roles of its ${place} are no list of texts; give roles: ['…']`;
}

type Members = Readonly<Record<string, unknown>>;

const unprotected = (subject: string, fault: string): TypeError => new TypeError(`Cannot protect ${subject}: ${fault}`);

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

/**
 * The authenticator that checks a requirement: the one of the same scheme. A name alone is not enough, for the
 * documents would describe one scheme and the service check another. What is an authenticator itself is checked by no
 * other of the same name. Throws a `TypeError` where there is none, and for a role that its scheme does not declare.
 */
export function requiredAuthenticator(
  required: Security[number],
  authenticators: readonly Authenticator[],
  subject: string,
): Authenticator {
  const { scheme, roles } = requirementOf(required);
  const { schemeName, kind } = scheme;
  const authenticator = authenticators.find((one) => one.scheme.schemeName === schemeName);
  if (authenticator === undefined)
    throw unprotected(
      subject,
      `no plugin checks the security scheme "${schemeName}"; add a plugin that offers an authenticator of it`,
    );
  const known = authenticator.scheme;
  const own = [required, scheme].find(isAuthenticator);
  if (own !== undefined && own !== authenticator && own.scheme !== known)
    throw unprotected(
      subject,
      `another authenticator checks the security scheme "${schemeName}"; add the required one too, under another name`,
    );
  if (!isDeepStrictEqual(known.kind, kind))
    throw unprotected(
      subject,
      `the security scheme "${schemeName}" is declared as ${JSON.stringify(kind)}, and its authenticator checks ${JSON.stringify(known.kind)}; make them the same`,
    );
  for (const declared of [known.declaredRoles, scheme.declaredRoles])
    for (const role of roles)
      if (declared?.includes(role) === false)
        throw unprotected(
          subject,
          `it requires the role ${quoted(role)}, and "${schemeName}" has ${declared.map(quoted).join(', ') || 'none'}${hint(role, declared)}; correct it, or declare the role`,
        );
  return authenticator;
}

/** The fault of two different authenticators with one name, and its remedy; undefined where there are none. */
export function clashingNames(authenticators: readonly Authenticator[]): string | undefined {
  const byName = new Map<string, Authenticator>();
  for (const one of authenticators) {
    const { schemeName } = one.scheme;
    const known = byName.get(schemeName) ?? one;
    if (known !== one)
      return `two authenticators check a security scheme named "${schemeName}"; give one of them another name, { name: '…' }`;
    byName.set(schemeName, one);
  }
  return undefined;
}

/** Tells an authenticator from a scheme and from a requirement. */
export function isAuthenticator(value: object): value is Authenticator {
  const { scheme, challenge, authenticate } = value as Partial<Authenticator>;
  return isObject(scheme) && typeof challenge === 'function' && typeof authenticate === 'function';
}

/** What was found, whose it is, and the roles that it gives. */
interface CheckedCredentials {
  readonly found: Credentials<unknown>['found'];
  readonly identity: unknown;
  readonly roles: readonly string[];
}

/** The credentials in a request. Fails with a `TypeError` that says what to return. */
export async function checkedCredentials(authenticator: Authenticator, context: Context): Promise<CheckedCredentials> {
  const returned = Object(await authenticator.authenticate(context)) as CheckedCredentials;
  const { found, identity, roles = [] } = returned;
  const fault =
    found !== 'none' && found !== 'invalid' && found !== 'valid'
      ? `its "found" is ${quoted(found)}; return { found: 'none' }, 'invalid', or 'valid' with an identity`
      : isTexts(roles)
        ? undefined
        : `its roles are no list of texts; return roles: ['…']`;
  if (fault === undefined) return { found, identity, roles };
  const { schemeName } = authenticator.scheme;
  throw new TypeError(`Cannot use what the authenticator of "${schemeName}" returned: ${fault}`);
}

/** What was found of the caller. A slot of the library itself: two copies of it share the caller. */
export const caller = ownSlot<CheckedCredentials>('caller');

/** Who calls. Throws an `Error` that names the operation where it has required no credentials. */
export function callerOf(context: Context, operation: string | undefined): unknown {
  const found = caller.find(context);
  if (found !== undefined) return found.identity;
  throw new Error(
    `Cannot tell who calls "${operation}": it requires no credentials; give it security: [scheme], not public: true`,
  );
}
