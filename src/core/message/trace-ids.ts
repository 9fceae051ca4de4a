/** Keeps the trace that a request belongs to (W3C Trace Context). */
import type { Context } from './context.ts';
import { ownSlot } from './slotted-context.ts';

/** The id of a trace, and that of the span that the lines of the log belong to. */
export interface TraceIds {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
}

const trace = ownSlot<TraceIds | (() => TraceIds)>('trace');

/** The trace of the request; undefined where no plugin has set one. */
export function traceOf(context: Context): TraceIds | undefined {
  const ids = trace.find(context);
  if (typeof ids !== 'function') return ids;
  const made = ids();
  trace.set(context, made);
  return made;
}

/**
 * Sets the trace of the request, or a function that makes its ids once a line or a problem needs them. From now on the
 * lines of the request in the log have both ids, and its problems have `traceId`.
 */
export const setTrace = (context: Context, ids: TraceIds | (() => TraceIds)): void => trace.set(context, ids);
