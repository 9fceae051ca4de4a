/**
 * Declares how a client shows who it is, in the words of OpenAPI: a security scheme, and what an operation requires of
 * it (D71).
 */

/** What a scheme is, beside its name. */
export type SecuritySchemeKind =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query'; readonly name: string; readonly description?: string }
  | { readonly type: 'http'; readonly scheme: 'basic'; readonly description?: string }
  | {
      readonly type: 'http';
      readonly scheme: 'bearer';
      /** A hint for people: `JWT`. */
      readonly bearerFormat?: string;
      readonly description?: string;
    };

/** A scheme under the name that it has in the documents. */
export interface SecurityScheme {
  readonly schemeName: string;
  readonly kind: SecuritySchemeKind;
}

/** One way to be allowed: the scheme, and the roles of which a client needs every one. */
interface SecurityRequirement {
  readonly scheme: SecurityScheme;
  readonly roles?: readonly string[];
}

/** The ways to be allowed; one of them is enough. An empty list allows everyone. */
export type Security = readonly ((SecurityScheme & { readonly roles?: never }) | SecurityRequirement)[];

/**
 * Makes a scheme. Throws a `SyntaxError` for a name with other characters than `A-Za-z0-9_.-`, and a `TypeError` for a
 * kind that is not spoken.
 */
export function securityScheme(schemeName: string, kind: SecuritySchemeKind): SecurityScheme {
  if (!/^[A-Za-z0-9_.-]+$/.test(schemeName))
    throw new SyntaxError(`Cannot name a security scheme "${schemeName}": use letters, digits, ".", "_" and "-" only`);
  const isKey = kind.type === 'apiKey' && ['header', 'query'].includes(kind.in) && typeof kind.name === 'string';
  const isHttp = kind.type === 'http' && ['basic', 'bearer'].includes(kind.scheme);
  if (!isKey && !isHttp)
    throw new TypeError(
      `Cannot make the security scheme "${schemeName}": it is no apiKey in a header or query, and not http with basic or bearer`,
    );
  return { schemeName, kind };
}

/** The requirement, with its roles. An authenticator has a scheme, too. */
export function requirementOf(one: SecurityScheme | SecurityRequirement): Required<SecurityRequirement> {
  const { scheme, roles = [] }: SecurityRequirement = 'scheme' in one ? one : { scheme: one };
  return { scheme, roles };
}

/** The requirements, each with its roles. */
export const requirementsOf = (security: Security): readonly Required<SecurityRequirement>[] =>
  security.map(requirementOf);

/** Is the value a list of texts? A single text would be searched for a part of it. */
export const areRoles = (roles: unknown): roles is readonly string[] =>
  Array.isArray(roles) && roles.every((role) => typeof role === 'string');

/** Throws a `TypeError` that names the subject, `the operation "…"` for example, and the remedy. */
export function assertSecurity(security: unknown, subject: string): asserts security is Security {
  const refusal = (fault: string): TypeError => new TypeError(`Cannot protect ${subject}: ${fault}`);
  if (!Array.isArray(security)) throw refusal('its security is no list; give [scheme, …], or [] to allow everyone');
  for (const [at, one] of security.entries()) {
    const { scheme, roles } = requirementOf(isObject(one) ? (one as unknown as Security[number]) : NOTHING);
    if (!isObject(scheme) || typeof scheme['schemeName'] !== 'string' || !isObject(scheme['kind']))
      throw refusal(`its security[${at}] is no scheme; give securityScheme(…), bearerTokens(…) or { scheme, roles }`);
    const surplus = isObject(one) && !('authenticate' in one) && surplusMember(one);
    if (surplus)
      throw refusal(
        `its security[${at}] has the member "${surplus}"; give a scheme, or { scheme, roles } with its roles`,
      );
    if (!areRoles(roles)) throw refusal(`the roles of its security[${at}] are no list of texts; give roles: ['…']`);
  }
}

/** A member that means nothing: roles beside a name would be ignored, and open the operation. */
function surplusMember(one: Readonly<Record<string, unknown>>): string | undefined {
  const known = 'scheme' in one ? ['scheme', 'roles'] : ['schemeName', 'kind'];
  return Object.keys(one).find((name) => !known.includes(name));
}

const NOTHING = {} as unknown as Security[number];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
