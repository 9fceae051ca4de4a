/** Makes stages of what an operation declares: the time of its handler (D48), and the format of its problems. */

import { type ProblemWriter, setProblemWriter } from '../../core/message/problem.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { TICK_MS } from '../../core/wire/connection/limits.ts';
import { setTimeLimit } from '../../core/wire/handler-time.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * Sets the time limit of the handler, in place of that of the server. Throws a `RangeError` for a `handlerTimeout` that
 * is not a number of 1000 or more.
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
    setTimeLimit(context, handlerTimeout);
    return next(context);
  };
}

/** Makes the stage from which on `write` writes the problems of the request. */
export const problemsBy = (write: ProblemWriter): Stage =>
  function problemsBy(context, next) {
    setProblemWriter(context, write);
    return next(context);
  };
