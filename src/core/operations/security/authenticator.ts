/**
 * Decides which authenticator checks a requirement (D71): the one of the same scheme. A name alone is not enough, for
 * the documents would describe one scheme and the service check another.
 */
import { isDeepStrictEqual } from 'node:util';
import { after } from '../../message/after.ts';
import type { Context } from '../../message/context.ts';
import { quoted } from '../../options/assert-options.ts';
import { areRoles, requirementOf, type Security, type SecurityScheme } from './security-scheme.ts';

/** What an authenticator finds in a request. */
export type Credentials<Identity> =
  | { readonly found: 'none' }
  | { readonly found: 'invalid' }
  | { readonly found: 'valid'; readonly identity: Identity; readonly roles?: readonly string[] };

/** Checks the credentials of one scheme. An application has one for each name of a scheme. */
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

/** What was found, and the roles that it gives. */
interface CheckedCredentials {
  readonly found: Credentials<unknown>['found'];
  readonly roles: readonly string[];
}

/** The credentials in a request. Fails with a `TypeError` that says what to return. */
export const checkedCredentials = (
  authenticator: Authenticator,
  context: Context,
): CheckedCredentials | Promise<CheckedCredentials> =>
  after(asPromise(authenticator.authenticate(context)), (returned) => {
    const { found, roles = [] } = (returned ?? {}) as Partial<CheckedCredentials>;
    const refusal = (fault: string): TypeError =>
      new TypeError(`Cannot use what the authenticator of "${authenticator.scheme.schemeName}" returned: ${fault}`);
    if (found !== 'none' && found !== 'invalid' && found !== 'valid')
      throw refusal(
        `its "found" is ${quoted(found)}; return { found: 'none' }, 'invalid', or 'valid' with an identity`,
      );
    if (!areRoles(roles)) throw refusal(`its roles are no list of texts; return roles: ['…']`);
    return { found, roles };
  });

/**
 * Makes a promise of a thenable, so that `after` waits for it: a caller may use promises of another library. Any other
 * value stays as it is.
 */
export const asPromise = <Value>(value: Value | PromiseLike<Value>): Value | Promise<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function'
    ? Promise.resolve(value)
    : (value as Value);
