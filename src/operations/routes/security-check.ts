/**
 * Makes a stage of the security of an operation (D71): 401 without valid credentials, 403 without the roles. It runs
 * before parameters and body are read, so a client that is not allowed learns nothing about them.
 */
import { PluginError } from '../../core/application/plugin.ts';
import type { Context } from '../../core/message/context.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import type { Composition } from '../../core/routing/composition.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import { authenticators } from '../operations.ts';
import {
  type Authenticator,
  assertSecurity,
  caller,
  checkedCredentials,
  clashingNames,
  isAuthenticator,
  requiredAuthenticator,
  requirementOf,
} from '../security.ts';

/**
 * The authenticators of all plugins. The same authenticator may be there twice, if a plugin is mounted twice. Throws a
 * `PluginError` for a value that is not an authenticator, and for two of one name.
 */
export function authenticatorsOf({ offered }: Composition): readonly Authenticator[] {
  const all = new Set<Authenticator>();
  for (const { value, plugin } of offered(authenticators)) {
    const areRight = Array.isArray(value) && value.every((one) => isAuthenticator(Object(one)));
    if (areRight) for (const one of value) all.add(one);
    const remedy = 'give a list of objects { scheme, challenge, authenticate }';
    const fault = areRight ? clashingNames([...all]) : `they are not a list of authenticators; ${remedy}`;
    if (fault !== undefined) throw new PluginError('Cannot add the authenticators of the plugin', plugin, fault);
  }
  return [...all];
}

/** One way to be allowed, with the authenticator of its scheme. */
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
  const ways = security.map(
    (one): Way => ({ ...requirementOf(one), authenticator: requiredAuthenticator(one, authenticators, subject) }),
  );
  return async function securityCheck(context, next) {
    await assertAllowed(ways, context);
    return next(context);
  };
}

/** Why a way does not allow the request. */
type Finding = 'none' | 'invalid' | 'forbidden';

/** Stores the caller if a way allows the request. Rejects with an `HttpProblem`: 403, or 401 with every challenge. */
async function assertAllowed(ways: readonly Way[], context: Context): Promise<void> {
  const findings: Finding[] = [];
  for (const { authenticator, roles } of ways) {
    const checked = await checkedCredentials(authenticator, context);
    const isAllowed = checked.found === 'valid' && roles.every((role) => checked.roles.includes(role));
    if (isAllowed) return caller.set(context, checked);
    findings.push(checked.found === 'valid' ? 'forbidden' : checked.found);
  }
  throw refusal(ways, findings);
}

function refusal(ways: readonly Way[], findings: readonly Finding[]): HttpProblem {
  if (findings.includes('forbidden')) return new HttpProblem(403, 'The credentials do not allow this operation');
  const challenges = ways.map(({ authenticator }, at) =>
    authenticator.challenge(findings[at] === 'invalid' ? 'invalid_token' : undefined),
  );
  const isInvalid = findings.includes('invalid');
  const detail = isInvalid ? 'The credentials are not valid' : 'This operation needs credentials';
  return new HttpProblem(401, detail, { headers: { 'WWW-Authenticate': [...new Set(challenges)].join(', ') } });
}
