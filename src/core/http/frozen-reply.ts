/**
 * Declares the class of the replies that this library creates. A frozen reply is written if its body can be sent.
 *
 * If a `Content-Length` is wrong, or another server reads a header differently, a client can mistake the next response
 * on the connection for a part of this response (RFC 9112 §6.3, §11.2). So the functions that create replies throw for
 * an invalid reply, and the stack trace shows the line. The server sends a frozen reply without checking it again.
 */
import { flat, type HeaderLines } from './headers/header-lines.ts';
import { holdStream } from './held-streams.ts';
import type { ProblemExtra, Reply, Unwritten } from './reply.ts';
import { assertNoFault, headFault, isIterable, type ReplyBody } from './reply-fault.ts';
import { releaseSource } from './source-stream.ts';

class FrozenReply implements Reply {
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

  /** Undefined for an object that this library did not create. */
  static isWritten(returned: unknown): boolean | undefined {
    return typeof returned === 'object' && returned !== null && #isWritten in returned
      ? returned.#isWritten
      : undefined;
  }
}

type FlatReply = Reply & { readonly headers: readonly string[] };

/** True for a reply of this library whose body is written. Such a reply can be sent. */
export const isWritten = (returned: unknown): returned is FlatReply => FrozenReply.isWritten(returned) === true;

/** True for a reply of this library, written or unwritten. */
export const isFrozenReply = (returned: unknown): returned is FlatReply =>
  FrozenReply.isWritten(returned) !== undefined;

/** Returns the value or problem that is still to be written; undefined for a written reply and for any other object. */
export const unwrittenOf = (returned: Reply): Unwritten | undefined =>
  FrozenReply.isWritten(returned) === false ? returned : undefined;

/**
 * Creates a reply without checking it. The headers must match the body and include `Content-Length` where it is
 * required. Do not change `lines` afterwards.
 */
export const trustedReply = (status: number, lines: readonly string[], body?: ReplyBody, value?: unknown): Reply =>
  new FrozenReply(status, lines, body, { value });

/** Creates a reply whose body is written later. Throws an `InvalidReply` for an invalid status or header. */
export function unwrittenReply(status: number, unwritten: Unwritten, headers: HeaderLines = []): Reply {
  if (typeof unwritten.value === 'object') holdStream(unwritten.value);
  const fault = headFault(status, headers);
  if (fault !== undefined) discardReply(unwritten as Reply);
  assertNoFault(fault);
  return new FrozenReply(status, [...flat(headers)], undefined, unwritten, false);
}

/** Releases the streams of a reply that is not sent, and so their open files. Ignores later errors of these streams. */
export function discardReply(reply: Pick<Reply, 'body' | 'value'> | undefined): void {
  if (isIterable(reply?.body)) releaseSource(reply.body);
  if (isIterable(reply?.value)) releaseSource(reply.value);
}
