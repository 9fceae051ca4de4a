/**
 * Logs what a handler or a stage has to say of a request, with the id of the request (D106). Nothing is made for a
 * request that logs nothing.
 */

import { logEntry } from '../../core/log/log-line.ts';
import type { Context } from '../../core/message/context.ts';
import { logError } from '../../core/message/problem.ts';
import { slot } from '../../core/message/slot.ts';
import { type TraceIds, traceOf } from '../../core/message/trace-ids.ts';
import { article, assertOptions, quoted } from '../../core/options/assert-options.ts';

/** The log of one request. What fails in the log itself never reaches the one who logs. */
interface RequestLogger {
  info(message: string, members?: LogMembers): void;
  warn(message: string, members?: LogMembers): void;
  error(message: string, members?: LogMembers): void;
}

/** What a line says beside the message; errors may be among it. The names of the line itself are taken. */
type LogMembers = Readonly<Record<string, unknown>> & { readonly [Name in Own]?: never };
type Own = 'time' | 'level' | 'message' | 'requestId' | keyof TraceIds;

/** A line as an object, its members behind its own. */
export interface LogEntry extends Readonly<Record<string, unknown>>, Partial<TraceIds> {
  /** In ISO 8601. */
  readonly time: string;
  /** As in the log of the service: `warn` is `warning`. */
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly requestId: string;
  // The ids of its trace, where `traceContext()` takes care of them.
}

/** A log of another library, which takes the members first, as that of pino and bunyan does, and `console`. */
export interface LeveledLog {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
  /** A log whose lines all have these members. It is asked for once for each request that logs. */
  child?(members: { readonly requestId: string } & Partial<TraceIds>): LeveledLog;
}

/** Where the lines go. */
export interface RequestLogOptions {
  /** A function that takes a line as an object, or a log; JSON lines on standard error unless given. */
  readonly log?: LeveledLog | ((entry: LogEntry) => void) | undefined;
}

/** Gives each request its log. */
export interface RequestLog {
  /** The log of this request, in any stage and handler. Throws a `TypeError` for what is no context. */
  of(context: Context): RequestLogger;
}

const LEVELS = ['info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/**
 * Makes the log. The first failure of the given one is told in the log of the service. Throws a `TypeError` for a log
 * that is no function and lacks a level.
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
  assertOptions('log what requests say', options, ['log']);
  const { log = logEntry } = options;
  assertLog(log);
  const loggers = slot<RequestLogger>('request log');
  let hasFailed = false;

  function failed(cause: unknown, context: Context): void {
    if (!hasFailed) logError(new Error('Cannot write to the log that is given; this is told once', { cause }), context);
    hasFailed = true;
  }

  function loggerOf(context: Context): RequestLogger {
    const write = typeof log === 'function' ? entryWriter(log, context) : memberWriter(log, context);
    const at =
      (level: Level) =>
      (message: string, members?: LogMembers): void => {
        try {
          const written: unknown = write(level, message, members);
          if (written instanceof Promise) written.catch((error: unknown) => failed(error, context));
        } catch (error) {
          failed(error, context);
        }
      };
    return { info: at('info'), warn: at('warn'), error: at('error') };
  }

  return {
    of(context) {
      const known = loggers.find(context);
      if (known !== undefined) return known;
      const logger = loggerOf(context);
      loggers.set(context, logger);
      return logger;
    },
  };
}

type Write = (level: Level, message: string, members: LogMembers | undefined) => unknown;

const entryWriter =
  (log: (entry: LogEntry) => void, context: Context): Write =>
  (level, message, members) => {
    const time = new Date().toISOString();
    const own = { time, level: level === 'warn' ? 'warning' : level, message, ...idsOf(context) } as const;
    return log({ ...own, ...members, ...own });
  };

/** Of the request, and of its trace where it has one. */
const idsOf = (context: Context) => ({ requestId: context.requestId, ...traceOf(context) });

function memberWriter(log: LeveledLog, context: Context): Write {
  let child: LeveledLog | undefined;
  return (level, message, members) => {
    if (typeof log.child !== 'function') return log[level]({ ...members, ...idsOf(context) }, message);
    child ??= log.child(idsOf(context));
    return child[level]({ ...members }, message);
  };
}

function assertLog(log: unknown): void {
  if (typeof log === 'function') return;
  const attempt = 'Cannot log what requests say';
  const remedy = 'give a function of the line, or a log such as pino()';
  if (typeof log !== 'object' || log === null)
    throw new TypeError(`${attempt} to ${log === null ? 'null' : article(typeof log)}: ${remedy}`);
  const missing = LEVELS.find((level) => typeof (log as Partial<LeveledLog>)[level] !== 'function');
  if (missing !== undefined) throw new TypeError(`${attempt} to this log: it has no ${quoted(missing)}; ${remedy}`);
}
