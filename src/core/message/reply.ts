/**
 * Declares the one kind of reply, and makes it: a status, header lines, and a body, all fixed once it is made.
 *
 * A wrong `Content-Length`, or a header that another server reads differently, makes a client take the next response on
 * the connection for a part of this one (RFC 9112 §6.3, §11.2). So a reply that cannot be sent is refused where it is
 * made, and the stack of the error shows the line. What was made may be sent without a further question.
 */
import type { Readable } from 'node:stream';
import { flat, type HeaderLines, isContentLength, lineValue, withoutLines } from './headers/header-lines.ts';
import { headFault, InvalidReply, isIterable, lengthOf, type ReplyBody, replyFault } from './reply-fault.ts';
import type { Representation, StreamedRepresentation } from './representation.ts';
import { releaseSource } from './source-stream.ts';

/**
 * One response, or what one is made of: `ok(…)` and `created(…)` hold a value, `notFound(…)` and `problem(…)` a
 * problem. It is written as bytes where an operation, a route or a stage returns it. `Status` and `Body` are what the
 * handler of an operation may return.
 *
 * The server adds the headers that every response has, and `Content-Length` where the reply has none. An object with a
 * status, headers and a body is a reply as well: it is checked where it is returned, and copied.
 */
export interface Reply<Status extends number = number, Body = unknown, Members = Names<Body>> {
  readonly status: Status;
  readonly headers: HeaderLines;
  /** What is sent; undefined for none, and before it is written. */
  readonly body?: ReplyBody | undefined;
  /** What is written as the body. */
  readonly value?: Body | Representation<Body> | StreamedRepresentation<Body> | undefined;
  /** The detail of a problem. */
  readonly problem?: string | undefined;
  /** Never set; carries the names of the members, so that one which the schema does not have does not compile. */
  readonly names?: Members | undefined;
}

/** The names of the members of a value as far as `Depth` goes, as paths: texts keep errors of the compiler short. */
export type Names<Value, Depth extends readonly unknown[] = [1, 1, 1, 1]> = unknown extends Value
  ? string
  : Value extends string | Uint8Array | Readable
    ? ''
    : Value extends Iterable<infer Item> | AsyncIterable<infer Item>
      ? Depth extends readonly [unknown, ...infer Rest]
        ? '[]' | `[]${Names<Item, Rest>}`
        : 'deeper'
      : Value extends object
        ? Depth extends readonly [unknown, ...infer Rest]
          ? '{}' | { [Name in keyof Value & string]-?: `.${Name}${Names<Value[Name], Rest>}` }[keyof Value & string]
          : 'deeper'
        : '';

/** One fault in a request: in its body at `pointer`, or in the parameter of this name. */
export interface Violation {
  /** A JSON Pointer (RFC 6901), empty for the whole body. */
  readonly pointer?: string | undefined;
  readonly parameter?: string | undefined;
  /** Where the parameter stands. */
  readonly in?: 'path' | 'query' | 'header' | 'formData' | undefined;
  readonly detail: string;
}

/** Further members of a problem, which may replace its `type`, `title` and `instance` (RFC 9457 §3.2). */
export interface ProblemExtra {
  /** The faults of a refused body. */
  readonly errors?: readonly Violation[] | undefined;
  /** Further headers, such as `Retry-After`; not a member of the problem. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [member: string]: unknown;
}

/** What a reply holds that is still to be written. */
export interface Unwritten {
  readonly value?: unknown;
  readonly problem?: string | undefined;
  /** Further members of the problem; its headers are those of the reply. */
  readonly extra?: ProblemExtra | undefined;
  /** Where the Location header leads: an operation, or the name of a route, and its route values (D7). */
  readonly location?: { readonly to: string | object; readonly values: unknown } | undefined;
}

/** Each has all members: V8 reads objects of one shape without a search. */
class MadeReply implements Reply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: ReplyBody | undefined;
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly extra: ProblemExtra | undefined;
  readonly location: Unwritten['location'];
  readonly #isWritten: boolean;

