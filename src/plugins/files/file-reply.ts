/**
 * Makes the replies to a GET or HEAD of a file: 200, 206, 304, 412 or 416.
 *
 * `app.js.br` is a variant of `app.js` in another content coding. It has a separate entity tag, because a client must
 * not continue a partial Brotli download with bytes of the uncompressed file (RFC 9110 §8.8.3.3). The coding is
 * therefore selected first. Then the preconditions are evaluated, and the range is taken from the selected variant
 * (§13.2.2). HEAD ignores `Range` (§14.2).
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Context } from '../../core/http/context.ts';
import { httpDate, precondition, rangeHolds, type Validators } from '../../core/http/headers/conditional.ts';
import { type Coding, preferredCoding } from '../../core/http/headers/content-type.ts';
import { flat, withDefaults } from '../../core/http/headers/header-lines.ts';
import { noteStream } from '../../core/http/held-streams.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { makeReply, replyWith } from '../../core/http/replies.ts';
import type { Reply } from '../../core/http/reply.ts';
import { contentTag } from '../../core/http/representation.ts';
import { contentOf, type OpenFile, openFile } from './disk-file.ts';
import { byteRange } from './file-headers.ts';

/** The data from which a variant is made: a file in one content coding. */
interface VariantSource {
  /** The name of the file in its folder. */
  readonly name: string;
  readonly mediaType: string;
  readonly coding?: Coding | undefined;
  readonly length: number;
  readonly mtimeMs: number;
  /** The change time in milliseconds since 1970. Without `bytes`, the entity tag contains this time and the inode. */
  readonly ctimeMs?: number | undefined;
  readonly ino?: number | undefined;
  /** Undefined for a large file, which is read from the disk while it is sent. */
  readonly bytes?: Uint8Array | undefined;
  /** True if the file has variants in other codings. The reply then has `Vary: Accept-Encoding`. */
  readonly varies?: boolean | undefined;
  /** More headers of the 200 and 304 replies, as a flat list. */
  readonly headers: readonly string[];
}

/** A file in one content coding, with its 200 and 304 replies, which are made in advance. */
interface Variant extends VariantSource, Validators {
  /** The 200 reply, with a body if there are `bytes`. */
  readonly ok: Reply;
  readonly notModified: Reply;
}

/** A file and its precompressed variants. */
export interface ServedFile {
  /** The file without content coding (RFC 9110 §12.5.3). */
  readonly identity: Variant;
  /** The compressed variants, in order of preference. */
  readonly encoded: readonly Variant[];
}

export function variant(source: VariantSource): Variant {
  const { mediaType, coding, length, mtimeMs, bytes, varies = false } = source;
  const etag = etagOf(source);
  const modified = modifiedOf(mtimeMs);
  const shared = ['ETag', etag, ...(varies ? ['Vary', 'Accept-Encoding'] : []), ...source.headers];
  const headers = ['Content-Type', mediaType, 'Content-Length', String(length), 'Accept-Ranges', 'bytes', ...shared];
  if (modified !== undefined) headers.push('Last-Modified', httpDate(modified));
  if (coding !== undefined) headers.push('Content-Encoding', coding);
  return { ...source, etag, modified, ok: makeReply(200, headers, bytes), notModified: makeReply(304, shared) };
}

/**
 * Returns the entity tag. It is a hash of the bytes, or for a large file its length, times and inode. The modification
 * time is not enough, because a build may set it. The tag is weak if the bytes could change while the change time stays
 * the same (RFC 9110 §8.8.1): within a second after a change, or if the change time is in whole seconds, as in
 * container images. The tag is also weak if the inode is 0, as in archives (D36).
 */
function etagOf({ length, mtimeMs, ctimeMs = 0, ino = 0, coding, bytes }: VariantSource): string {
  if (bytes !== undefined) return contentTag(bytes);
  const numbers = [length, Math.round(mtimeMs * 1000), Math.round(ctimeMs * 1000), ino];
  const name = numbers.map((number) => number.toString(36)).join('-');
  const tag = coding === undefined ? `"${name}"` : `"${name}-${coding}"`;
  return isSettled(ctimeMs) && ctimeMs % 1000 !== 0 && ino !== 0 ? tag : `W/${tag}`;
}

/** True if a later change gets another time, even if the file system stores times in whole seconds. */
export const isSettled = (time: number): boolean => Date.now() - time >= 1000;

