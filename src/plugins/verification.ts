/**
 * Compares every reply with the description, for development and for tests (`--verify-description`).
 *
 * An operation's reply is held to what the operation declares. What no operation declares – a malformed target, an unknown path,
 * a time-out, a failure – is held to being a problem with every member (D10, D14). A difference is a 500 and a line in the log.
 */
import type { OperationSettings } from '../api/operation/operation-routes.ts';
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import { verifyProblem, verifyReply } from '../api/verify-reply.ts';
import type { Plugin } from '../host/plugin.ts';
import { after } from '../http/message/after.ts';
import type { Reply } from '../http/message/context.ts';

/** The plugin for replies that no operation made, and the check of those that one did. */
export interface Verification {
  readonly plugin: Plugin;
  readonly verify: NonNullable<OperationSettings['verify']>;
}

/** Makes both. */
export function verification(naming: PropertyNaming): Verification {
  const checked = (reply: Reply): Reply => {
    if (reply.status >= 400) verifyProblem(reply);
    return reply;
  };
  return {
    plugin: {
      name: 'verification',
      outerStages: [
        function verification(context, next) {
          return after(next(context), checked);
        },
      ],
    },
    verify(routed, reply) {
      const undeclared =
        (reply.status === 408 || reply.status >= 500) && !Object.hasOwn(routed.operation.responses, reply.status);
      if (undeclared) verifyProblem(reply);
      else verifyReply(routed, reply, naming);
    },
  };
}
