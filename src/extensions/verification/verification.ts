/**
 * Checks every reply against the description, for development and for tests (`--verify-description`).
 *
 * The reply of an operation must match what the operation declares. An error that no operation declares, such as an
 * unknown path, a timeout or a failure, must be a problem with every member (D10, D14). A mismatch is a 500 and a line
 * in the log.
 */

import { after } from '../../extending.ts';
import type { Plugin, Reply, Stage } from '../../index.ts';
import { type OperationSettings, type ProblemFormat, type PropertyNaming, responsesOf } from '../../operations.ts';
import { verifyProblem, verifyReply } from './verify-reply.ts';

export { verifyProblem, verifyReply } from './verify-reply.ts';

/** The two checks: `plugin` for all errors, `verify` for the replies of operations. */
export interface Verification {
  readonly plugin: Plugin;
  readonly verify: NonNullable<OperationSettings['verify']>;
}

/**
 * The checks for an application with this naming, which writes its problems in this format.
 *
 *     const { plugin, verify } = verification('camelCase');
 *     const composed = application([plugin, todo()], { verify });
 */
export function verification(naming: PropertyNaming, problems?: ProblemFormat): Verification {
  const checked = (reply: Reply): Reply => {
    if (reply.status >= 400) verifyProblem(reply, problems);
    return reply;
  };
  const verification: Stage = (context, next) => after(next(context), checked);
  return {
    plugin: { name: 'verification', outerStages: [verification] },
    verify(routed, reply) {
      const responses = responsesOf(routed);
      const { status } = reply;
      if (Object.hasOwn(responses, status)) return verifyReply(routed, reply, naming, problems);
      // What has no ETag still answers a condition, which nobody sends who reads the description.
      const hasTag = Object.keys(responses[200]?.headers ?? {}).some((name) => name.toLowerCase() === 'etag');
      const ofCondition = routed.operation.method === 'GET' && !hasTag ? [304, 412] : [];
      if (status === 304 && ofCondition.includes(status)) return;
      if (status === 408 || status >= 500 || ofCondition.includes(status)) verifyProblem(reply, problems);
      else verifyReply(routed, reply, naming, problems);
    },
  };
}