/**
 * Returns the `Last-Modified` of a file in milliseconds, rounded down to a second. Returns undefined for a time before
 * 1981, because files from archives without times have such times. Also returns undefined for a time in the last
 * second, because the file may change again in that second (§8.8.2.2). A client can therefore rely on the date in
 * `If-Range` (D36).
 */
const modifiedOf = (mtimeMs: number): number | undefined =>
  mtimeMs >= Date.UTC(1981) && isSettled(mtimeMs) ? Math.floor(mtimeMs / 1000) * 1000 : undefined;

/**
 * Resolves to the reply for a file below `root`, or to undefined if the file no longer exists. Rejects with an
 * `HttpProblem`: 412 if a condition fails, 416 if the range is outside the file, 503 if the disk fails.
 */
export async function fileReply(context: Context, file: ServedFile, root: string): Promise<Reply | undefined> {
  const { identity, encoded } = file;
  const accepted = encoded.map(({ coding }) => coding!);
  const coding = preferredCoding(context.headers['accept-encoding'], accepted);
  const selected = encoded[accepted.indexOf(coding!)] ?? identity;
  const reply = replyWithout(context, selected) ?? (selected.bytes && rangeReply(context, selected));
  if (reply !== undefined) return reply;
  const opened = await openFile(root, selected.name);
  return opened && openFileReply(context, opened, selected);
}

/** Resolves to the reply for an open file. Closes the handle when the reply is sent. Rejects like `fileReply`. */
export async function openFileReply(
  context: Context,
  opened: OpenFile,
  source: Omit<VariantSource, 'length' | 'mtimeMs'>,
): Promise<Reply> {
  const { handle } = opened;
  let reply: Reply | undefined;
  try {
    const current = variant({ ...source, ...(await contentOf(opened, CHUNK_SIZE)) });
    reply = replyWithout(context, current) ?? rangeReply(context, current, handle);
    return reply;
  } finally {
    // If the body is a stream, the stream closes the file at its end.
    if (!(reply?.body instanceof Readable)) await handle.close();
  }
}

/** Returns the reply if it needs no bytes of the file, else undefined. Throws a 412 if a condition fails. */
function replyWithout({ headers, method }: Context, selected: Variant): Reply | undefined {
  const status = precondition(headers, selected);
  if (status === 304) return selected.notModified;
  if (status === 412) throw new HttpProblem(412, 'The file does not meet the conditions of the request');
  return method === 'HEAD' ? selected.ok : undefined;
}

/** Returns a 200 or 206 reply. Throws a 416 `HttpProblem`. Needs `handle` for a file without `bytes`. */
function rangeReply(context: Context, selected: Variant, handle?: FileHandle): Reply {
  const { ok, length, bytes } = selected;
  const { range: requested, 'if-range': ifRange } = context.headers;
  const isAsked = requested !== undefined && rangeHolds(ifRange?.toString(), selected);
  const range = isAsked ? byteRange(requested, length) : undefined;
  if (range === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${length}` };
    throw new HttpProblem(416, `The file has ${length} bytes`, { headers });
  }
  if (range === undefined && (bytes !== undefined || length === 0)) return ok;
  const { first, last } = range ?? { first: 0, last: length - 1 };
  const body = bytes?.subarray(first, last + 1) ?? fileBody(handle!, first, last);
  // The request is known here, so no request needs an asynchronous context for files.
  if (body instanceof Readable) noteStream(body, context);
  if (range === undefined) return replyWith(ok, { body });
  const part = { 'Content-Length': String(last - first + 1), 'Content-Range': `bytes ${first}-${last}/${length}` };
  return replyWith(ok, { status: 206, headers: withDefaults(flat(ok.headers), part), body });
}

/** The most bytes of one read. A file up to this length is read at once, so its entity tag is a hash. */
const CHUNK_SIZE = 64 * 1024;

/** Streams a range of a file. If the file becomes too short, the stream fails (RFC 9112 §6.3). */
function fileBody(handle: FileHandle, first: number, last: number): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let position = first; position <= last; ) {
      const length = Math.min(CHUNK_SIZE, last + 1 - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) throw new Error('The file became shorter while it was sent');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  const body = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_SIZE });
  // Closed here and not in a `finally` of the generator, which does not run if the generator was never started.
  return body.once('close', () => void handle.close().catch(() => {}));
}
