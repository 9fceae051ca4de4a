/** Notes of a request that its log, its metrics and its problems need: the template of its route, and its trace. */
import type { Context } from './context.ts';
import { ownSlot } from './slotted-context.ts';

const template = ownSlot<string>('matched template');

/**
 * The template of the route that has matched the request, as a path such as `/api/todo/{id}`; undefined before the
 * match, and where a stage answers.
 */
export function matchedTemplate(context: Context): string | undefined {
  const text = template.find(context);
  return text === undefined ? undefined : `/${text}`;
}

/** Routing calls it with the text of the template of each match. */
export const setMatchedTemplate = (context: Context, text: string): void => template.set(context, text);

/** The id of a trace, and that of the span that the lines of the log belong to (W3C Trace Context). */
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
