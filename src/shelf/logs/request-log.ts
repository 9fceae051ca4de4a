/** Lets handlers and stages log messages with the id of the request (D106). */
import { assertOptions, logEntry, logError, quoted, type TraceIds, traceOf } from '../../extending.ts';
import type { Context } from '../../index.ts';

/** The log of one request. Its methods never throw, even if the option `log` fails. */
interface RequestLogger {
  info(message: string, members?: LogMembers): void;
  /** The level of the line is `warning`. */
  warn(message: string, members?: LogMembers): void;
  error(message: string, members?: LogMembers): void;
}

/** Further members of a line; a value may be an error. They do not replace the standard members. */
type LogMembers = Readonly<Record<string, unknown>>;

/** A line as an object: the standard members, then the further members that the caller passed. */
export interface LogEntry extends LogMembers, Partial<TraceIds> {
  /** The time in ISO 8601. */
  readonly time: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly requestId: string;
  // With the plugin `traceContext()`, a line also has `traceId` and `spanId`.
}

/** The options of `requestLog`. */
export interface RequestLogOptions {
  /** Gets and writes each line. Default: writes JSON to standard error. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** The logs of the requests. */
export interface RequestLog {
  /** Returns the log of this request. Call it in any stage or handler. */
  of(context: Context): RequestLogger;
}

/**
 * Returns the logs of the requests. If `log` fails, the service logs the first error. Throws a `TypeError` if `log` is
 * not a function.
 *
 *     const log = requestLog();
 *     route({
 *       path: 'letters',
 *       handle({ context }) {
 *         log.of(context).info('Letters were read', { count: 3 });
 *         return text('three');
 *       },
 *     });
 */
export function requestLog(options: RequestLogOptions = {}): RequestLog {
  assertOptions('log messages of requests', options, ['log']);
  const { log = logEntry } = options;
  if (typeof log !== 'function')
    throw new TypeError(`Cannot log messages of requests to ${quoted(log)}: give a function that writes a line`);
  let hasFailed = false;

  async function write(standard: LogEntry, members: LogMembers | undefined, context: Context): Promise<void> {
    try {
      // The first spread puts the standard members first. The last prevents that further members replace them.
      await log({ ...standard, ...members, ...standard });
    } catch (cause) {
      if (!hasFailed)
        logError(new Error('Cannot write to the log of requestLog; this is logged once', { cause }), context);
      hasFailed = true;
    }
  }

  return {
    of(context) {
      const ids = { requestId: context.requestId, ...traceOf(context) };
      const at =
        (level: LogEntry['level']) =>
        (message: string, members?: LogMembers): void =>
          void write({ time: new Date().toISOString(), level, message, ...ids }, members, context);
      return { info: at('info'), warn: at('warning'), error: at('error') };
    },
  };
}
