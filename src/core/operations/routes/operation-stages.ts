/** Makes stages of what an operation declares: the time of its handler (D48), the format of its problems, a check. */

import { HttpProblem, type ProblemWriter, problemReply } from '../../message/problem.ts';
import { discardReply, type Reply } from '../../message/reply.ts';
import { recordOf } from '../../message/request-record.ts';
import type { Stage } from '../../pipeline/stage.ts';
import { TICK_MS } from '../../wire/connection/limits.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * Sets the time limit of the handler, in place of that of the server. Throws a `RangeError` for a `handlerTimeout` that
 * is no number of a second or more.
 */
export function timeLimit({ handlerTimeout, method, path }: Operation): Stage | undefined {
  if (handlerTimeout === undefined) return undefined;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout >= TICK_MS)) {
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to answer: it is no time, or one below a second, which ` +
        `is how often times are checked; give ${TICK_MS} or more`,
    );
  }
  return function timeLimit(context, next) {
    const record = recordOf(context);
    if (record !== undefined) record.timeLimit = handlerTimeout;
    return next(context);
  };
}

/** Has the problems of the request written so, from the match on. */
export const problemsBy = (write: ProblemWriter): Stage =>
  function problemsBy(context, next) {
    const record = recordOf(context);
    if (record !== undefined) record.writeProblem = write;
    return next(context);
  };

/**
 * Checks each reply. The problem of an `HttpProblem` that is thrown counts as one. Its promise rejects with what
 * `verify` throws.
 */
export const verifying =
  (verify: (reply: Reply) => void): Stage =>
  async (context, next) => {
    let reply: Reply;
    try {
      reply = await next(context);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      reply = problemReply(context, error.status, error.message, error.extra);
    }
    try {
      verify(reply);
    } catch (error) {
      discardReply(reply);
      throw error;
    }
    return reply;
  };
