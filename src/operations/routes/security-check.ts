/**
 * Creates the stage that checks the security of an operation. It refuses a request without valid credentials with 401,
 * and a request without the roles with 403 (D71). It runs before the parameters and the body are read, so a client
 * without access gets no errors about them.
 */
import { isDeepStrictEqual } from 'node:util';
import { PluginError } from '../../core/application/plugin.ts';
import type { Context } from '../../core/http/context.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { quoted } from '../../core/options/assert-options.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { isTexts } from '../../core/options/shape.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import type { Composition } from '../../core/routing/composition.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import { authenticators } from '../operations.ts';
import {
  type Authenticator,
  assertSecurity,
  type Credentials,
  caller,
  isAuthenticator,
  needsOf,
  unprotected,
} from '../security.ts';

/**
 * Returns the authenticators of all plugins. An authenticator appears twice if its plugin is mounted twice. Throws a
 * `PluginError` for an invalid authenticator, and for two different authenticators with the same scheme name.
 */
export function authenticatorsOf(offered: Composition['offered']): readonly Authenticator[] {
  const all = new Map<string, Authenticator>();
  for (const { value, plugin } of offered(authenticators)) {
    const invalid = (fault: string) => new PluginError('Cannot add the authenticators of the plugin', plugin, fault);
    if (!Array.isArray(value) || !value.every((element) => isAuthenticator(Object(element))))
      throw invalid(
        'they are not a list of authenticators; give a list of objects { scheme, challenge, authenticate }',
      );
    for (const authenticator of value as readonly Authenticator[]) {
      const { schemeName } = authenticator.scheme;
      const other = all.get(schemeName) ?? authenticator;
      if (other !== authenticator)
        throw invalid(
          `two authenticators check a security scheme named "${schemeName}"; give one of them another name, { name: '…' }`,
        );
      all.set(schemeName, authenticator);
    }
  }
  return [...all.values()];
}

/**
 * Returns the stage that checks the security of an operation; undefined for an operation without security. Throws a
 * `TypeError` for a `security` that is not a list of schemes, and for a scheme without an authenticator, because nobody
 * would check it.
 */
export function securityCheck(
  { security = [], id }: Pick<RoutedOperation, 'security' | 'id'>,
  authenticators: readonly Authenticator[],
): Stage | undefined {
  const subject = `the operation "${id}"`;
  assertSecurity(security, subject);
  if (security.length === 0) return undefined;
  const ways = security.map((way) => needsOf(way).map((need) => checkedNeed(need, authenticators, subject)));
  return async function securityCheck(context, next) {
    await assertAllowed(ways, context);
    return next(context);
  };
}

/**
 * Returns the authenticator with the name of the required scheme, and the required roles. Throws a `TypeError` if its
 * kind differs, because the description would show one kind and the service would check another. Also throws if the
 * operation requires another authenticator with the same scheme name.
 */
function checkedNeed(
  { declared, scheme, roles }: ReturnType<typeof needsOf>[number],
  authenticators: readonly Authenticator[],
  subject: string,
) {
  const { schemeName, kind } = scheme;
  const authenticator = authenticators.find((offered) => offered.scheme.schemeName === schemeName);
  if (authenticator === undefined)
    throw unprotected(
      subject,
      `no plugin checks the security scheme "${schemeName}"; add a plugin that offers an authenticator of it`,
    );
  const offeredScheme = authenticator.scheme;
  const requiredOne = [declared, scheme].find(isAuthenticator);
  if (requiredOne !== undefined && requiredOne !== authenticator && requiredOne.scheme !== offeredScheme)
    throw unprotected(
      subject,
      `another authenticator checks the security scheme "${schemeName}"; add the required one too, under another name`,
    );
  if (!isDeepStrictEqual(offeredScheme.kind, kind))
    throw unprotected(
      subject,
      `the security scheme "${schemeName}" is declared as ${JSON.stringify(kind)}, and its authenticator checks ${JSON.stringify(offeredScheme.kind)}; make them equal`,
    );
  for (const declared of [offeredScheme.declaredRoles, scheme.declaredRoles]) {
    const role = declared && roles.find((name) => !declared.includes(name));
    if (role === undefined) continue;
    const listed = declared!.map(quoted).join(', ') || 'none';
    throw unprotected(
      subject,
      `it requires the role ${quoted(role)}, and "${schemeName}" has ${listed}${hint(role, declared!)}; correct it, or declare the role`,
    );
  }
  return { authenticator, roles };
}

/**
 * Stores the caller if a way allows the request. Else rejects with an `HttpProblem`: 403, or 401 with all challenges.
 */
async function assertAllowed(ways: readonly (readonly Need[])[], context: Context): Promise<void> {
  const found = new Map<Authenticator, Checked>();
  let isForbidden = false;
  for (const needs of ways) {
    for (const { authenticator } of needs)
      if (!found.has(authenticator)) found.set(authenticator, await credentialsOf(authenticator, context));
    const sent = needs.map(({ authenticator }) => found.get(authenticator)!);
    if (needs.length === 0 || sent.some((checked) => checked.found !== 'valid')) continue;
    const isAllowed = needs.every(({ roles }, at) => roles.every((role) => sent[at]!.roles.includes(role)));
    if (isAllowed) return caller.set(context, sent[0]!);
    isForbidden = true;
  }
  const isInvalid = [...found.values()].some((checked) => checked.found === 'invalid');
  if (!isInvalid && ways.some((needs) => needs.length === 0)) return caller.set(context, { identity: undefined });
  if (isForbidden) throw new HttpProblem(403, 'The credentials do not allow this operation');
  const challenges = [...found].map(([authenticator, checked]) =>
    authenticator.challenge(checked.found === 'invalid' ? 'invalid_token' : undefined),
  );
  const detail = isInvalid ? 'The credentials are not valid' : 'This operation needs credentials';
  throw new HttpProblem(401, detail, { headers: { 'WWW-Authenticate': [...new Set(challenges)].join(', ') } });
}

type Need = ReturnType<typeof checkedNeed>;
type Checked = Awaited<ReturnType<typeof credentialsOf>>;

/** Returns the authenticator's credentials with roles. Rejects with a `TypeError` if they have another form. */
async function credentialsOf(authenticator: Authenticator, context: Context) {
  const returned: unknown = Object(await authenticator.authenticate(context));
  const { found, identity, roles = [] } = returned as Extract<Credentials<unknown>, { found: 'valid' }>;
  const fault = !['none', 'invalid', 'valid'].includes(found)
    ? `its "found" is ${quoted(found)}; return { found: 'none' }, 'invalid', or 'valid' with an identity`
    : isTexts(roles)
      ? undefined
      : `its roles are not a list of strings; return roles: ['…']`;
  if (fault === undefined) return { found: found as Credentials<unknown>['found'], identity, roles };
  throw new TypeError(`Cannot use what the authenticator of "${authenticator.scheme.schemeName}" returned: ${fault}`);
}
