/** Creates replies, such as `text(…)` and `json(…)`. Reads and changes the headers of replies. */

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
import { holdStream } from './held-streams.ts';
import { checkedReply, discardReply, ReadyReply } from './ready-reply.ts';
import { assertNoFault, InvalidReply, isIterable, type Reply, type ReplyBody, replyFault } from './reply.ts';
import { SourceStream } from './source-stream.ts';

/** The status, 200 by default, and further headers, which replace default headers of the same names. */
export interface ReplyOptions<Status extends number = number> {
  readonly status?: Status | undefined;
  readonly headers?: HeaderLines | undefined;
}

/**
 * Returns a reply of plain text in UTF-8. Throws an `InvalidReply` for a body that is not a text, and for a status or a
 * header that cannot be sent.
 *
 *     const teapot = text('I am a teapot', { status: 418, headers: { 'Cache-Control': 'no-store' } });
 */
export const text = <const Status extends number = 200>(
  body: string,
  options?: ReplyOptions<Status>,
): Reply<NoInfer<Status>> => {
  if (typeof body !== 'string') throw unwritable('text', body, 'a text');
  return ofText(body, 'text/plain; charset=utf-8', options) as Reply<Status>;
};

/**
 * Returns a reply with a value as JSON (RFC 8259). Throws the errors of `JSON.stringify`. Throws an `InvalidReply` for
 * a value that JSON cannot represent, such as undefined, and for a status or a header that cannot be sent.
 */
export const json = <const Status extends number = 200>(
  value: unknown,
  options?: ReplyOptions<Status>,
): Reply<NoInfer<Status>> => {
  const body = JSON.stringify(value) as string | undefined;
  if (body === undefined) throw unwritable('json', value, 'null or another value of JSON');
  return ofText(body, 'application/json', options) as Reply<Status>;
};

/** Returns a reply without a body, 204 by default. A 204 and a 304 have no `Content-Length` (RFC 9110 §8.6). */
export function empty<const Status extends number = 204>(options: ReplyOptions<Status> = {}): Reply<NoInfer<Status>> {
  assertObject(options);
  const { status = 204, headers } = options;
  return makeReply(status, withDefaults(API_POLICY, headers)) as Reply<Status>;
}

function ofText(body: string, mediaType: string, options: ReplyOptions | undefined): Reply {
  const lines = ['Content-Type', mediaType, ...API_POLICY];
  // The lines of the library need no check.
  if (options === undefined)
    return new ReadyReply(200, [...lines, 'Content-Length', String(Buffer.byteLength(body))], body);
  assertObject(options);
  const { status = 200, headers } = options;
  return makeReply(status, withDefaults(lines, headers), body);
}

function unwritable(name: string, value: unknown, remedy: string): InvalidReply {
  const kind = value === undefined ? 'undefined' : article(typeof value);
  return new InvalidReply(`Cannot make ${name}(…) of ${kind}; give ${remedy}, or return empty()`);
}

/** Throws a `TypeError` for options that are not an object. A number, for example, would be ignored otherwise. */
function assertObject(options: ReplyOptions): void {
  if (typeof options !== 'object')
    throw new TypeError(
      `Cannot make a reply with the options ${quoted(options)}: give an object such as { status: 404 }`,
    );
}

/**
 * The source of a streamed body: any value that `for await` accepts, such as a stream of Node or of the Web, a
 * generator or a list; or a single text or byte array.
 */
export type StreamSource = string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

interface StreamOptions<Status extends number = number> extends ReplyOptions<Status> {
  /** `application/octet-stream` by default. */
  readonly mediaType?: string | undefined;
}

/**
 * Returns a reply that is streamed from its source as fast as the client reads. Small texts are joined, and are sent
 * while the source waits. If the client disconnects, the source is ended: a stream is destroyed, and `return` is called
 * on an iterator, so the `finally` of a generator runs. If the source fails, the connection is closed and the error is
 * logged. The status is 200 by default. Throws an `InvalidReply` for a source that cannot be iterated.
 *
 *     stream(['a,b\n', '1,2\n'], { mediaType: 'text/csv', headers: { 'Content-Disposition': 'attachment' } });
 */
