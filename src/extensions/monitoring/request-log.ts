/**
 * Logs what a handler or a stage has to say of a request, with the id of the request (D106), and gives each request the
 * ids of its trace (W3C Trace Context, D110).
 */
import { randomBytes } from 'node:crypto';
import type { Plugin } from '../../core/application/plugin.ts';
import { logEntry } from '../../core/log/log-line.ts';
import type { Context } from '../../core/message/context.ts';
import { logError } from '../../core/message/error-log.ts';
import { setTrace, type TraceIds, traceOf } from '../../core/message/request-notes.ts';
import { slot } from '../../core/message/slot.ts';
import { article, assertOptions, quoted } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

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
    const write = writerOf(log, context);
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
      const logger = loggers.find(context) ?? loggerOf(context);
      loggers.set(context, logger);
      return logger;
    },
  };
}

/** Writes the lines of one request: a whole entry to a function, members and the message to a log. */
function writerOf(log: LeveledLog | ((entry: LogEntry) => void), context: Context) {
  const ids = () => ({ requestId: context.requestId, ...traceOf(context) });
  let child: LeveledLog | undefined;
  return (level: Level, message: string, members: LogMembers | undefined): unknown => {
    if (typeof log === 'function') {
      const time = new Date().toISOString();
      const own = { time, level: level === 'warn' ? 'warning' : level, message, ...ids() } as const;
      return log({ ...own, ...members, ...own });
    }
    if (typeof log.child !== 'function') return log[level]({ ...members, ...ids() }, message);
    child ??= log.child(ids());
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

/** Versions other than 00 may go on after a further dash (§4.3). Two headers joined by a comma do not match (§4.2). */
const TRACEPARENT =
  /^(?!ff)(?!00.{54})[\da-f]{2}-(?<traceId>(?!0{32})[\da-f]{32})-(?<spanId>(?!0{16})[\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/**
 * Gives each request the ids of a trace: its lines in the log have `traceId` and `spanId`, its problems `traceId`.
 *
 * The ids are those of the span that OpenTelemetry has begun for the request, where it is loaded; else those of a valid
 * `traceparent`, whose span is the caller's; else new ones.
 */
export function traceContext(): Plugin {
  const traceContext: Stage = (context, next) => {
    // The span is the active one now, and may not be when the line is written. The ids are made for who asks.
    const active = activeSpan();
    setTrace(context, () => active ?? parsed(String(context.headers['traceparent'])) ?? begun());
    return next(context);
  };
  return { name: 'trace-context', outerStages: [traceContext] };
}

function parsed(traceparent: string): TraceIds | undefined {
  const { traceId, spanId } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  return traceId && spanId ? { traceId, spanId } : undefined;
}

function begun(): TraceIds {
  const digits = randomBytes(24).toString('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32) };
}

/** What is needed here of the API of OpenTelemetry, of which all copies share one global. */
interface TelemetryApi {
  readonly context?: { active(): { getValue(key: symbol): { spanContext(): TraceIds } | undefined } };
}
const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');

function activeSpan(): TraceIds | undefined {
  const api = (globalThis as { readonly [API]?: TelemetryApi })[API];
  const span = api?.context?.active().getValue(SPAN)?.spanContext();
  return span && { traceId: span.traceId, spanId: span.spanId };
}
