/** Puts around the handler of an operation the time that the operation declares (D48), and the check of its replies. */

import { HttpProblem, type ProblemWriter, problemReply } from '../../message/problem.ts';
import { discardReply, type Reply } from '../../message/reply.ts';
import { recordOf } from '../../message/request-record.ts';
import type { RouteHandler } from '../../routing/route.ts';
import { TICK_MS } from '../../wire/connection/limits.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * The handler with its time limit, in place of that of the server. Throws a `RangeError` for a `handlerTimeout` that is
 * no number of a second or more.
 */
export function withHandlerTimeout(handler: RouteHandler, operation: Operation): RouteHandler {
  const { handlerTimeout, method, path } = operation;
  if (handlerTimeout === undefined) return handler;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout >= TICK_MS)) {
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to answer: it is no time, or one below a second, which ` +
        `is how often times are checked; give ${TICK_MS} or more`,
    );
  }
  return (input) => {
    const record = recordOf(input.context);
    if (record !== undefined) record.timeLimit = handlerTimeout;
    return handler(input);
  };
}

/** The handler whose problems are written so, from its match on. */
export const withProblems =
  (handler: RouteHandler, write: ProblemWriter): RouteHandler =>
  (input) => {
    const record = recordOf(input.context);
    if (record !== undefined) record.writeProblem = write;
    return handler(input);
  };

/**
 * The handler with the check of each reply behind it. The problem of an `HttpProblem` that is thrown counts as one. Its
 * promise rejects with what `verify` throws.
 */
export const verified =
  (handler: RouteHandler, verify: (reply: Reply) => void): RouteHandler =>
  async (input) => {
    let reply: Reply;
    try {
      reply = await handler(input);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      reply = problemReply(input.context, error.status, error.message, error.extra);
    }
    try {
      verify(reply);
    } catch (error) {
      discardReply(reply);
      throw error;
    }
    return reply;
  };
