/**
 * Stores facts about a request for its log, metrics and problems: the template of its route, its trace ids, and whether
 * it is a probe.
 */
import type { Context } from './context.ts';
import { librarySlot } from './slotted-context.ts';

/** The slot of the template of the matched route. The template has no slash at its beginning. */
export const matchedTemplateSlot = librarySlot<string>('matched template');

/** Returns the template of the matched route, such as `/api/todo/{id}`; undefined if no route has matched. */
export function matchedTemplate(context: Context): string | undefined {
  const text = matchedTemplateSlot.find(context);
  return text === undefined ? undefined : `/${text}`;
}

/** The trace id, and the id of the span that log lines belong to (W3C Trace Context). */
export interface TraceIds {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits in lower case, not all zero. */
  readonly spanId: string;
}

const trace = librarySlot<TraceIds | (() => TraceIds)>('trace');

/** Returns the trace ids of the request; undefined if no plugin has set them. */
export function traceOf(context: Context): TraceIds | undefined {
  const ids = trace.find(context);
  if (typeof ids !== 'function') return ids;
  const created = ids();
  trace.set(context, created);
  return created;
}

/**
 * Sets the trace ids of the request, or a function that creates them when a log line or a problem first needs them.
 * From now on the log lines of the request have both ids, and its problems have `traceId`.
 */
export const setTrace = (context: Context, ids: TraceIds | (() => TraceIds)): void => trace.set(context, ids);

/** True for a probe of a balancer or a supervisor. The access log, the metrics and the trace omit probes (D120). */
export const probeSlot = librarySlot<true>('probe');
