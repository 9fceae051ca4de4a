/**
 * Makes a stage of the security of an operation (D71): 401 without valid credentials, 403 without the roles. It runs
 * before parameters and body are read, so a client that is not allowed learns nothing about them.
 */
import { isDeepStrictEqual } from 'node:util';
import { PluginError } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { HttpProblem } from '../../core/message/problem.ts';
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
  requirementOf,
  type Security,
  unprotected,
} from '../security.ts';

/**
 * The authenticators of all plugins. The same authenticator may be there twice, if a plugin is mounted twice. Throws a
 * `PluginError` for a value that is not an authenticator, and for two of one name.
 */
export function authenticatorsOf(offered: Composition['offered']): readonly Authenticator[] {
  const all = new Map<string, Authenticator>();
  for (const { value, plugin } of offered(authenticators)) {
    const refused = (fault: string) => new PluginError('Cannot add the authenticators of the plugin', plugin, fault);
    if (!Array.isArray(value) || !value.every((one) => isAuthenticator(Object(one))))
      throw refused(
        'they are not a list of authenticators; give a list of objects { scheme, challenge, authenticate }',
      );
    for (const one of value as readonly Authenticator[]) {
      const { schemeName } = one.scheme;
      const other = all.get(schemeName) ?? one;
      if (other !== one)
        throw refused(
          `two authenticators check a security scheme named "${schemeName}"; give one of them another name, { name: '…' }`,
        );
      all.set(schemeName, one);
    }
  }
  return [...all.values()];
}

/** One way to be allowed: the authenticator, and the roles of which a client needs every one. */
interface Way {
  readonly authenticator: Authenticator;
  readonly roles: readonly string[];
}

/**
 * The stage that checks the security of an operation; undefined where nothing is required. Throws a `TypeError` for a
 * `security` that is not a list of schemes, and for a scheme that no authenticator checks: the operation would be open.
 */
export function securityCheck(
  { security = [], id }: RoutedOperation,
  authenticators: readonly Authenticator[],
): Stage | undefined {
  const subject = `the operation "${id}"`;
  assertSecurity(security, subject);
  if (security.length === 0) return undefined;
  const ways = security.map((one) => wayOf(one, authenticators, subject));
  return async function securityCheck(context, next) {
    await assertAllowed(ways, context);
    return next(context);
  };
}

/**
 * The authenticator of the same scheme. A name alone is not enough, for the documents would describe one scheme and the
 * service check another. What is an authenticator itself is checked by no other of the same name.
 */
function wayOf(required: Security[number], authenticators: readonly Authenticator[], subject: string): Way {
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
  for (const declared of [known.declaredRoles, scheme.declaredRoles]) {
    const role = declared && roles.find((one) => !declared.includes(one));
    if (role === undefined) continue;
    const listed = declared!.map(quoted).join(', ') || 'none';
    throw unprotected(
      subject,
      `it requires the role ${quoted(role)}, and "${schemeName}" has ${listed}${hint(role, declared!)}; correct it, or declare the role`,
    );
  }
  return { authenticator, roles };
}

/** Stores the caller if a way allows the request. Rejects with an `HttpProblem`: 403, or 401 with every challenge. */
async function assertAllowed(ways: readonly Way[], context: Context): Promise<void> {
  const found: Credentials<unknown>['found'][] = [];
  for (const { authenticator, roles } of ways) {
    const checked = await credentialsOf(authenticator, context);
    if (checked.found === 'valid' && roles.every((role) => checked.roles.includes(role)))
      return caller.set(context, checked);
    found.push(checked.found);
  }
  if (found.includes('valid')) throw new HttpProblem(403, 'The credentials do not allow this operation');
  const challenges = ways.map(({ authenticator }, at) =>
    authenticator.challenge(found[at] === 'invalid' ? 'invalid_token' : undefined),
  );
  const detail = found.includes('invalid') ? 'The credentials are not valid' : 'This operation needs credentials';
  throw new HttpProblem(401, detail, { headers: { 'WWW-Authenticate': [...new Set(challenges)].join(', ') } });
}

/** The credentials in a request, with their roles. Rejects with a `TypeError` that says what to return. */
async function credentialsOf(authenticator: Authenticator, context: Context) {
  const returned: unknown = Object(await authenticator.authenticate(context));
  const { found, identity, roles = [] } = returned as Extract<Credentials<unknown>, { found: 'valid' }>;
  const fault = !['none', 'invalid', 'valid'].includes(found)
    ? `its "found" is ${quoted(found)}; return { found: 'none' }, 'invalid', or 'valid' with an identity`
    : isTexts(roles)
      ? undefined
      : `its roles are no list of texts; return roles: ['…']`;
  if (fault === undefined) return { found: found as Credentials<unknown>['found'], identity, roles };
  throw new TypeError(`Cannot use what the authenticator of "${authenticator.scheme.schemeName}" returned: ${fault}`);
}
