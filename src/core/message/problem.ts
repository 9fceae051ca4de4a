/**
 * Decides what a client sees of an error: problem details (RFC 9457, D10), never a stack, a file path or an errno.
 *
 * Code below a handler throws an `HttpProblem` for an error that it expects. Any other error becomes a 500; its cause
 * goes to the log only.
 */

import { hasMember, isError, thrownMember } from '../log/thrown-value.ts';
import type { Context } from './context.ts';
import { type ErrorLog, report } from './error-log.ts';
import { API_POLICY, flat, lineValue, PROBLEM_HEADERS, statusText } from './headers/header-lines.ts';
import { makeReply } from './replies.ts';
import type { ProblemExtra, Reply, Violation } from './reply.ts';
import { assertHeaders, InvalidReply } from './reply-fault.ts';
import { matchedTemplate, traceOf } from './request-notes.ts';
import { ownSlot } from './slotted-context.ts';

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

const BRAND: unique symbol = Symbol.for('todo-item-service HttpProblem');

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
  extra: ProblemExtra = {},
): Reply {
  const { headers = {}, ...members } = extra;
  const { basePath, path, requestId } = context;
  const trace = traceOf(context as Context);
  const given = Object.entries(members).filter(([name, value]) => value !== undefined && !FIXED.includes(name));
  const problem: Problem = {
    type: 'about:blank',
    title: statusText(status) ?? 'Error',
    status,
    detail,
    instance: basePath + path,
    requestId,
    ...(trace && { traceId: trace.traceId }),
    // They may replace `type`, `title` and `instance`.
    ...Object.fromEntries(given),
  };
  const own = writer.find(context as Context)?.(problem, context as Context);
  const { mediaType, body } = own ?? { mediaType: 'application/problem+json', body: JSON.stringify(problem) };
  const lines = ['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body))];
  if (own?.varies) lines.push('Vary', 'Accept');
  const policy = lineValue(flat(headers), 'Cache-Control') === undefined ? PROBLEM_HEADERS : API_POLICY;
  // A second Content-Length among them would split the response, so the whole is checked (RFC 9112 §6.3).
  return makeReply(status, [...lines, ...policy, ...flat(headers)], body);
}

/** The members of a problem that `extra` does not replace. */
const FIXED = ['status', 'detail', 'requestId'];

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
