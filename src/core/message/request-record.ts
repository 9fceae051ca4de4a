/** Keeps what only the server knows of a request: one record, which all copies of its context share. */
import type { Readable } from 'node:stream';
import { Context } from './context.ts';

/** The text of a problem. */
export interface WrittenProblem {
  readonly mediaType: string;
  readonly body: string;
  /** Does `Accept` decide on it? */
  readonly varies: boolean;
}

/** What a framework around the listener has mounted behind it (D78). */
export interface FallThrough {
  /** Gives the request to it. */
  readonly next: () => void;
  /** The body of the reply that says that nothing answers; undefined before it is made. */
  unansweredBody: unknown;
}

/** The trace that a request belongs to (W3C Trace Context): its id, and that of the span that the lines belong to. */
export interface TraceIds {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
}

/** The record of one request. */
export class RequestRecord {
  /** The promise of a reply that is known to be ready when it is fulfilled. */
  pending: unknown = undefined;
  /** Has a stage or a handler replied? */
  hasReply = false;
  /** The route that matched; undefined before routing. */
  route: { readonly template: { readonly text: string } } | undefined = undefined;
  /** How long the reply may take, in milliseconds; undefined for the limit of the server. */
  timeLimit: number | undefined = undefined;
  /** The streams of all replies, each with its maker in words; undefined before the first. */
  streams: Map<Readable, string> | undefined = undefined;
  /** Who calls; undefined where the operation requires no credentials. */
  caller: { readonly identity: unknown } | undefined = undefined;
  /** The values of the slots that stages have set; undefined before the first. */
  slots: Map<object, unknown> | undefined = undefined;
  /** Takes a request that nothing answers; undefined where nothing is mounted behind. */
  fallThrough: FallThrough | undefined = undefined;
  /** Writes a `Problem` of a `Context`, a `ProblemWriter`; undefined for RFC 9457. */
  writeProblem: ((problem: never, context: never) => WrittenProblem | undefined) | undefined = undefined;
  /** The ids, or what makes them once they are asked for; undefined where nothing asks for traces. */
  trace: TraceIds | (() => TraceIds) | undefined = undefined;
  /** Stops waiting for the reply and answers with this error; set while a stage waits. */
  giveUp: ((error: Error) => void) | undefined = undefined;
}

/** The name is shared: a plugin with another copy of this library reads the record too. */
const RECORD: unique symbol = Symbol.for('todo-item-service record');

/** A context that this library has made: it carries the record, which a spread does not copy. */
export abstract class RecordedContext extends Context {
  readonly #record: RequestRecord;

  constructor(record: RequestRecord) {
    super();
    this.#record = record;
  }

  /** For the log, which knows no records. */
  get trace(): TraceIds | undefined {
    const { trace } = this.#record;
    return typeof trace === 'function' ? (this.#record.trace = trace()) : trace;
  }

  get [RECORD](): RequestRecord | undefined {
    return #record in this ? this.#record : undefined;
  }
}

/** The record that all copies of a context share; undefined for an object that is no context of this library. */
export const recordOf = (context: Context): RequestRecord | undefined => (context as RecordedContext)[RECORD];

/** The trace of the request; undefined where no plugin has set one. */
export const traceOf = (context: Context): TraceIds | undefined =>
  recordOf(context) && (context as RecordedContext).trace;

/**
 * Sets the trace of the request, or what makes its ids once a line or a problem needs them: its lines in the log have
 * both from now on, its problems `traceId`.
 */
export function setTrace(context: Context, trace: TraceIds | (() => TraceIds)): void {
  const record = recordOf(context);
  if (record !== undefined) record.trace = trace;
}

/**
 * The template of the route that has matched the request, as a path such as `/api/todo/{id}`; undefined before the
 * match, and where a stage answers.
 */
export function matchedTemplate(context: Context): string | undefined {
  const route = recordOf(context)?.route;
  return route && `/${route.template.text}`;
}
