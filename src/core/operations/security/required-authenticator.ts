/**
 * Decides which authenticator checks a requirement (D71): the one of the same scheme. A name alone is not enough, for
 * the documents would describe one scheme and the service check another.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Authenticator } from './authenticator.ts';
import { requirementOf, type Security } from './security-scheme.ts';

/**
 * The authenticator. Throws a `TypeError` where there is none or more than one. What is an authenticator itself,
 * `bearerTokens(…)` for example, is checked by no other of the same name.
 */
export function requiredAuthenticator(
  required: Security[number],
  authenticators: readonly Authenticator[],
  subject: string,
): Authenticator {
  const { scheme } = requirementOf(required);
  const { schemeName, kind } = scheme;
  const refusal = (fault: string): TypeError => new TypeError(`Cannot protect ${subject}: ${fault}`);
  const named = authenticators.filter((one) => one.scheme.schemeName === schemeName);
  const clash = clashingNames(named);
  if (clash !== undefined) throw refusal(clash);
  const [authenticator] = named;
  if (authenticator === undefined)
    throw refusal(`no plugin checks the security scheme "${schemeName}"; add authentication(…) with one that does`);
  const known = authenticator.scheme;
  const own = [required, scheme].find(isAuthenticator);
  if (own !== undefined && own !== authenticator && own.scheme !== known)
    throw refusal(
      `another authenticator checks the security scheme "${schemeName}"; add the required one too, under another name`,
    );
  if (!isDeepStrictEqual(known.kind, kind))
    throw refusal(
      `the security scheme "${schemeName}" is declared as ${JSON.stringify(kind)}, and its authenticator checks ${JSON.stringify(known.kind)}; make them the same`,
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

const isAuthenticator = (value: object): value is Authenticator => 'authenticate' in value && 'scheme' in value;
