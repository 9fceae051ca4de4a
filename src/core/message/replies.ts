/** Makes replies, the usual ones by name, and reads and changes the headers of any reply. */

import { Readable } from 'node:stream';
import { article, assertOptions, quoted } from '../options/assert-options.ts';
import { contentTypeOf } from './headers/content-type.ts';
import {
  API_POLICY,
  flat,
  type HeaderLines,
  isContentLength,
  lineValue,
  withDefaults,
  withoutLines,
} from './headers/header-lines.ts';
import { discardReply, trustedReply, unwrittenOf, unwrittenReply } from './made-reply.ts';
import type { Reply } from './reply.ts';
import { assertNoFault, InvalidReply, isIterable, lengthOf, type ReplyBody, replyFault } from './reply-fault.ts';
import { SourceStream } from './source-stream.ts';

/** The status, 200 unless given, and further headers, which replace others of the same names. */
interface ReplyOptions<Status extends number = number> {
  readonly status?: Status | undefined;
  readonly headers?: HeaderLines | undefined;
}

/**
 * A reply of plain text in UTF-8. Throws an `InvalidReply` for a body that is not a text, and for a status or a header
 * that cannot be sent.
 *
 *     const teapot = text('I am a teapot', { status: 418, headers: { 'Cache-Control': 'no-store' } });
 */
export const text = <const Status extends number = 200>(
  body: string,
  options?: ReplyOptions<Status>,
): Reply<NoInfer<Status>, string> => {
  if (typeof body !== 'string') throw unwritable('text', body, 'a text');
  return ofText(body, 'text/plain; charset=utf-8', options) as Reply<Status, string>;
};

/**
 * A reply of a value as JSON (RFC 8259). Throws what `JSON.stringify` throws, and an `InvalidReply` for a value of
 * which it makes nothing, such as undefined, and for a status or a header that cannot be sent.
 */
export const json = <const Body, const Status extends number = 200>(
  value: Body,
  options?: ReplyOptions<Status>,
): Reply<NoInfer<Status>, Body> => {
  const body = JSON.stringify(value) as string | undefined;
  if (body === undefined) throw unwritable('json', value, 'null or another value of JSON');
  return ofText(body, 'application/json', options, value) as Reply<Status, Body>;
};

/** A reply without a body, 204 unless a status is given. A 204 and a 304 have no `Content-Length` (RFC 9110 §8.6). */
export function empty<const Status extends number = 204>(
  options: ReplyOptions<Status> = {},
): Reply<NoInfer<Status>, never> {
  assertObject(options);
  const { status = 204, headers } = options;
  return makeReply(status, withDefaults(API_POLICY, headers)) as Reply<Status, never>;
}

function ofText(body: string, mediaType: string, options: ReplyOptions | undefined, value?: unknown): Reply {
  const lines = ['Content-Type', mediaType, ...API_POLICY];
  // These lines need no check: it takes 1.1 µs, a tenth of a GET that answers json(…).
  if (options === undefined) return checkedReply({ status: 200, headers: lines, body }, value);
  assertObject(options);
  const { status = 200, headers } = options;
  return makeReply(status, withDefaults(lines, headers), body, value);
}

function unwritable(maker: string, value: unknown, remedy: string): InvalidReply {
  const given = value === undefined ? 'undefined' : article(typeof value);
  return new InvalidReply(`Cannot make ${maker}(…) of ${given}; give ${remedy}, or return empty()`);
}

/** A status in place of the options would be ignored. */
function assertObject(options: ReplyOptions): void {
  if (typeof options !== 'object')
    throw new TypeError(
      `Cannot make a reply with the options ${quoted(options)}: give an object such as { status: 404 }`,
    );
}

/** A stream of Node or of the Web, a generator, a list: whatever `for await` takes, or one text or bytes. */
export type StreamSource = string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

interface StreamOptions<Status extends number = number> extends ReplyOptions<Status> {
  /** `application/octet-stream` unless given. */
  readonly mediaType?: string | undefined;
}

/**
 * A reply that is sent as its source gives it, at the pace of the client; small texts are joined, and go out while the
 * source waits. A client that leaves ends the source: a stream is destroyed, an iterable is returned, so the `finally`
 * of a generator runs. A source that fails cuts the connection, and the log has its error. The status is 200 unless
 * given. Throws an `InvalidReply` for a source that cannot be iterated.
 *
 *     stream(['a,b\n', '1,2\n'], { mediaType: 'text/csv', headers: { 'Content-Disposition': 'attachment' } });
 */
