/**
 * Makes a stage of the security of an operation (D71): 401 without valid credentials, 403 without the roles.
 * It runs before parameters and body are read, so who is not allowed learns nothing about them.
 */
import { after } from '../../message/after.ts';
import type { Context } from '../../message/context.ts';
import { HttpProblem } from '../../message/problem.ts';
import { recordOf } from '../../message/request-record.ts';
import type { Stage } from '../../pipeline/stage.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import {
  type Authenticator,
  assertSecurity,
  checkedCredentials,
  requiredAuthenticator,
  requirementOf,
} from '../security.ts';

/** One way to be allowed, with the authenticator of its scheme. */
interface Way {
  readonly authenticator: Authenticator;
  readonly roles: readonly string[];
}

/**
 * The stage that checks it; undefined where nothing is required. Throws a `TypeError` for a `security` that is no list
 * of schemes, and for a scheme that no authenticator checks: such an operation would be open.
 */
export function securityCheck(
  { controller, operation, security, id }: RoutedOperation,
  authenticators: readonly Authenticator[],
): Stage | undefined {
  const subject = `the operation "${id}"`;
  // An empty text, or false, is not among the routed members; it would allow everyone.
  const declared: unknown = security ?? operation.security ?? controller.security ?? [];
  assertSecurity(declared, subject);
  if (declared.length === 0) return undefined;
  const ways = declared.map(
    (one): Way => ({
      authenticator: requiredAuthenticator(one, authenticators, subject),
      roles: requirementOf(one).roles,
    }),
  );
  return function securityCheck(context, next) {
    return after(tryWays(ways, [], context), () => next(context));
  };
}

/** What is known of a way that was tried and does not allow the request. */
type Finding = 'none' | 'invalid' | 'forbidden';

/** Keeps who calls, where a way allows the request. Fails with 403, or with 401 and every challenge. */
function tryWays(ways: readonly Way[], findings: readonly Finding[], context: Context): void | Promise<void> {
  const way = ways[findings.length];
  if (way === undefined) throw refusal(ways, findings);
  return after(checkedCredentials(way.authenticator, context), (checked) => {
    if (checked.found !== 'valid') return tryWays(ways, [...findings, checked.found], context);
    if (!way.roles.every((role) => checked.roles.includes(role)))
      return tryWays(ways, [...findings, 'forbidden'], context);
    const record = recordOf(context);
    if (record !== undefined) record.caller = checked;
    return undefined;
  });
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
