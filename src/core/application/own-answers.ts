/** Puts in place the answers that an application gives itself: to what nothing answers, and its own problems (D81). */

import { checkReply } from '../message/check-reply.ts';
import { Context, type Handler, type Reply } from '../message/context.ts';
import { headerFault } from '../message/headers/header-fault.ts';
import { type ErrorLog, logToConsole, type ProblemWriter, report } from '../message/problem.ts';
import type { ProblemFormat } from '../operations/operation/problem-format.ts';
import { unanswered } from '../pipeline/unanswered.ts';

/** The end of the stages: the given handler, whose replies are checked, or the 404. */
export const checkedUnanswered = (own: Handler | undefined): Handler =>
  own === undefined
    ? unanswered
    : (context) =>
        checkReply(own(context), context, (name: string) => name, 'the handler "unanswered" of the application');

type Answerer<More extends unknown[]> = (context: Context, ...more: More) => Reply | Promise<Reply>;

/**
 * Makes a function that puts the format into each request which the given handler gets. Without a format it returns the
 * handler itself. Throws a `TypeError` for a media type that no header can carry.
 */
export function writingProblems(format: ProblemFormat | undefined, log: ErrorLog = logToConsole) {
  const write = format === undefined ? undefined : writerOf(format, log);
  return <More extends unknown[]>(handler: Answerer<More>): Answerer<More> =>
    write === undefined
      ? handler
      : (context, ...more) => {
          const state = Context.stateOf(context);
          if (state !== undefined) state.writeProblem = write;
          return handler(context, ...more);
        };
}

function writerOf({ mediaType, write }: ProblemFormat, log: ErrorLog): ProblemWriter {
  if (!/^[\w.+-]+\/[\w.+-]*json\b/.test(mediaType) || headerFault('Content-Type', mediaType) !== undefined)
    throw new TypeError(
      `Cannot write problems as ${JSON.stringify(mediaType)}: it is no media type of JSON; give one such as application/json`,
    );
  return (problem, context) => {
    try {
      const body = JSON.stringify(write(problem, context)) as string | undefined;
      if (body === undefined)
        throw new TypeError('Cannot write the problem: what "write" returned is no value of JSON');
      return { mediaType, body };
    } catch (error) {
      report(error, context, log);
      return undefined;
    }
  };
}