export function stream<const Status extends number = 200>(
  source: StreamSource,
  options: StreamOptions<Status> = {},
): Reply<NoInfer<Status>, Readable> {
  assertOptions('stream', options, ['mediaType', 'status', 'headers']);
  const { mediaType = 'application/octet-stream', status = 200, headers } = options;
  if (!isOneChunk(source) && !isIterable(source)) throw unwritable('stream', source, 'a source of texts or bytes');
  const body = source instanceof Readable ? source : new SourceStream(isOneChunk(source) ? [source] : source);
  const lines = withDefaults(['Content-Type', contentTypeOf(mediaType), ...API_POLICY], headers);
  return makeReply(status, lines, body) as Reply<Status, Readable>;
}

/** A text is an iterable of characters, and bytes are one of numbers. */
const isOneChunk = (source: StreamSource): source is string | Uint8Array =>
  typeof source === 'string' || source instanceof Uint8Array;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * A reply that sends the client to another URI, 302 unless a status is given. 303 is for the result of a POST, 307 and
 * 308 keep method and body, 301 and 308 are for ever.
 *
 *     route({ path: 'old', handle: ({ link }) => redirect(link('new') ?? '/', 308) });
 *
 * Throws a `TypeError` for a location that is not a URI reference in ASCII, a `RangeError` for another status. A text
 * from a client can lead to another site, as `//evil.example` does: check it first. No link leads to another site.
 */
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308 = 302>(
  location: string,
  status?: Status,
  options: Pick<ReplyOptions, 'headers'> = {},
): Reply<NoInfer<Status>, never> {
  assertOptions('redirect', options, ['headers']);
  if (typeof location !== 'string' || !/^[!-[\]-~]+$/.test(location))
    throw new TypeError(
      `Cannot redirect to ${quoted(location)}: it is empty or has a character that no URI has; encode it, with ` +
        'encodeURIComponent or as new URL(…).href',
    );
  const given = status ?? 302;
  if (!REDIRECTS.includes(given))
    throw new RangeError(`Cannot redirect with the status ${quoted(given)}; give one of ${REDIRECTS.join(', ')}`);
  return makeReply(given, withDefaults(['Location', location, ...API_POLICY], options.headers)) as Reply<Status, never>;
}

/**
 * A reply of this status, these headers and this body; its length is added where it is known. Throws an `InvalidReply`
 * for what cannot be sent. `value` is what the body was written of.
 */
export function makeReply(status: number, headers: HeaderLines, body?: ReplyBody, value?: unknown): Reply {
  const fault = replyFault({ status, headers, body });
  if (fault !== undefined) discardReply({ body });
  assertNoFault(fault);
  return checkedReply({ status, headers, body }, value);
}

/** The reply of parts in which no fault was found. */
export function checkedReply({ status, headers, body }: Reply, value?: unknown): Reply {
  const lines = [...flat(headers)];
  if (status === 304) {
    // It has neither body nor length, whatever reply a stage changed into one (RFC 9110 §15.4.5).
    discardReply({ body });
    return trustedReply(304, withoutLines(lines, isContentLength));
  }
  const length = status === 204 || lineValue(lines, 'Content-Length') !== undefined ? undefined : lengthOf(body);
  if (length !== undefined) lines.push('Content-Length', String(length));
  return trustedReply(status, lines, body, value);
}

/** The value of the first header of this name, in any case; undefined for none. */
export const headerOf = (reply: Reply, name: string): string | undefined => lineValue(flat(reply.headers), name);

/**
 * A copy of the reply with these headers in place of its own of the same names, in any case. `Set-Cookie`, `Link`,
 * `Server-Timing` and `WWW-Authenticate` are added to those of the reply, and `Vary` has the names of both. `replyWith`
 * replaces all headers.
 *
 *     const served: Stage = async (context, next) => withHeaders(await next(context), { 'X-Served-By': 'even' });
 */
export const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply =>
  replyWith(reply, { headers: withDefaults(flat(reply.headers), headers) });

/**
 * A copy of the reply with another status, other headers or another body; headers are all headers. The length of a new
 * text or of new bytes takes the place of the old one. A value or a problem stays to be written unless a body is given.
 * Throws an `InvalidReply` for what cannot be sent.
 *
 *     const cut: Stage = async (context, next) => replyWith(await next(context), { status: 404, body: 'none' });
 */
export function replyWith(
  reply: Reply,
  changes: {
    readonly status?: number | undefined;
    readonly headers?: HeaderLines | undefined;
    readonly body?: ReplyBody | undefined;
  },
): Reply {
  const { status = reply.status, body = reply.body } = changes;
  const lines = flat(changes.headers ?? reply.headers);
  const unwritten = unwrittenOf(reply);
  if (unwritten !== undefined && changes.body === undefined) return unwrittenReply(status, unwritten, lines);
  const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
  const isOther = changes.body !== undefined && changes.headers === undefined && !isStream;
  return makeReply(status, isOther ? withoutLines(lines, isContentLength) : lines, body);
}
