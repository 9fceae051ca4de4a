/** Refuses, when routes are made, a `security` that is no list of schemes and requirements (D71). */
import { areRoles, requirementOf, type Security } from './security-scheme.ts';

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
