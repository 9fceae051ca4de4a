/**
 * Shows each reply of a handler to a check before it is sent. The problem of an `HttpProblem` that is thrown counts as
 * one.
 */
import type { Reply } from '../../http/message/context.ts';
import { HttpProblem, problemReply } from '../../http/message/problem.ts';
import type { RouteHandler } from '../../routing/route/route.ts';

/** The handler with the check behind it. Its promise rejects with what `verify` throws. */
export const verified =
  (handler: RouteHandler, verify: (reply: Reply) => void): RouteHandler =>
  async (context, match, routes) => {
    let reply: Reply;
    try {
      reply = await handler(context, match, routes);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      reply = problemReply(context, error.status, error.message, error.extra);
    }
    verify(reply);
    return reply;
  };