  constructor(
    status: number,
    headers: readonly string[],
    body: ReplyBody | undefined,
    { value, problem, extra, location }: Unwritten,
    isWritten = true,
  ) {
    this.status = status;
    this.headers = Object.freeze(headers);
    this.body = body;
    this.value = value;
    this.problem = problem;
    this.extra = extra;
    this.location = location;
    this.#isWritten = isWritten;
    Object.freeze(this);
  }

  /** Undefined for what was not made here. */
  static isWritten(reply: object): boolean | undefined {
    return #isWritten in reply ? reply.#isWritten : undefined;
  }
}

/** Is this a reply that was made, and whose body is written? Then it can be sent. */
export const isWritten = (returned: unknown): returned is Reply & { readonly headers: readonly string[] } =>
  typeof returned === 'object' && returned !== null && MadeReply.isWritten(returned) === true;

/** Is this a reply that was made, written or not? */
export const isMade = (returned: object): boolean => MadeReply.isWritten(returned) !== undefined;

/** What is still to be written; undefined for a written reply and for what was not made here. */
export const unwrittenOf = (returned: object): Unwritten | undefined =>
  MadeReply.isWritten(returned) === false ? returned : undefined;

/**
 * A reply of lines that this library has written and that fit the body: a `Content-Length` is among them where one is
 * due. Nothing is checked. The caller gives the list away.
 */
export const trustedReply = (status: number, lines: readonly string[], body?: ReplyBody, value?: unknown): Reply =>
  new MadeReply(status, lines, body, value === undefined ? NOTHING : { value });

/**
 * A reply that is still to be written, with these headers of its own. Throws an `InvalidReply` for a status or a header
 * that cannot be sent.
 */
export function unwrittenReply(status: number, unwritten: Unwritten, headers: HeaderLines = NO_LINES): Reply {
  const fault = headFault(status, headers);
  if (fault !== undefined) {
    discardReply(unwritten as Reply);
    throw new InvalidReply(`Cannot make a reply with ${fault}`);
  }
  const lines = flat(headers);
  return new MadeReply(status, lines === NO_LINES ? lines : [...lines], undefined, unwritten, false);
}
const NOTHING: Unwritten = {};
const NO_LINES: readonly string[] = Object.freeze([]);

/**
 * A reply of this status, these headers and this body; its length is added where it is known. Throws an `InvalidReply`
 * for what cannot be sent. `value` is what the body was written of.
 */
export function makeReply(status: number, headers: HeaderLines, body?: ReplyBody, value?: unknown): Reply {
  const fault = replyFault({ status, headers, body });
  if (fault !== undefined) {
    discardReply({ body });
    throw new InvalidReply(`Cannot make a reply with ${fault}`);
  }
  return checkedReply({ status, headers, body }, value);
}

/** The reply of parts in which no fault was found. */
export function checkedReply({ status, headers, body }: Reply, value?: unknown): Reply {
  const lines = [...flat(headers)];
  if (status === 304) {
    // It has neither body nor length, whatever reply a stage changed into one (RFC 9110 §15.4.5).
    discardReply({ body });
    return new MadeReply(304, withoutLines(lines, isContentLength), undefined, NOTHING);
  }
  const length = status === 204 || lineValue(lines, 'Content-Length') !== undefined ? undefined : lengthOf(body);
  if (length !== undefined) lines.push('Content-Length', String(length));
  return new MadeReply(status, lines, body, value === undefined ? NOTHING : { value });
}

/** Releases what a reply holds that is not sent: a stream, with its open file. It may fail without harm from now on. */
export function discardReply(reply: Pick<Reply, 'body' | 'value'> | undefined): void {
  if (isIterable(reply?.body)) releaseSource(reply.body);
  if (isIterable(reply?.value)) releaseSource(reply.value);
}
