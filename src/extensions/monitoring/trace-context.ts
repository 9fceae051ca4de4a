/** Takes over the trace that a request brings in `traceparent` (W3C Trace Context), or begins one. */
import { randomBytes } from 'node:crypto';
import type { Plugin } from '../../core/application/plugin.ts';
import { setTrace, type TraceIds } from '../../core/message/trace-ids.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

/** Later versions may have more behind a further dash (§4.3). Two headers, joined by a comma, are none (§4.2). */
const TRACEPARENT =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}|(?!00|ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?)$/;
const ALL_ZERO = /^0+$/;

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
    setTrace(context, () => active ?? parsed(context.headers['traceparent']) ?? begun());
    return next(context);
  };
  return { name: 'trace-context', outerStages: [traceContext] };
}

function parsed(traceparent: unknown): TraceIds | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : undefined;
  const [traceId, spanId] = [found?.[1] ?? found?.[3], found?.[2] ?? found?.[4]];
  if (traceId === undefined || spanId === undefined || ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId))
    return undefined;
  return { traceId, spanId };
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
