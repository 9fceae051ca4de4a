/** Makes a reply of anything that gives texts or bytes one after the other. */
import { Readable } from 'node:stream';
import { assertOptions } from '../options/assert-options.ts';
import { contentTypeOf } from './headers/content-type.ts';
import { API_POLICY } from './headers/reply-headers.ts';
import { type PlainReply, plainHeaders } from './plain-reply.ts';

/** A stream of Node or of the Web, a generator, a list: whatever `for await` takes, or one text or bytes. */
export type StreamSource = string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** How it is streamed. */
export interface StreamOptions {
  /** `application/octet-stream` unless given. */
  readonly mediaType?: string;
  /** Further headers, which replace others of the same names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A reply that is sent as its source gives it, at the pace of the client. A client that leaves ends the source: a
 * stream is destroyed, an iterable is returned, so the `finally` of a generator runs. A source that fails cuts the
 * connection, and the log has its error. The status is 200 unless given. An operation returns it where it declares a
 * `mediaType`.
 *
 *     stream(['a,b\n', '1,2\n'], { mediaType: 'text/csv', headers: { 'Content-Disposition': 'attachment' } });
 */
export function stream(
  source: StreamSource,
  options?: StreamOptions & { readonly status?: undefined },
): PlainReply<200, Readable>;
export function stream<const Status extends number>(
  source: StreamSource,
  options: StreamOptions & { readonly status: Status },
): PlainReply<Status, Readable>;
export function stream(
  source: StreamSource,
  options: StreamOptions & { readonly status?: number | undefined } = {},
): PlainReply<number, Readable> {
  assertOptions('stream', options, ['mediaType', 'status', 'headers']);
  const { mediaType = 'application/octet-stream', status = 200, headers } = options;
  const body = source instanceof Readable ? source : Readable.from(isOneChunk(source) ? [source] : source);
  const defaults = ['Content-Type', contentTypeOf(mediaType), ...API_POLICY];
  return { status, headers: plainHeaders(defaults, headers), body };
}

/** A text is an iterable of characters, and bytes are one of numbers. */
const isOneChunk = (source: StreamSource): source is string | Uint8Array =>
  typeof source === 'string' || source instanceof Uint8Array;
