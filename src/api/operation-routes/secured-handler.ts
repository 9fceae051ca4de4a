/**
 * Puts in front of an operation what its security requires (D71): 401 without valid credentials, 403 without the roles.
 * It runs before parameters and body are read, so who is not allowed learns nothing about them.
 */
import { after } from '../../http/message/after.ts';
import type { Context } from '../../http/message/context.ts';
import { HttpProblem } from '../../http/message/problem.ts';
import type { RouteHandler } from '../../routing/route/route.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { Authenticator, Credentials } from '../security/authenticator.ts';
import { requirementsOf } from '../security/security-scheme.ts';

/** One way to be allowed, with the authenticator of its scheme. */
interface Way {
  readonly authenticator: Authenticator;
  readonly roles: readonly string[];
}

/**
 * The handler behind the check; the handler itself where nothing is required. Throws a `TypeError` for a scheme that no
 * authenticator checks: such an operation would be open.
 */
export function securedHandler(
  handle: RouteHandler,
  { security = [], id }: RoutedOperation,
  authenticators: readonly Authenticator[],
): RouteHandler {
  if (security.length === 0) return handle;
  const ways = requirementsOf(security).map(({ scheme, roles }): Way => {
    const authenticator = authenticators.find((one) => one.scheme.schemeName === scheme.schemeName);
    if (authenticator !== undefined) return { authenticator, roles };
    throw new TypeError(
      `Cannot protect the operation "${id}": no plugin checks the security scheme "${scheme.schemeName}"; add authentication(…) with one that does`,
    );
  });
  return (input) => after(tryWays(ways, 0, 'none', input.context), () => handle(input));
}

/** What is known after the ways that were tried. */
type Outcome = 'none' | 'invalid' | 'forbidden';

/** Returns where a way allows the request. Fails with 403, or with 401 and every challenge. */
function tryWays(ways: readonly Way[], at: number, outcome: Outcome, context: Context): void | Promise<void> {
  const way = ways[at];
  if (way === undefined) throw refusal(ways, outcome);
  return after(way.authenticator.authenticate(context), (credentials: Credentials<unknown>) => {
    if (credentials.found !== 'valid')
      return tryWays(ways, at + 1, outcome === 'none' ? credentials.found : outcome, context);
    const { roles = [] } = credentials;
    if (way.roles.every((role) => roles.includes(role))) return undefined;
    return tryWays(ways, at + 1, 'forbidden', context);
  });
}

function refusal(ways: readonly Way[], outcome: Outcome): HttpProblem {
  if (outcome === 'forbidden') return new HttpProblem(403, 'The credentials do not allow this operation');
  const challenges = ways.map(({ authenticator }) =>
    authenticator.challenge(outcome === 'invalid' ? 'invalid_token' : undefined),
  );
  const detail = outcome === 'invalid' ? 'The credentials are not valid' : 'This operation needs credentials';
  return new HttpProblem(401, detail, { headers: { 'WWW-Authenticate': [...new Set(challenges)].join(', ') } });
}
