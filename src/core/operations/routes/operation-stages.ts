/** Makes stages of what an operation declares: the time of its handler (D48), and the format of its problems. */

import type { ProblemWriter } from '../../message/problem.ts';
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
