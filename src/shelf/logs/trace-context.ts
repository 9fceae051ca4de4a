/** Gives each request a trace id and a span id (W3C Trace Context, D110). */
import { randomBytes } from 'node:crypto';
import { setTrace, type TraceIds } from '../../extending.ts';
import type { Plugin, Stage } from '../../index.ts';

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
