/**
 * A reply that was made: it does not change, and knows whether its body is written. The server releases a reply that it
 * does not send.
 *
 * A wrong `Content-Length`, or a header that another server reads differently, makes a client take the next response on
 * the connection for a part of this one (RFC 9112 §6.3, §11.2). So a reply that cannot be sent is refused where it is
 * made, and the stack of the error shows the line. What was made may be sent without a further question.
 */
import { flat, type HeaderLines } from './headers/header-lines.ts';
import type { ProblemExtra, Reply, Unwritten } from './reply.ts';
import { assertNoFault, headFault, isIterable, type ReplyBody } from './reply-fault.ts';
import { releaseSource } from './source-stream.ts';

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
  static isWritten(returned: unknown): boolean | undefined {
    return typeof returned === 'object' && returned !== null && #isWritten in returned
      ? returned.#isWritten
      : undefined;
  }
}

type Made = Reply & { readonly headers: readonly string[] };

/** Is this a reply that was made, and whose body is written? Then it can be sent. */
export const isWritten = (returned: unknown): returned is Made => MadeReply.isWritten(returned) === true;

/** Is this a reply that was made, written or not? */
export const isMade = (returned: unknown): returned is Made => MadeReply.isWritten(returned) !== undefined;

/** Returns the value or problem that is still to be written; undefined for a written reply and for any other object. */
export const unwrittenOf = (returned: Reply): Unwritten | undefined =>
  MadeReply.isWritten(returned) === false ? returned : undefined;

/**
 * A reply of lines that this library has written and that fit the body: a `Content-Length` is among them where one is
 * due. Nothing is checked. The caller gives the list away.
 */
export const trustedReply = (status: number, lines: readonly string[], body?: ReplyBody, value?: unknown): Reply =>
  new MadeReply(status, lines, body, { value });

/**
 * A reply that is still to be written, with these headers of its own. Throws an `InvalidReply` for a status or a header
 * that cannot be sent.
 */
export function unwrittenReply(status: number, unwritten: Unwritten, headers: HeaderLines = []): Reply {
  const fault = headFault(status, headers);
  if (fault !== undefined) discardReply(unwritten as Reply);
  assertNoFault(fault);
  return new MadeReply(status, [...flat(headers)], undefined, unwritten, false);
}

/** Releases what a reply holds that is not sent: a stream, with its open file. It may fail without harm from now on. */
export function discardReply(reply: Pick<Reply, 'body' | 'value'> | undefined): void {
  if (isIterable(reply?.body)) releaseSource(reply.body);
  if (isIterable(reply?.value)) releaseSource(reply.value);
}
