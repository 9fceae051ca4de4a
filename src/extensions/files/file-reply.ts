/**
 * Prepares the replies with a file, and answers a GET or HEAD of it: 200, 206, 304, 412 or 416.
 *
 * `app.js.br` beside `app.js` is the same script in another content coding, with an entity tag of its own: half a
 * brotli download is not continued with the uncompressed file (RFC 9110 §8.8.3.3). So the coding is selected first,
 * then the preconditions are evaluated, and then the range is taken from that variant (§13.2.2). HEAD ignores `Range`
 * (§14.2).
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import { httpDate, precondition, rangeHolds, type Validators } from '../../core/message/headers/conditional.ts';
import { type Coding, preferredCoding } from '../../core/message/headers/content-type.ts';
import { flat, withDefaults } from '../../core/message/headers/header-lines.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { makeReply, replyWith } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { contentTag } from '../../core/message/representation.ts';
import { type OpenFile, openFile, readBytes } from './disk-file.ts';
import { byteRange } from './file-headers.ts';

/** What a variant is made from: the bytes of a file in one content coding. */
export interface VariantSource {
  /** The name of the file in its folder. */
  readonly name: string;
  readonly mediaType: string;
  readonly coding?: Coding | undefined;
  readonly length: number;
  /** When the file was modified, in milliseconds since 1970. */
  readonly mtimeMs: number;
  /** The change time of `stat`, in milliseconds since 1970. The tag of a file without `bytes` needs it and the inode. */
  readonly ctimeMs?: number | undefined;
  readonly ino?: number | undefined;
  /** Undefined for a large file, which is read from the disk while it is sent. */
  readonly bytes?: Uint8Array | undefined;
  /** Are there variants in other codings? The reply then has `Vary: Accept-Encoding`. */
  readonly varies?: boolean | undefined;
  /** Further headers of both replies, as a flat list. */
  readonly headers: readonly string[];
}

/** The bytes of a file in one content coding, and the replies with them. */
export interface Variant extends VariantSource, Validators {
  /** The 200 reply, with a body where `bytes` are there. */
  readonly ok: Reply;
  /** The 304 reply. */
  readonly notModified: Reply;
}

/** A file and its precompressed variants. */
export interface ServedFile {
  /** The file without a content coding (RFC 9110 §12.5.3). */
  readonly identity: Variant;
  /** The variants in a coding, the preferred one first. */
  readonly encoded: readonly Variant[];
}

/** Makes a variant and its replies. */
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
 * The entity tag: a hash of the bytes. The tag of a large file has its length, its times and its inode, because a build
 * may set the modification time. It is weak if the bytes could change without another change time (RFC 9110 §8.8.1):
 * within a second after a change, and for a time in whole seconds, which a builder of images or a coarse clock sets.
 */
function etagOf({ length, mtimeMs, ctimeMs = 0, ino = 0, coding, bytes }: VariantSource): string {
  if (bytes !== undefined) return contentTag(bytes);
  const numbers = [length, Math.round(mtimeMs * 1000), Math.round(ctimeMs * 1000), ino];
  const name = numbers.map((number) => number.toString(36)).join('-');
  const tag = coding === undefined ? `"${name}"` : `"${name}-${coding}"`;
  return isSettled(ctimeMs) && ctimeMs % 1000 !== 0 && ino !== 0 ? tag : `W/${tag}`;
}

/** Was this time at least a second ago? A change from now on gets another time, even if the clock of the disk is late. */
export const isSettled = (time: number): boolean => Date.now() - time >= 1000;

/**
 * The `Last-Modified` of a file in milliseconds, a whole second. Undefined for a time before 1981, which archives and
 * images without times have, and for a time within the last second: the same date could name other bytes (§8.8.2.2).
 */
const modifiedOf = (mtimeMs: number): number | undefined =>
  mtimeMs >= Date.UTC(1981) && isSettled(mtimeMs) ? Math.floor(mtimeMs / 1000) * 1000 : undefined;

/**
 * The reply with a file below `root`; undefined when the file is gone. Rejects with an `HttpProblem`: 412 and 416 for
 * conditions and ranges that the file does not meet, 503 when the disk fails.
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

/** The reply with an open file, in the state in which it was opened. Owns the handle. Rejects as `fileReply` does. */
export async function openFileReply(
  context: Context,
  { handle, stats }: OpenFile,
  source: Omit<VariantSource, 'length' | 'mtimeMs'>,
): Promise<Reply> {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  let reply: Reply | undefined;
  try {
    const bytes = size > CHUNK_SIZE ? undefined : await readBytes(handle, size);
    const current = variant({ ...source, length: bytes?.length ?? size, mtimeMs, ctimeMs, ino, bytes });
    reply = replyWithout(context, current) ?? rangeReply(context, current, handle);
    return reply;
  } finally {
    // A stream of the file closes it.
    if (!(reply?.body instanceof Readable)) await handle.close();
  }
}

/** The reply without a byte of the file; undefined where some are needed. Throws an `HttpProblem` of 412. */
function replyWithout({ headers, method }: Context, selected: Variant): Reply | undefined {
  const status = precondition(headers, selected);
  if (status === 304) return selected.notModified;
  if (status === 412) throw new HttpProblem(412, 'The file is not in the state that the request asks for');
  return method === 'HEAD' ? selected.ok : undefined;
}

/**
 * 206 with the part that `Range` asks for, 200 where `Range` does not apply. Throws an `HttpProblem` of 416 where the
 * file has no such part. The open file has a `handle`; a file in memory needs none.
 */
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
  if (range === undefined) return replyWith(ok, { body });
  const part = { 'Content-Length': String(last - first + 1), 'Content-Range': `bytes ${first}-${last}/${length}` };
  return replyWith(ok, { status: 206, headers: withDefaults(flat(ok.headers), part), body });
}

/** Bytes read at a time. A file of this length is read at once, and its tag is a hash of it. */
const CHUNK_SIZE = 64 * 1024;

/**
 * A file can grow or shrink while it is sent. There are never more bytes than announced; with fewer the body fails, so
 * that the connection is closed and the next reply is not read as part of this one (RFC 9112 §6.3).
 */
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
  // Not in a `finally`: a generator that was never asked for anything runs none.
  return body.once('close', () => void handle.close().catch(() => {}));
}
