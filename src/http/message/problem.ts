/**
 * What a client sees of an error: RFC 9457 problem details (D10), never a stack, a path of this machine or an errno.
 *
 * Below a handler an expected error is thrown as an `HttpProblem`; everything else that is thrown becomes a 500 whose
 * cause goes to the log alone.
 */

import { logError } from '../../log/log-line.ts';
import { hasMember } from '../../log/thrown-value.ts';
import { InvalidReply, replyFault } from './check-reply.ts';
import type { Context, Reply } from './context.ts';
import { API_POLICY, PROBLEM_HEADERS } from './security-headers.ts';
import { statusText } from './status-text.ts';

/** One thing that is wrong with a body, and where: a JSON Pointer (RFC 6901), empty for the body as a whole. */
export interface Violation {
  readonly pointer: string;
  readonly detail: string;
}

/** The body of a problem (RFC 9457 §3.1), with what this service adds to it. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The path that was asked, base path included. */
  readonly instance: string;
  readonly requestId: string;
  readonly errors?: readonly Violation[];
  readonly [member: string]: unknown;
}

/** What else may be said of a problem: further members, or a `type`, a `title` and an `instance` of its own (RFC 9457 §3.2). */
export interface ProblemExtra {
  /** What is wrong with a refused body. */
  readonly errors?: readonly Violation[];
  /** Further header lines, `Retry-After` for example; not a member of the problem. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const BRAND: unique symbol = Symbol.for('todo-item-service HttpProblem');

/** An error that the client may know about. Throws a `RangeError` for a status that is no error. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly extra: ProblemExtra;

  constructor(status: number, detail: string, extra: ProblemExtra = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(
        `Cannot make a problem with the status "${status}": it is no error status; give one from 400 to 599`,
      );
    }
    super(detail);
    this.name = 'HttpProblem';
    this.status = status;
    this.extra = extra;
  }

  get [BRAND](): true {
    return true;
  }

  /** Also true of a problem that another copy of this library made: a plugin may be built against the bundled one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HttpProblem) return Function.prototype[Symbol.hasInstance].call(this, value);
    return hasMember(value, BRAND);
  }
}

/** The body of a problem, as text. `instance` is the path that was asked. */
export function problemText(
  status: number,
  detail: string,
  instance: string,
  requestId: string,
  extra: ProblemExtra = NOTHING_ELSE,
): string {
  const problem: Problem = {
    type: 'about:blank',
    title: statusText(status) ?? 'Error',
    status,
    detail,
    instance,
    requestId,
  };
  if (extra === NOTHING_ELSE) return JSON.stringify(problem);
  const { headers: _, ...members } = extra;
  // A member that is given twice keeps its first place and its last value.
  return JSON.stringify({ ...problem, ...members, status, detail, requestId });
}

/** A problem as a reply to this request. It is not to be stored, unless the extra headers say a `Cache-Control` of their own. */
export function problemReply(
  context: Pick<Context, 'path' | 'requestId' | 'basePath'>,
  status: number,
  detail: string,
  extra: ProblemExtra = NOTHING_ELSE,
): Reply {
  const body = problemText(status, detail, context.basePath + context.path, context.requestId, extra);
  const shared = extra.headers !== undefined && saysCacheControl(extra.headers) ? API_POLICY : PROBLEM_HEADERS;
  const headers = [
    'Content-Type',
    'application/problem+json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...shared,
  ];
  for (const name in extra.headers) headers.push(name, extra.headers[name]!);
  return { status, headers, body };
}

function saysCacheControl(headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if (name.toLowerCase() === 'cache-control') return true;
  return false;
}

const NOTHING_ELSE: ProblemExtra = {};

/** Told of everything that was thrown and is no `HttpProblem`; the client sees a 500 without the cause. */
export type ErrorLog = (error: unknown, context: Context) => void;

/** The reply to something that was thrown. */
export function replyToError(error: unknown, context: Context, log: ErrorLog): Reply {
  if (error instanceof HttpProblem) {
    const reply = problemReply(context, error.status, error.message, error.extra);
    const fault = error.extra.headers === undefined ? undefined : replyFault(reply, context.method);
    if (fault === undefined) return reply;
    error = new InvalidReply(`The problem "${error.message}" ${fault}`, { cause: error });
  }
  report(error, context, log);
  return problemReply(
    context,
    500,
    'The service failed to answer this request; its log has the cause under this request id',
  );
}

/** Tells a log of an error. A log that throws is reported itself, with what it was told, and the request goes on. */
export function report(error: unknown, context: Context, log: ErrorLog): void {
  try {
    log(error, context);
  } catch (failure) {
    logToConsole(error, context);
    logToConsole(failure, context);
  }
}

/** Writes the cause to standard error, as one line of JSON with the stack inside. */
export const logToConsole: ErrorLog = logError;
