/** Compresses bodies: those that are there at once or in another thread, streams as they come. */
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import type { Coding } from '../../core/message/headers/negotiation.ts';
import type { ReplyBody } from '../../core/message/reply-fault.ts';

/** A body up to this length takes half a millisecond; a longer one is compressed in another thread. In bytes. */
const SHORT = 16 * 1024;

/** As fast as gzip, and a twentieth shorter. A window of 256 KiB bounds what a stream takes of the memory. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 };

const inThread = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/** The whole body in this coding. */
export function compressed(body: Exclude<ReplyBody, Readable>, coding: Coding): Uint8Array | Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (coding === 'br')
    return bytes.length > SHORT
      ? inThread.br(bytes, { params: BROTLI })
      : brotliCompressSync(bytes, { params: BROTLI });
  return bytes.length > SHORT ? inThread.gzip(bytes) : gzipSync(bytes);
}

/**
 * The stream in this coding, at the pace of its reader. What the source gives is flushed at once, so that it is there
 * when the source waits. Whatever ends the one ends the other.
 */
export function compressedStream(source: Readable, coding: Coding, length: number | undefined): Readable {
  const coder =
    coding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI })
      : createGzip({ flush: constants.Z_SYNC_FLUSH });
  // The error is that of the coder, which is the body.
  pipeline(
    source,
    (chunks: AsyncIterable<unknown>) => checked(chunks, length),
    coder,
    () => {},
  );
  return coder;
}

/** Fails for what the server would not send either: once it is compressed, nobody sees that something is missing. */
async function* checked(chunks: AsyncIterable<unknown>, length: number | undefined) {
  let sent = 0;
  for await (const chunk of chunks) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      throw new TypeError(`Cannot compress a stream of ${typeof chunk}s: stream texts or bytes`);
    sent += Buffer.byteLength(chunk);
    yield chunk;
  }
  if (length !== undefined && sent !== length)
    throw new RangeError(`Cannot compress a stream of ${sent} bytes for a Content-Length of ${length}`);
}
