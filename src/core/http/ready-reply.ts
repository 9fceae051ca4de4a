/**
 * Declares the class of the replies that this library creates, and turns the objects that a stage returned into it.
 *
 * Every function that creates a reply checks it and returns a `ReadyReply`, which can be sent. A stage may also return an
 * object with the same members. `readyReply` checks and copies it where the pipeline calls the stage.
 */
import { Readable } from 'node:stream';
import type { Context } from './context.ts';
import { flat, isContentLength, lineValue, withoutLines } from './headers/header-lines.ts';
import { noteStream } from './held-streams.ts';
import {
  type ErrorSubject,
  invalidReturn,
  isIterable,
  isStream,
  lengthFault,
  lengthOf,
  membersOf,
  type Reply,
  type ReplyBody,
  returnFault,
} from './reply.ts';
import { releaseSource } from './source-stream.ts';
import { capitalised } from './text.ts';

/**
 * A reply that can be sent. Its header lines match its body, so the server sends it without another check: a wrong
 * `Content-Length` would let a client mistake the next response for a part of this one (RFC 9112 §6.3, §11.2).
 */
export class ReadyReply implements Reply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: ReplyBody | undefined;
  /**
   * False for a stream, and for a length without a body, which need a look at the request. The pipeline and the server
   * test this member before they call `readyReply`, which saves a call for each stage.
   */
  readonly isPlain: boolean;

  /** The caller has checked the parts. Do not change `lines` afterwards. */
  constructor(status: number, lines: readonly string[], body?: ReplyBody, isPlain = !(body instanceof Readable)) {
    this.status = status;
    this.headers = Object.freeze(lines);
    this.body = body;
    this.isPlain = isPlain;
    Object.freeze(this);
  }
}

/** Returns a reply with these checked parts. Adds `Content-Length` if it is missing and the length is known. */
export function checkedReply({ status, headers, body }: Reply): ReadyReply {
  const lines = [...flat(headers)];
  if (status === 304) {
    // A 304 has neither a body nor a length, even if a stage created it from another reply (RFC 9110 §15.4.5).
    discardReply({ body });
    return new ReadyReply(304, withoutLines(lines, isContentLength));
  }
  const announced = lineValue(lines, 'Content-Length');
  const length = status === 204 || announced !== undefined ? undefined : lengthOf(body);
  if (length !== undefined) lines.push('Content-Length', String(length));
  const isPlain = body === undefined ? announced === undefined || announced === '0' : !(body instanceof Readable);
  return new ReadyReply(status, lines, body, isPlain);
}

/**
 * Returns the reply to send for the value that a stage or a handler returned. Throws an `InvalidReply` whose message
 * begins with the subject. The pipeline calls this function unless the value is a plain `ReadyReply`.
 */
export function readyReply(returned: Reply, context: Context, subject: ErrorSubject): ReadyReply {
  const reply = returned instanceof ReadyReply ? returned : copyOf(returned, subject);
  if (reply.isPlain) return reply;
  if (reply.body instanceof Readable) noteStream(reply.body, context, () => capitalised(subject()));
  else if ((context.request?.method ?? context.method) !== 'HEAD') {
    // Only a reply to HEAD may announce a length without a body. A copy of the context may have another method.
    const announced = Number(lineValue(reply.headers, 'Content-Length'));
    throw invalidReturn(`a reply with ${lengthFault(announced, 0)}`, subject);
  }
  return reply;
}

function copyOf(returned: Reply, subject: ErrorSubject): ReadyReply {
  const copy = membersOf(returned);
  const fault = returnFault(returned, copy);
  if (fault === undefined) return checkedReply(copy);
  discardReply(returned);
  throw invalidReturn(fault, subject);
}

/**
 * Releases the streams of a reply that is not sent, and so its open file. Also takes another value that a handler
 * returned: a stream or a result. Ignores later errors of the streams.
 */
export function discardReply(returned: unknown): void {
  if (typeof returned !== 'object' || returned === null) return;
  if (isStream(returned)) return releaseSource(returned);
  const { body, value } = returned as { readonly body?: unknown; readonly value?: unknown };
  for (const source of [body, value]) if (isIterable(source)) releaseSource(source);
}