export function stream<const Status extends number = 200>(
  source: StreamSource,
  options: StreamOptions<Status> = {},
): Reply<NoInfer<Status>> {
  if (!isOneChunk(source) && !isIterable(source)) throw unwritable('stream', source, 'a source of texts or bytes');
  const body = source instanceof Readable ? source : new SourceStream(isOneChunk(source) ? [source] : source);
  // Before the options are checked, because an invalid option must not leave a file open.
  holdStream(body);
  assertOptions('stream', options, ['mediaType', 'status', 'headers']);
  const { mediaType = 'application/octet-stream', status = 200, headers } = options;
  const lines = withDefaults(['Content-Type', contentTypeOf(mediaType), ...API_POLICY], headers);
  return makeReply(status, lines, body) as Reply<Status>;
}

/** Texts and byte arrays are iterable too, but are sent as one chunk. */
const isOneChunk = (source: StreamSource): source is string | Uint8Array =>
  typeof source === 'string' || source instanceof Uint8Array;

/** These replies have a Location (RFC 9110 §15.4). */
export const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Returns a reply that redirects the client to another URI. The status is 302 by default. Use 303 for the result of a
 * POST. 307 and 308 keep method and body; 301 and 308 are permanent.
 *
 *     route({ path: 'old', handle: ({ link }) => redirect(link('new') ?? '/', 308) });
 *
 * Throws a `TypeError` for a location that is not a URI reference in ASCII, and a `RangeError` for a status other than
 * these five. Check a location that a client has sent: a text such as `//evil.example` leads to another site. The path
 * that `link` returns never leads to another site.
 */
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308 = 302>(
  location: string,
  status?: Status,
  options: Pick<ReplyOptions, 'headers'> = {},
): Reply<NoInfer<Status>> {
  assertOptions('redirect', options, ['headers']);
  if (typeof location !== 'string' || !/^[!-[\]-~]+$/.test(location))
    throw new TypeError(
      `Cannot redirect to ${quoted(location)}: it is empty or has a character that a URI cannot have; encode it, with ` +
        'encodeURIComponent or as new URL(…).href',
    );
  const code = status ?? 302;
  if (!REDIRECTS.includes(code))
    throw new RangeError(`Cannot redirect with the status ${quoted(code)}; give one of ${REDIRECTS.join(', ')}`);
  return makeReply(code, withDefaults(['Location', location, ...API_POLICY], options.headers)) as Reply<Status>;
}

/**
 * Returns a reply with this status, these headers and this body. Adds `Content-Length` if the length is known. Throws an
 * `InvalidReply` for a reply that cannot be sent.
 */
export function makeReply(status: number, headers: HeaderLines, body?: ReplyBody): Reply {
  if (body instanceof Readable) holdStream(body);
  const fault = replyFault({ status, headers, body });
  if (fault !== undefined) discardReply({ body });
  assertNoFault(fault);
  return checkedReply({ status, headers, body });
}

/** Returns the value of the first header of this name, ignoring case; undefined if the reply lacks it. */
export const headerOf = (reply: Reply, name: string): string | undefined => lineValue(flat(reply.headers), name);

/**
 * Returns a copy of the reply with these headers, which replace headers of the same names, ignoring case. `Set-Cookie`,
 * `Link`, `Server-Timing` and `WWW-Authenticate` are appended, and the names in `Vary` are merged. To replace all
 * headers, use `replyWith`.
 *
 *     const served: Stage = async (context, next) => withHeaders(await next(context), { 'X-Served-By': 'even' });
 */
export const withHeaders = <const Status extends number>(reply: Reply<Status>, headers: HeaderLines): Reply<Status> =>
  replyWith(reply, { headers: withDefaults(flat(reply.headers), headers) }) as Reply<Status>;

/**
 * Returns a copy of the reply with another status, other headers or another body. `headers` replaces all headers. The
 * length of a new text or byte array replaces the old length. Throws an `InvalidReply` for a reply that cannot be sent.
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
  // The handler of an upgrade writes the head, so there are no headers to change.
  if (reply.status === 101 && changes.status === undefined) return reply;
  const { status = reply.status, body = reply.body } = changes;
  const lines = flat(changes.headers ?? reply.headers);
  const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
  const isOther = changes.body !== undefined && changes.headers === undefined && !isStream;
  return makeReply(status, isOther ? withoutLines(lines, isContentLength) : lines, body);
}
