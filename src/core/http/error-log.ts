/** Passes the errors of a request to the log of the application, by default to standard error. */
import { logErrorLine } from '../log/log-line.ts';
import { attempt } from '../log/thrown-value.ts';
import type { Context, Handler } from './context.ts';
import { traceOf } from './request-notes.ts';
import { librarySlot } from './slotted-context.ts';

/** Receives every error that is not an `HttpProblem`. The client gets a 500 without the cause. */
export type ErrorLog = (error: unknown, context: Context) => void;

/** Passes an error to a log. If the log throws or rejects, writes both errors to standard error. Never throws. */
export function report(error: unknown, context: Context, log: ErrorLog): void {
  const failed = (failure: unknown): void => {
    logError(error, context);
    logError(failure, context);
  };
  try {
    const logged: unknown = log(error, context);
    if (logged instanceof Promise) logged.catch(failed);
  } catch (failure) {
    failed(failure);
  }
}

/** Writes an error to standard error: one JSON line with its stack trace, request id and trace ids. Never throws. */
export function logError(error: unknown, context?: Context): void {
  const request = ({ method, path, requestId }: Context) => ({ method, path, requestId });
  logErrorLine(error, context && attempt(() => ({ ...request(context), ...traceOf(context) }), undefined));
}

const logSlot = librarySlot<ErrorLog>('log');

/** Returns a handler that uses this log for its requests; the handler itself if the log is undefined. */
export const loggingTo = (log: ErrorLog | undefined, handler: Handler): Handler =>
  log === undefined
    ? handler
    : (context) => {
        logSlot.set(context, log);
        return handler(context);
      };

export const logOf = (context: Context): ErrorLog => logSlot.find(context) ?? logError;
