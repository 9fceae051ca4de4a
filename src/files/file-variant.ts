/**
 * A file as it is answered: the file itself, and the same compressed where someone laid that beside it.
 *
 * `app.js.br` next to `app.js` is the same script under another coding, with an entity tag of its own: a client that
 * resumes half a brotli download must not be given the second half of the plain file (RFC 9110 §8.8.3.3). Replies are made
 * here once, header lines and all; sending one costs no more than sending a constant.
 */
import { createHash } from 'node:crypto';
import type { Validators } from '../http/headers/conditional.ts';
import { httpDate } from '../http/headers/http-date.ts';
import type { Coding } from '../http/headers/negotiation.ts';
import type { Reply } from '../http/message/context.ts';

/** The bytes of a file under one coding. */
export interface Variant extends Validators {
  readonly modified: number;
  readonly parts: VariantParts;
  readonly length: number;
  /** Undefined for a file that is too large to be held: it is read from the disk for each request. */
  readonly bytes: Uint8Array | undefined;
  /** 200, with the body where the bytes are held. */
  readonly whole: Reply;
  /** 304. */
  readonly unchanged: Reply;
}

/** A file with what lies beside it. */
export interface ServedFile {
  readonly plain: Variant;
  readonly coded: Readonly<Partial<Record<Coding, Variant>>>;
  /** Of `coded`, in the order of preference between equals. */
  readonly codings: readonly Coding[];
}

/** What a variant is made of. `lines` are further header lines for every answer; `varies`: are there others beside it? */
export interface VariantParts {
  /** Below the root of its folder. */
  readonly name: string;
  readonly mediaType: string;
  readonly coding?: Coding | undefined;
  readonly length: number;
  /** Of the last change, milliseconds since 1970. */
  readonly changed: number;
  readonly bytes?: Uint8Array | undefined;
  readonly varies?: boolean;
  readonly lines: readonly string[];
}

/** Makes a variant, both of its replies with it. */
export function variant(parts: VariantParts): Variant {
  const { mediaType, coding, length, changed, bytes, varies = false, lines } = parts;
  const etag =
    bytes === undefined
      ? etagOfState(parts)
      : `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  // Never in the future, or a client could not ask by it (RFC 9110 §8.8.2.1).
  const modified = Math.floor(Math.min(changed, Date.now()) / 1000) * 1000;
  const shared = ['ETag', etag, ...(varies ? ['Vary', 'Accept-Encoding'] : []), ...lines];
  const headers = [
    'Content-Type',
    mediaType,
    'Content-Length',
    String(length),
    'Last-Modified',
    httpDate(modified),
    'Accept-Ranges',
    'bytes',
    ...shared,
  ];
  if (coding !== undefined) headers.push('Content-Encoding', coding);
  return {
    parts,
    length,
    bytes,
    etag,
    modified,
    whole: bytes === undefined ? { status: 200, headers } : { status: 200, headers, body: bytes },
    unchanged: { status: 304, headers: shared },
  };
}

/**
 * The tag of a file that is not read beforehand: its size and its last change. Weak while that change is so fresh that
 * another of the same size could follow within the clock's grain (RFC 9110 §8.8.1).
 */
function etagOfState({ length, changed, coding }: VariantParts): string {
  const tag = `"${length.toString(36)}-${Math.round(changed * 1000).toString(36)}${coding === undefined ? '' : `-${coding}`}"`;
  return Math.abs(Date.now() - changed) < FRESH ? `W/${tag}` : tag;
}

/** Milliseconds; file systems that count whole or double seconds are still about. */
const FRESH = 2000;
