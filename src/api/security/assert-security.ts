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
    if (!areRoles(roles)) throw refusal(`the roles of its security[${at}] are no list of texts; give roles: ['…']`);
  }
}

const NOTHING = {} as unknown as Security[number];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
