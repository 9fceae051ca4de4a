/**
 * Decides what a client sees of an error: problem details (RFC 9457, D10), never a stack, a file path or an errno.
 *
 * Code below a handler throws an `HttpProblem` for an error that it expects. Any other error becomes a 500; its cause
 * goes to the log only.
 */

import { logErrorLine } from '../log/log-line.ts';
import { attempt, hasMember, isError, thrownMember } from '../log/thrown-value.ts';
import type { Context, Handler } from './context.ts';
import { flat, lineValue } from './headers/header-lines.ts';
import { API_POLICY, PROBLEM_HEADERS, statusText } from './headers/reply-headers.ts';
import { trustedReply } from './made-reply.ts';
import { matchedTemplate } from './matched-template.ts';
import { makeReply } from './replies.ts';
import type { ProblemExtra, Reply, Violation } from './reply.ts';
import { assertHeaders, InvalidReply } from './reply-fault.ts';
import { ownSlot } from './slotted-context.ts';
import { traceOf } from './trace-ids.ts';

/** The body of a problem: the members of RFC 9457 §3.1, and those that this service adds. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The requested path with the base path. */
  readonly instance: string;
  readonly requestId: string;
  readonly errors?: readonly Violation[] | undefined;
  readonly [member: string]: unknown;
}

const NO_EXTRA: ProblemExtra = {};
const BRAND: unique symbol = Symbol.for('todo-item-service HttpProblem');

/** Throws a `RangeError` for a status that is not 400 to 599. */
export function assertErrorStatus(status: number): void {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new RangeError(
      `Cannot make a problem with the status "${status}": it is no error status; give one from 400 to 599`,
    );
}

/**
 * An error whose detail the client may see. Throws a `RangeError` for a status that is not 400 to 599, and an
 * `InvalidReply` for a header that cannot be sent.
 *
 *     throw new HttpProblem(429, 'Try again in a minute', { headers: { 'Retry-After': '60' } });
 */
export class HttpProblem extends Error {
  readonly status: number;
  readonly extra: ProblemExtra;

  constructor(status: number, detail: string, extra: ProblemExtra = {}) {
    assertErrorStatus(status);
    if (extra.headers !== undefined) assertHeaders(flat(extra.headers));
    super(detail);
    this.name = 'HttpProblem';
    this.status = status;
    this.extra = extra;
  }

  get [BRAND](): true {
    return true;
  }

  /** True as well for a problem of another copy of this library, which a plugin may have been bundled with. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HttpProblem) return Function.prototype[Symbol.hasInstance].call(this, value);
    return hasMember(value, BRAND);
  }
}

/** The text of a problem. */
interface WrittenProblem {
  readonly mediaType: string;
  readonly body: string;
  /** Does `Accept` decide on it? */
  readonly varies: boolean;
}

/** Writes a problem in another format than RFC 9457; undefined where it cannot. */
export type ProblemWriter = (problem: Problem, context: Context) => WrittenProblem | undefined;

const writer = ownSlot<ProblemWriter>('problem writer');

/** From now on `write` writes the problems of this request. */
export const setProblemWriter = (context: Context, write: ProblemWriter): void => writer.set(context, write);

/**
 * The reply for a problem. It is not stored by caches, unless the extra headers have a `Cache-Control`. Throws an
 * `InvalidReply` for a header that cannot be sent.
 */
export function problemReply(
  context: Pick<Context, 'path' | 'requestId' | 'basePath'>,
  status: number,
  detail: string,
  extra: ProblemExtra = NO_EXTRA,
): Reply {
  const { basePath, path, requestId } = context;
  const title = statusText(status) ?? 'Error';
  const trace = traceOf(context as Context);
  if (trace !== undefined) extra = { traceId: trace.traceId, ...extra };
  const plain: Problem = { type: 'about:blank', title, status, detail, instance: basePath + path, requestId };
  const problem = extra === NO_EXTRA ? plain : withMembers(plain, extra);
  const own = writer.find(context as Context)?.(problem, context as Context);
  const { mediaType, body } = own ?? { mediaType: 'application/problem+json', body: JSON.stringify(problem) };
  const lines = ['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body))];
  if (own?.varies) lines.push('Vary', 'Accept');
  if (extra.headers === undefined) return trustedReply(status, [...lines, ...PROBLEM_HEADERS], body);
  const policy = lineValue(flat(extra.headers), 'Cache-Control') !== undefined ? API_POLICY : PROBLEM_HEADERS;
  // A second Content-Length among them would split the response, so the whole is checked (RFC 9112 §6.3).
  return makeReply(status, [...lines, ...policy, ...flat(extra.headers)], body);
}

/** Adds the members of `extra`. `type`, `title` and `instance` keep their places and take the values of `extra`. */
function withMembers(problem: Problem, { headers: _, ...members }: ProblemExtra): Problem {
  const { status, detail, requestId } = problem;
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return { ...problem, ...given, status, detail, requestId };
}

/** Receives every error that is not an `HttpProblem`. The client sees a 500 without the cause. */
export type ErrorLog = (error: unknown, context: Context) => void;

/** The reply for a thrown error, which is logged unless it is a valid `HttpProblem`. */
export function replyToError(error: unknown, context: Context, log: ErrorLog): Reply {
  if (error instanceof HttpProblem) {
    try {
      return problemReply(context, error.status, error.message, error.extra);
    } catch (fault) {
      error = fault; // of a problem that was changed, or made by another copy of this library
    }
  }
  const thrown = isError(error) ? undefined : thrownMember(error, 'status');
  if (typeof thrown === 'number') {
    const template = matchedTemplate(context);
    const maker = template === undefined ? 'A stage' : `The route "${template}", or a stage,`;
    const remedy = `return it, or throw new HttpProblem(${thrown >= 400 ? thrown : 404}, '…')`;
    error = new InvalidReply(`${maker} threw a reply with the status ${thrown}; ${remedy}`, { cause: error });
  }
  report(error, context, log);
  const detail = 'The service failed to answer this request; its log has the cause under this request id';
  return problemReply(context, 500, detail);
}

/** Passes an error to a log. When the log itself throws, both errors are written to standard error. Never throws. */
export function report(error: unknown, context: Context, log: ErrorLog): void {
  try {
    log(error, context);
  } catch (failure) {
    logErrorLine(error, context);
    logErrorLine(failure, context);
  }
}

/** Writes an error to standard error: a line of JSON with its stack, and the request with its trace. Never throws. */
export const logError = (error: unknown, context: object = {}): void =>
  logErrorLine(
    error,
    context,
    attempt(() => traceOf(context as Context), undefined),
  );

const log = ownSlot<ErrorLog>('log');

/** The handler, with this log for its requests; the log is standard error for undefined. */
export const loggingTo = (own: ErrorLog | undefined, handler: Handler): Handler =>
  own === undefined
    ? handler
    : (context) => {
        log.set(context, own);
        return handler(context);
      };

/** The log of this request. */
export const logOf = (context: Context): ErrorLog => log.find(context) ?? logError;

const CLIENT_GONE: unique symbol = Symbol.for('todo-item-service ClientGone');

/** Rejects the promise of a body that will not be complete because its client disconnected. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }

  get [CLIENT_GONE](): true {
    return true;
  }

  /**
   * True as well for the error of another copy of this library, which a plugin may have been bundled with, and for an
   * error with such a cause: Node makes an `AbortError` of the reason of a signal.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasMember(value, CLIENT_GONE) || hasMember(thrownMember(value, 'cause'), CLIENT_GONE);
  }
}
