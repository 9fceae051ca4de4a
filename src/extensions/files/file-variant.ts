/**
 * Prepares the replies with a file: for the file itself, and for each precompressed variant beside it.
 *
 * `app.js.br` beside `app.js` is the same script in another content coding, with an entity tag of its own: a client
 * that resumes half a brotli download must not get the second half of the uncompressed file (RFC 9110 §8.8.3.3). The
 * replies are made once and reused for every request.
 */

import { type Coding, contentTag, httpDate, type Validators } from '../../http.ts';
import type { Reply } from '../../index.ts';

/** The bytes of a file in one content coding, and the replies with them. */
export interface Variant extends Validators {
  readonly modified: number;
  readonly source: VariantSource;
  readonly length: number;
  /** Undefined for a file that is too large to be cached and is read from the disk for each request. */
  readonly bytes: Uint8Array | undefined;
  /** The 200 reply, with a body where `bytes` are there. */
  readonly ok: Reply;
  /** The 304 reply. */
  readonly notModified: Reply;
}

/** A file and its precompressed variants. */
export interface ServedFile {
  /** The file without a content coding (RFC 9110 §12.5.3). */
  readonly identity: Variant;
  readonly encoded: Readonly<Partial<Record<Coding, Variant>>>;
  /** The codings of `encoded`, the preferred one first. */
  readonly codings: readonly Coding[];
}

/** What a variant is made from. */
export interface VariantSource {
  /** The name of the file in its folder. */
  readonly name: string;
  readonly mediaType: string;
  readonly coding?: Coding | undefined;
  readonly length: number;
  /** When the file was modified, in milliseconds since 1970. */
  readonly mtimeMs: number;
  readonly bytes?: Uint8Array | undefined;
  /** Are there variants in other codings? The reply then has `Vary: Accept-Encoding`. */
  readonly varies?: boolean;
  /** Further headers of both replies, as a flat list. */
  readonly headers: readonly string[];
}

/** Shared by all requests for the file: a stage that changed it would change the replies to others. */
const fixed = (reply: Reply): Reply => Object.freeze({ ...reply, headers: Object.freeze(reply.headers) });

/** Makes a variant and its replies. */
export function variant(source: VariantSource): Variant {
  const { mediaType, coding, length, mtimeMs, bytes, varies = false } = source;
  const etag = etagOf(source);
  // A date in the future would be ignored in conditional requests (RFC 9110 §8.8.2.1).
  const modified = Math.floor(Math.min(mtimeMs, Date.now()) / 1000) * 1000;
  const shared = ['ETag', etag, ...(varies ? ['Vary', 'Accept-Encoding'] : []), ...source.headers];
  const headers = ['Content-Type', mediaType, 'Content-Length', String(length), 'Last-Modified', httpDate(modified)];
  headers.push('Accept-Ranges', 'bytes', ...shared);
  if (coding !== undefined) headers.push('Content-Encoding', coding);
  return {
    source,
    length,
    bytes,
    etag,
    modified,
    ok: fixed(bytes === undefined ? { status: 200, headers } : { status: 200, headers, body: bytes }),
    notModified: fixed({ status: 304, headers: shared }),
  };
}

/**
 * The entity tag: a hash of the bytes, or the size and the modification time of a file that is not read beforehand.
 * That tag is weak while another change of the same size could get the same time (RFC 9110 §8.8.1).
 */
function etagOf({ length, mtimeMs, coding, bytes }: VariantSource): string {
  if (bytes !== undefined) return contentTag(bytes);
  const tag = `"${length.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}${coding === undefined ? '' : `-${coding}`}"`;
  return Math.abs(Date.now() - mtimeMs) < MTIME_GRANULARITY_MS ? `W/${tag}` : tag;
}

/** Some file systems store times in steps of two seconds. */
const MTIME_GRANULARITY_MS = 2000;
