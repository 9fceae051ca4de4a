/**
 * Lets handlers and stages log messages with the id of the request (D106). Gives each request a trace id and a span id
 * (W3C Trace Context, D110).
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

/** The log of one request. Its methods never throw, even if the option `log` fails. */
interface RequestLogger {
  info(message: string, members?: LogMembers): void;
  warn(message: string, members?: LogMembers): void;
  error(message: string, members?: LogMembers): void;
}

/** Further members of a line; a value may be an error. The names of the standard members are reserved. */
type LogMembers = Readonly<Record<string, unknown>> & { readonly [Name in StandardName]?: never };
type StandardName = 'time' | 'level' | 'message' | 'requestId' | keyof TraceIds;

/** A line as an object: the standard members, then the further members that the caller passed. */
export interface LogEntry extends Readonly<Record<string, unknown>>, Partial<TraceIds> {
  /** The time in ISO 8601. */
  readonly time: string;
  /** The level. `warn` writes `warning`, as the log of the service does. */
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly requestId: string;
  // With the plugin `traceContext()`, a line also has `traceId` and `spanId`.
}

/** The log of another library, such as pino, bunyan or `console`. Its methods take the members before the message. */
export interface LeveledLog {
  info(members: object, message: string): void;
  warn(members: object, message: string): void;
  error(members: object, message: string): void;
  /** Returns a log that adds these members to each line. It is called once for each request that writes a line. */
  child?(members: { readonly requestId: string } & Partial<TraceIds>): LeveledLog;
}

/** The options of `requestLog`. */
export interface RequestLogOptions {
  /** The log of another library, or a function that gets and writes a line. Default: JSON lines on standard error. */
  readonly log?: LeveledLog | ((entry: LogEntry) => void) | undefined;
}

/** The logs of the requests. */
export interface RequestLog {
  /** Returns the log of this request. Call it in any stage or handler. Throws a `TypeError` without a context. */
  of(context: Context): RequestLogger;
}

const LEVELS = ['info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/**
 * Returns the logs of the requests. If `log` fails, the service logs the first error. Throws a `TypeError` if `log` is
 * neither a function nor an object with `info`, `warn` and `error`.
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
  assertLog(log);
  const loggers = slot<RequestLogger>('request log');
  let hasFailed = false;

  function failed(cause: unknown, context: Context): void {
    if (!hasFailed)
      logError(new Error('Cannot write to the log of requestLog; this is logged once', { cause }), context);
    hasFailed = true;
  }

  function loggerOf(context: Context): RequestLogger {
    const write = writerOf(log, context);
    const methodOf =
      (level: Level) =>
      (message: string, members?: LogMembers): void => {
        try {
          const result: unknown = write(level, message, members);
          if (result instanceof Promise) result.catch((error: unknown) => failed(error, context));
        } catch (error) {
          failed(error, context);
        }
      };
    return { info: methodOf('info'), warn: methodOf('warn'), error: methodOf('error') };
  }

  return {
    of(context) {
      const logger = loggers.find(context) ?? loggerOf(context);
      loggers.set(context, logger);
      return logger;
    },
  };
}

/** Returns a function that writes lines of one request to `log`. */
function writerOf(log: LeveledLog | ((entry: LogEntry) => void), context: Context) {
  const ids = () => ({ requestId: context.requestId, ...traceOf(context) });
  let child: LeveledLog | undefined;
  return (level: Level, message: string, members: LogMembers | undefined): unknown => {
    if (typeof log === 'function') {
      const time = new Date().toISOString();
      const standard = { time, level: level === 'warn' ? 'warning' : level, message, ...ids() } as const;
      // The first spread puts the standard members first. The last prevents that further members replace them.
      return log({ ...standard, ...members, ...standard });
    }
    if (typeof log.child !== 'function') return log[level]({ ...members, ...ids() }, message);
    child ??= log.child(ids());
    return child[level]({ ...members }, message);
  };
}

function assertLog(log: unknown): void {
  if (typeof log === 'function') return;
  const attempt = 'Cannot log messages of requests';
  const remedy = 'give a function that writes a line, or a log such as pino()';
  if (typeof log !== 'object' || log === null)
    throw new TypeError(`${attempt} to ${log === null ? 'null' : article(typeof log)}: ${remedy}`);
  const missing = LEVELS.find((level) => typeof (log as Partial<LeveledLog>)[level] !== 'function');
  if (missing !== undefined) throw new TypeError(`${attempt} to this log: it has no ${quoted(missing)}; ${remedy}`);
}

/**
 * Matches a valid `traceparent`. Versions after 00 may have more fields after another dash (§4.3). The expression does
 * not match the joined values of two headers (§4.2).
 */
const TRACEPARENT =
  /^(?!ff)(?!00.{54})[\da-f]{2}-(?<traceId>(?!0{32})[\da-f]{32})-(?<spanId>(?!0{16})[\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/**
 * Returns a plugin that gives each request a trace id and a span id. The log lines of the request have `traceId` and
 * `spanId`; its problems have `traceId`.
 *
 * If an OpenTelemetry span is active, the ids are the ids of that span. Otherwise the plugin uses the ids in a valid
 * `traceparent`, where the span id is the id of the client's span. Otherwise the ids are random. The plugin does not
 * create a span for the service, because nothing would export that span (D110).
 */
export function traceContext(): Plugin {
  const traceContext: Stage = (context, next) => {
    // The active span is read now, because another may be active when a line is written. Other ids are read on demand.
    const active = activeSpan();
    setTrace(context, () => active ?? parsed(String(context.headers['traceparent'])) ?? randomIds());
    return next(context);
  };
  return { name: 'trace-context', outerStages: [traceContext] };
}

function parsed(traceparent: string): TraceIds | undefined {
  const { traceId, spanId } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  return traceId && spanId ? { traceId, spanId } : undefined;
}

function randomIds(): TraceIds {
  const digits = randomBytes(24).toString('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32) };
}

/** The part of the OpenTelemetry API that is used here. The API is in a global object, which all its copies share. */
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
