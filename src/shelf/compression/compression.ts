/**
 * Compresses replies for clients that accept it (D103, RFC 9110 §8.4).
 *
 * A compressed body is a different representation, so its strong ETag gets a suffix: `"x"` becomes `"x+gzip"`
 * (§8.8.3.3). The plugin removes the suffix from `If-Match` and `If-None-Match` before a handler compares them.
 * Otherwise a client that got a compressed item could not change the item.
 */
import { pipeline, Readable } from 'node:stream';
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
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import { contextWith } from '../../core/message/context-with.ts';
import { type Coding, parseContentType, preferredCoding } from '../../core/message/headers/content-type.ts';
import { withDefaults } from '../../core/message/headers/header-lines.ts';
import { noteStream } from '../../core/message/held-streams.ts';
import { headerOf, makeReply, withHeaders } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import type { ReplyBody } from '../../core/message/reply-fault.ts';
import { isRepresentation } from '../../core/message/representation.ts';
import { slot } from '../../core/message/slot.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

/** Options of `compression`. */
export interface CompressionOptions {
  /** The minimum length of a compressed body, in bytes. Default: 1,024. Streams without a length have no minimum. */
  readonly threshold?: number | undefined;
  /**
   * The content codings. If the client prefers several of them equally, the plugin uses the first. `deflate` is not
   * supported (D103). Default: `['gzip', 'br']`.
   */
  readonly codings?: readonly Coding[] | undefined;
}

const isUncompressed = slot<true>('uncompressed');

/**
 * A stage that turns compression off for an operation or a route: `stages: [uncompressed]`. Use it if the reply
 * contains both a secret and text from the request, because the compressed length would then reveal the secret after
 * many requests (BREACH).
 */
export const uncompressed: Stage = (context, next) => {
  isUncompressed.set(context, true);
  return next(context);
};

/**
 * Returns the plugin. Make it the first plugin, so that plugins that cache replies cache the uncompressed ones. If the
 * same body is sent again, such as a stored list, it is not compressed again. Throws a `RangeError` if the threshold is
 * not a whole number, and a `TypeError` for an unknown coding.
 *
 *     application([compression(), todo()]);
 */
export function compression(options: CompressionOptions = {}): Plugin {
  assertOptions('compress replies', options, ['threshold', 'codings']);
  const { threshold = 1024, codings = ['gzip', 'br'] } = options;
  if (!Number.isInteger(threshold) || threshold < 0)
    throw new RangeError(`Cannot compress replies with the threshold ${threshold}: give a whole number of bytes`);
  for (const coding of codings as readonly string[])
    if (coding !== 'gzip' && coding !== 'br')
      throw new TypeError(`Cannot compress replies with "${coding}": give gzip, br or both`);
  const caches = { gzip: new WeakMap<object, Uint8Array>(), br: new WeakMap<object, Uint8Array>() };

  async function compression(context: Context, next: Handler): Promise<Reply> {
    const coding = preferredCoding(context.headers['accept-encoding']?.toString(), codings);
    const reply = await next(withoutSuffixes(context, coding));
    if (isUncompressed.find(context) === true) return reply;
    if (reply.status === 304) return unchanged(reply, context, coding);
    if (!isCompressible(reply, context, threshold)) return reply;
    if (coding === undefined) return varied(reply);
    const { body } = reply;
    if (body !== undefined && !(body instanceof Readable)) {
      const bytes = await codedOnce(caches[coding], reply, body, coding);
      return bytes.length < lengthOf(reply)! ? codedReply(reply, coding, bytes) : varied(reply);
    }
    // The body is a stream, or it is missing in a reply to HEAD. A reply to HEAD gets the headers, but no body. If such
    // a reply has a body in memory, the code above has compressed it, because the length decides whether GET sends the
    // compressed body (D103).
    const isSent = body !== undefined && context.method !== 'HEAD';
    const coded = isSent ? compressedStream(body, coding, lengthOf(reply)) : Readable.from([]);
    noteStream(coded, context);
    return codedReply(reply, coding, coded);
  }
  return { name: 'compression', stages: [compression] };
}

/** Media types that compress well. Event streams are excluded, because each event must be sent at once. */
const MEDIA_TYPE =
  /^(?:text\/(?!event-stream$).+|.+\+(?:json|xml)|application\/(?:json|xml|javascript|x-ndjson|jsonl|yaml))$/;
/** A reply with such a header is not compressed, because the header describes the uncompressed bytes. */
const BYTE_HEADERS = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest'];

function isCompressible(reply: Reply, { method }: Context, threshold: number): boolean {
  const length = lengthOf(reply);
  if (length === undefined ? reply.body === undefined : length < threshold) return false;
  if (reply.body === undefined && method !== 'HEAD') return false;
  const mediaType = parseContentType(headerOf(reply, 'Content-Type') ?? '')?.type;
  return (
    mediaType !== undefined &&
    MEDIA_TYPE.test(mediaType) &&
    !BYTE_HEADERS.some((name) => headerOf(reply, name) !== undefined) &&
    !/\bno-transform\b/i.test(headerOf(reply, 'Cache-Control') ?? '')
  );
}

