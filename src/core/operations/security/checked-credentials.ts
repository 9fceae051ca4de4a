/**
 * Checks what an authenticator returns, which no compiler may have seen (D71). A result that is not understood allows
 * nobody: it is an error, not a guess.
 */

import { after } from '../../message/after.ts';
import type { Context } from '../../message/context.ts';
import { quoted } from '../../options/quoted.ts';
import { asPromise } from './as-promise.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { areRoles } from './security-scheme.ts';

/** What was found, and the roles that it gives. */
export interface CheckedCredentials {
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
