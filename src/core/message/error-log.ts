/** Passes the errors of a request to the log of its application: standard error, unless the application has another. */
import { logErrorLine } from '../log/log-line.ts';
import { attempt } from '../log/thrown-value.ts';
import type { Context, Handler } from './context.ts';
import { traceOf } from './request-notes.ts';
import { ownSlot } from './slotted-context.ts';

/** Receives every error that is not an `HttpProblem`. The client sees a 500 without the cause. */
export type ErrorLog = (error: unknown, context: Context) => void;

/** Passes an error to a log. When the log itself throws, both errors are written to standard error. Never throws. */
export function report(error: unknown, context: Context, log: ErrorLog): void {
  try {
    log(error, context);
  } catch (failure) {
    logErrorLine(error, context);
    logErrorLine(failure, context);
  }
}

/** Writes an error to standard error: a line of JSON with its stack, and the request with its trace. Never throws. */
export const logError = (error: unknown, context: object = {}): void =>
  logErrorLine(
    error,
    context,
    attempt(() => traceOf(context as Context), undefined),
  );

const log = ownSlot<ErrorLog>('log');

/** The handler, with this log for its requests; the log is standard error for undefined. */
export const loggingTo = (own: ErrorLog | undefined, handler: Handler): Handler =>
  own === undefined
    ? handler
    : (context) => {
        log.set(context, own);
        return handler(context);
      };

/** The log of this request. */
export const logOf = (context: Context): ErrorLog => log.find(context) ?? logError;
