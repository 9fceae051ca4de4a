/**
 * Compresses replies for clients that accept it (D103, RFC 9110 §8.4).
 *
 * A compressed body is a different representation, so its strong ETag gets a suffix: `"x"` becomes `"x+gzip"`
 * (§8.8.3.3). The plugin removes the suffix from `If-Match` and `If-None-Match` before a handler compares them.
 * Otherwise a client that got a compressed item could not change the item.
 */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { assertOptions, makeReply, noteStream, preferredCoding } from '../../extending.ts';
import {
  type Context,
  contextWith,
  type Handler,
  headerOf,
  type Plugin,
  type Reply,
  type Stage,
  slot,
  withHeaders,
} from '../../index.ts';

type Coding = 'gzip' | 'br';

/** Options of `compression`. */
interface CompressionOptions {
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

/** With this quality, Brotli is as fast as gzip, and the result is 5 % shorter. The window of 256 KiB limits memory. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_LGWIN]: 18 } };

/** Each coding: compresses here, in another thread, or a stream whose chunks are flushed at once. */
const CODERS = {
  gzip: {
    cache: new WeakMap<object, Uint8Array>(),
    here: (bytes: Uint8Array) => zlib.gzipSync(bytes),
    elsewhere: (bytes: Uint8Array) => promisify(zlib.gzip)(bytes),
    stream: () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  },
  br: {
    cache: new WeakMap<object, Uint8Array>(),
    here: (bytes: Uint8Array) => zlib.brotliCompressSync(bytes, BROTLI),
    elsewhere: (bytes: Uint8Array) => promisify(zlib.brotliCompress)(bytes, BROTLI),
    stream: () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH, ...BROTLI }),
  },
} as const;
/** Bodies up to this length, in bytes, are compressed in this thread, because another thread would take longer. */
const SHORT = 16 * 1024;

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
  const unknown = codings.find((coding) => !Object.hasOwn(CODERS, coding));
  if (unknown !== undefined) throw new TypeError(`Cannot compress replies with "${unknown}": give gzip, br or both`);

  async function compression(context: Context, next: Handler): Promise<Reply> {
    const coding = preferredCoding(context.headers['accept-encoding']?.toString(), codings);
    const reply = await next(withPlainTags(context, coding));
    if (isUncompressed.find(context) === true) return reply;
    if (reply.status === 304) return unchanged(reply, context, coding);
    if (!isCompressible(reply, context, threshold)) return reply;
    if (coding === undefined) return varied(reply);
    const { body } = reply;
    if (body !== undefined && !(body instanceof Readable)) {
      const bytes = await codedOnce(reply, body, coding);
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
  /^(?:text\/(?!event-stream)[^;]+|[^;]+\+(?:json|xml)|application\/(?:json|xml|javascript|x-ndjson|jsonl|yaml))\s*(?:;|$)/i;
/** A reply with such a header is not compressed, because the header describes the uncompressed bytes. */
const BYTE_HEADERS = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest'];

function isCompressible(reply: Reply, { method }: Context, threshold: number): boolean {
  const length = lengthOf(reply);
  if (reply.body === undefined && (method !== 'HEAD' || length === undefined)) return false;
  if (length !== undefined && length < threshold) return false;
  if (BYTE_HEADERS.some((name) => headerOf(reply, name) !== undefined)) return false;
  if (/\bno-transform\b/i.test(headerOf(reply, 'Cache-Control') ?? '')) return false;
  return MEDIA_TYPE.test(headerOf(reply, 'Content-Type') ?? '');
}

/** Returns the `Content-Length`, or undefined if the reply does not have this header. */
function lengthOf(reply: Reply): number | undefined {
  const length = headerOf(reply, 'Content-Length');
  return length === undefined ? undefined : Number(length);
}

const varied = (reply: Reply): Reply => withHeaders(reply, { Vary: 'Accept-Encoding' });

/**
 * Returns the compressed body. The cache key is the body if it is bytes, which several replies may share, or the reply.
 */
async function codedOnce(reply: Reply, body: string | Uint8Array, coding: Coding): Promise<Uint8Array> {
  const { cache, here, elsewhere } = CODERS[coding];
  const owner = typeof body === 'string' ? reply : body;
  const known = cache.get(owner);
  if (known !== undefined) return known;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const coded = await (bytes.length > SHORT ? elsewhere : here)(bytes);
  cache.set(owner, coded);
  return coded;
}

/** Returns a stream that compresses the source. If one of the two streams ends or fails, the other does too. */
function compressedStream(source: Readable, coding: Coding, length: number | undefined): Readable {
  const coder = CODERS[coding].stream();
  // The callback ignores the error, because the coder, which becomes the body of the reply, emits it too.
  pipeline(
    source,
    (chunks: AsyncIterable<string | Uint8Array>) => checked(chunks, length),
    coder,
    () => {},
  );
  return coder;
}

/** Checks the total length of the chunks, which the server cannot check after compression. */
async function* checked(chunks: AsyncIterable<string | Uint8Array>, length: number | undefined) {
  let sent = 0;
  for await (const chunk of chunks) {
    sent += Buffer.byteLength(chunk);
    yield chunk;
  }
  if (length !== undefined && sent !== length)
    throw new RangeError(`Cannot compress a stream of ${sent} bytes for a Content-Length of ${length}`);
}

/** Headers that do not apply to the compressed body. */
const UNCODED = /^(?:content-length|accept-ranges)$/i;

function codedReply(reply: Reply, coding: Coding, body: Uint8Array | Readable): Reply {
  const lines = reply.headers as readonly string[];
  const others = lines.filter((_, at) => !UNCODED.test(lines[at - (at % 2)]!));
  return withHeaders(makeReply(reply.status, others, body), {
    'Content-Encoding': coding,
    Vary: 'Accept-Encoding',
    ...tagOf(reply, coding),
  });
}

/** Returns the ETag of a reply in this coding. A weak tag stays, because it does not identify exact bytes. */
function tagOf(reply: Reply, coding: Coding): { readonly ETag?: string } {
  const etag = headerOf(reply, 'ETag');
  return etag === undefined ? {} : { ETag: etag.startsWith('W/') ? etag : etag.replace(/"$/, `+${coding}"`) };
}

/** Returns a 304 with the ETag of the compressed representation, if the client has that one. */
function unchanged(reply: Reply, { headers }: Context, coding: Coding | undefined): Reply {
  const coded = coding === undefined ? {} : tagOf(reply, coding);
  const isHeld = coded.ETag !== undefined && headers['if-none-match']?.includes(coded.ETag) === true;
  return withHeaders(reply, { Vary: 'Accept-Encoding', ...(isHeld && coded) });
}

/**
 * Removes the suffixes from the tags in `If-Match` and `If-None-Match`. For GET and HEAD, `If-None-Match` keeps the
 * suffix of a coding that would not be sent now, because a 304 must not renew a cached copy in another coding.
 * `If-Range` keeps its suffix, so that a client never joins parts in two codings (D103).
 */
function withPlainTags(context: Context, coding: Coding | undefined): Context {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return context;
  const plain = (tags: string): string => tags.replace(/\+(?:gzip|br)"/g, '"');
  const plainNow = (tags: string): string => (coding === undefined ? tags : tags.replaceAll(`+${coding}"`, '"'));
  const plainRead = /^(?:GET|HEAD)$/.test(context.method) ? plainNow : plain;
  const changed = {
    ...(ifMatch !== undefined && { 'if-match': plain(ifMatch) }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': plainRead(ifNoneMatch) }),
  };
  return contextWith(context, { headers: { ...context.headers, ...changed } });
}