/** Returns the `Content-Length`, or undefined if the reply does not have this header. */
function lengthOf(reply: Reply): number | undefined {
  const length = headerOf(reply, 'Content-Length');
  return length === undefined ? undefined : Number(length);
}

const varied = (reply: Reply): Reply => withHeaders(reply, { Vary: 'Accept-Encoding' });

type WholeBody = Exclude<ReplyBody, Readable>;

/**
 * Returns the compressed body. The cache key is the stored representation that contains the body, or the reply if there
 * is no such representation. For a list of 100 items, the compression takes 87 µs on Node 26, and the rest of a GET
 * takes 14 µs (D103).
 */
async function codedOnce(cache: WeakMap<object, Uint8Array>, reply: Reply, body: WholeBody, coding: Coding) {
  const { value } = reply;
  const owner = isRepresentation(value) && 'body' in value && value.body === body ? value : reply;
  const coded = cache.get(owner) ?? (await compressed(body, coding));
  cache.set(owner, coded);
  return coded;
}

/** Bodies up to this length, in bytes, are compressed in this thread: 2 kB take 36 µs here, 75 µs in another thread. */
const SHORT = 16 * 1024;
/** With this quality, Brotli is as fast as gzip, and the result is 5 % shorter. The window of 256 KiB limits memory. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

async function compressed(body: WholeBody, coding: Coding): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (coding === 'gzip') return bytes.length > SHORT ? promisify(gzip)(bytes) : gzipSync(bytes);
  return bytes.length > SHORT ? promisify(brotliCompress)(bytes, BROTLI) : brotliCompressSync(bytes, BROTLI);
}

/**
 * Returns a stream that compresses the source with backpressure. Each chunk is flushed at once, so that the client gets
 * it before the source has the next chunk. If one of the two streams ends or fails, the other does too.
 */
function compressedStream(source: Readable, coding: Coding, length: number | undefined): Readable {
  const coder =
    coding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, ...BROTLI })
      : createGzip({ flush: constants.Z_SYNC_FLUSH });
  // The callback ignores the error, because the coder, which becomes the body of the reply, emits it too.
  pipeline(
    source,
    (chunks: AsyncIterable<unknown>) => checked(chunks, length),
    coder,
    () => {},
  );
  return coder;
}

/** Checks the type and the total length of the chunks, which the server cannot check after compression. */
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

/** Headers that are removed or replaced, because they do not apply to the compressed body. */
const REPLACED = /^(?:content-length|accept-ranges|content-encoding|etag)$/i;

function codedReply(reply: Reply, coding: Coding, body: ReplyBody): Reply {
  const lines = reply.headers as readonly string[];
  const others = lines.filter((_, at) => !REPLACED.test(lines[at - (at % 2)]!));
  const etag = headerOf(reply, 'ETag');
  if (etag !== undefined) others.push('ETag', codedTag(etag, coding));
  const added = ['Content-Encoding', coding, 'Vary', 'Accept-Encoding'];
  return makeReply(reply.status, withDefaults(others, added), body);
}

/** Returns a strong tag with the suffix. A weak tag needs no suffix, because it does not identify exact bytes. */
const codedTag = (etag: string, coding: Coding): string =>
  etag.startsWith('W/') ? etag : etag.replace(/"$/, `+${coding}"`);

/** Returns a 304 with the ETag of the compressed representation, if the client has that one. */
function unchanged(reply: Reply, { headers }: Context, coding: Coding | undefined): Reply {
  const added: Record<string, string> = { Vary: 'Accept-Encoding' };
  const etag = headerOf(reply, 'ETag');
  const coded = etag === undefined || coding === undefined ? undefined : codedTag(etag, coding);
  if (coded !== undefined && headers['if-none-match']?.includes(coded) === true) added['ETag'] = coded;
  return withHeaders(reply, added);
}

/**
 * Removes the suffixes from the tags in `If-Match` and `If-None-Match`. For GET and HEAD, `If-None-Match` keeps the
 * suffix of a coding that would not be sent now, because a 304 must not renew a cached copy in another coding.
 * `If-Range` keeps its suffix, so that a client never joins parts in two codings (D103).
 */
function withoutSuffixes(context: Context, coding: Coding | undefined): Context {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return context;
  const read = /^(?:GET|HEAD)$/.test(context.method) ? (coding ?? '(?!)') : 'gzip|br';
  const changed = {
    ...(ifMatch !== undefined && { 'if-match': ifMatch.replace(/\+(?:gzip|br)"/g, '"') }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch.replace(new RegExp(`\\+(?:${read})"`, 'g'), '"') }),
  };
  return contextWith(context, { headers: { ...context.headers, ...changed } });
}
