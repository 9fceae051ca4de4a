/**
 * Creates the problems that clients get for errors (RFC 9457, D10). A problem never contains a stack trace, a file path
 * or an errno.
 *
 * Code below a handler throws an `HttpProblem` for an error that it expects. Any other error becomes a 500, and only
 * the log gets the error.
 */

import { hasMember, isError, thrownMember } from '../log/thrown-value.ts';
import type { Context } from './context.ts';
import { type ErrorLog, report } from './error-log.ts';
import { PROBLEM_HEADERS, statusText, withDefaults } from './headers/header-lines.ts';
import { ReadyReply } from './ready-reply.ts';
import { makeReply } from './replies.ts';
import { assertHeaders, InvalidReply, isErrorStatus, type Reply } from './reply.ts';
import { matchedTemplate, traceOf } from './request-notes.ts';
import { librarySlot } from './slotted-context.ts';

/** One error in a request: in the body, at `pointer`, or in a parameter, whose name is `parameter`. */
export interface Violation {
  /** A JSON Pointer (RFC 6901), empty for the whole body. */
  readonly pointer?: string | undefined;
  readonly parameter?: string | undefined;
  /** The location of the parameter. */
  readonly in?: 'path' | 'query' | 'header' | 'formData' | undefined;
  readonly detail: string;
  /** The keyword of the schema that refuses the value, such as `maxLength`. A program can find another text with it. */
  readonly keyword?: string | undefined;
  /** The value of the keyword, such as 80. Absent for a keyword without a value, such as `required`. */
  readonly limit?: unknown;
}

/** Further members of a problem. They may replace its `type`, `title` and `instance` (RFC 9457 §3.2). */
export interface ProblemExtra {
  /** The errors in a refused body. */
  readonly errors?: readonly Violation[] | undefined;
  /** Further headers of the reply, such as `Retry-After`. The body of the problem does not contain them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [member: string]: unknown;
}

/** The body of a problem: the members of RFC 9457 §3.1, and further members of this service. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The requested path, including the base path. Absent if the parser of HTTP refuses the request. */
  readonly instance?: string | undefined;
  readonly requestId: string;
  readonly errors?: readonly Violation[] | undefined;
  readonly [member: string]: unknown;
}

const BRAND: unique symbol = Symbol.for('todo-item-service HttpProblem');

/** Throws a `RangeError` for a status outside 400 to 599, and an `InvalidReply` for a header that cannot be sent. */
export function assertProblem(status: number, { headers }: ProblemExtra = {}): void {
  if (!isErrorStatus(status))
    throw new RangeError(
      `Cannot make a problem with the status "${status}": an error status is 400 to 599; give one of these`,
    );
  if (headers !== undefined) assertHeaders(headers);
}

/**
 * An error whose detail the client gets. The constructor throws a `RangeError` for a status outside 400 to 599, and an
 * `InvalidReply` for a header that cannot be sent.
 *
 *     throw new HttpProblem(429, 'Try again in a minute', { headers: { 'Retry-After': '60' } });
 */
export class HttpProblem extends Error {
  readonly status: number;
  readonly extra: ProblemExtra;

  constructor(status: number, detail: string, extra: ProblemExtra = {}) {
    assertProblem(status, extra);
    super(detail);
    this.name = 'HttpProblem';
    this.status = status;
    this.extra = extra;
  }

  get [BRAND](): true {
    return true;
  }

  /** True also for a problem from another copy of this library, such as a copy that is bundled with a plugin. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HttpProblem) return Function.prototype[Symbol.hasInstance].call(this, value);
    return hasMember(value, BRAND);
  }
}

interface WrittenProblem {
  readonly mediaType: string;
  readonly body: string;
  /** Header lines that the problem has, unless its own headers replace them. */
  readonly headers: readonly string[];
}

/** Writes a problem in another format than RFC 9457. Returns undefined to use the format of RFC 9457. */
export type ProblemWriter = (problem: Problem, context: Context) => WrittenProblem | undefined;

/** Writes all problems that are created after it is set. */
export const problemWriter = librarySlot<ProblemWriter>('problem writer');

/**
 * Returns the reply for a problem. Caches do not store it, unless the extra headers include `Cache-Control`. Throws an
 * `InvalidReply` for a header that cannot be sent. A `traceId` in `extra` replaces the request's trace id (D110).
 */
export function problemReply(
  context: Pick<Context, 'requestId'> & Partial<Pick<Context, 'path' | 'basePath'>>,
  status: number,
  detail: string,
  extra: ProblemExtra = {},
): Reply {
  const { headers, ...members } = extra;
  const { basePath = '', path, requestId } = context;
  const trace = traceOf(context as Context);
  const added = Object.entries(members).filter(([name, value]) => value !== undefined && !FIXED.includes(name));
  const problem: Problem = {
    type: 'about:blank',
    title: statusText(status) ?? 'Error',
    status,
    detail,
    instance: path === undefined ? undefined : basePath + path,
    requestId,
    ...(trace && { traceId: trace.traceId }),
    // These members may replace `type`, `title` and `instance`.
    ...Object.fromEntries(added),
  };
  const custom = problemWriter.find(context as Context)?.(problem, context as Context);
  const { mediaType, body } = custom ?? { mediaType: 'application/problem+json', body: JSON.stringify(problem) };
  const length = String(Buffer.byteLength(body));
  const lines = ['Content-Type', mediaType, 'Content-Length', length, ...PROBLEM_HEADERS];
  const further = custom === undefined ? headers : withDefaults(custom.headers, headers);
  // The lines of the library need no check.
  if (further === undefined && isErrorStatus(status)) return new ReadyReply(status, lines, body);
  return makeReply(status, withDefaults(lines, further), body);
}

/** The members of a problem that `extra` cannot replace. */
const FIXED = ['status', 'detail', 'requestId'];

/**
 * Returns the reply for a thrown error. Logs the error unless it is a valid `HttpProblem`. A thrown reply becomes a
 * 500, and the logged error says that a reply must be returned (D47).
 */
export function replyToError(error: unknown, context: Context, log: ErrorLog): Reply {
  if (error instanceof HttpProblem) {
    try {
      return problemReply(context, error.status, error.message, error.extra);
    } catch (fault) {
      error = fault; // the problem was changed, or belongs to another copy of this library
    }
  }
  const thrown = isError(error) ? undefined : thrownMember(error, 'status');
  if (typeof thrown === 'number') {
    const template = matchedTemplate(context);
    const subject = template === undefined ? 'A stage' : `The route "${template}", or a stage,`;
    const remedy = `return it, or throw new HttpProblem(${thrown >= 400 ? thrown : 404}, '…')`;
    error = new InvalidReply(`${subject} threw a reply with the status ${thrown}; ${remedy}`, { cause: error });
  }
  report(error, context, log);
  const detail = 'The service failed to answer this request; its log has the cause under this request id';
  return problemReply(context, 500, detail);
}

const CLIENT_GONE: unique symbol = Symbol.for('todo-item-service ClientGone');

/** The error with which `body()` rejects if the client disconnects before its request is complete. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }

  get [CLIENT_GONE](): true {
    return true;
  }

  /**
   * True also for a `ClientGone` from another copy of this library, such as a copy that is bundled with a plugin. True
   * also for an error whose cause is a `ClientGone`, because Node wraps the reason of a signal in an `AbortError`.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasMember(value, CLIENT_GONE) || hasMember(thrownMember(value, 'cause'), CLIENT_GONE);
  }
}
