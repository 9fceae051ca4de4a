/**
 * Compresses replies with gzip for clients that accept it (D103, RFC 9110 §8.4).
 *
 * A compressed body is a different representation, so its strong ETag gets a suffix: `"x"` becomes `"x+gzip"`
 * (§8.8.3.3). The plugin removes the suffix from `If-Match` and `If-None-Match` before a handler compares them.
 * Otherwise a client that got a compressed item could not change the item.
 */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { makeReply, noteStream, preferredCoding } from '../../extending.ts';
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

/** The most bytes that are compressed in this thread, because another thread would take longer. */
const SHORT = 16 * 1024;
/** The fewest bytes that are compressed. A stream without a length is always compressed. */
const THRESHOLD = 1024;

/**
 * Returns the plugin. Make it the first plugin, so that plugins that cache replies cache the uncompressed ones. If the
 * same body is sent again, such as a stored list, it is not compressed again.
 *
 *     application([compression(), todo()]);
 */
export function compression(): Plugin {
  async function compression(context: Context, next: Handler): Promise<Reply> {
    const isAccepted = preferredCoding(context.headers['accept-encoding']?.toString(), ['gzip']) !== undefined;
    const reply = await next(withPlainTags(context, isAccepted));
    if (isUncompressed.find(context) === true) return reply;
    if (reply.status === 304) return unchanged(reply, context, isAccepted);
    if (!isCompressible(reply, context)) return reply;
    if (!isAccepted) return varied(reply);
    const { body } = reply;
    if (body !== undefined && !(body instanceof Readable)) {
      const bytes = await codedOnce(reply, body);
      return bytes.length < lengthOf(reply)! ? codedReply(reply, bytes) : varied(reply);
    }
    // The body is a stream, or it is missing in a reply to HEAD. A reply to HEAD gets the headers, but no body. If such
    // a reply has a body in memory, the code above has compressed it, because the length decides whether GET sends the
    // compressed body (D103).
    const isSent = body !== undefined && context.method !== 'HEAD';
    const coded = isSent ? compressedStream(body, lengthOf(reply)) : Readable.from([]);
    noteStream(coded, context);
    return codedReply(reply, coded);
  }
  return { name: 'compression', stages: [compression] };
}

/** Media types that compress well. Event streams are excluded, because each event must be sent at once. */
const MEDIA_TYPE =
  /^(?:text\/(?!event-stream)[^;]+|[^;]+\+(?:json|xml)|application\/(?:json|xml|javascript|x-ndjson|jsonl|yaml))\s*(?:;|$)/i;
/** A reply with such a header is not compressed, because the header describes the uncompressed bytes. */
const BYTE_HEADERS = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest'];

function isCompressible(reply: Reply, { method }: Context): boolean {
  const length = lengthOf(reply);
  if (reply.body === undefined && (method !== 'HEAD' || length === undefined)) return false;
  if (length !== undefined && length < THRESHOLD) return false;
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

/** The compressed bodies, by the stored representation that contains the body, or else by the reply. */
const cache = new WeakMap<object, Uint8Array>();
const gzipElsewhere = promisify(zlib.gzip);

async function codedOnce(reply: Reply, body: string | Uint8Array): Promise<Uint8Array> {
  const value = reply.value as { readonly body?: unknown } | null | undefined;
  const owner = value?.body === body ? value : reply;
  const known = cache.get(owner);
  if (known !== undefined) return known;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const coded = bytes.length > SHORT ? await gzipElsewhere(bytes) : zlib.gzipSync(bytes);
  cache.set(owner, coded);
  return coded;
}

/** Returns a stream that compresses each chunk at once. If one of the two streams ends or fails, the other does too. */
function compressedStream(source: Readable, length: number | undefined): Readable {
  const coder = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH });
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

function codedReply(reply: Reply, body: Uint8Array | Readable): Reply {
  const lines = reply.headers as readonly string[];
  const others = lines.filter((_, at) => !UNCODED.test(lines[at - (at % 2)]!));
  return withHeaders(makeReply(reply.status, others, body), {
    'Content-Encoding': 'gzip',
    Vary: 'Accept-Encoding',
    ...tagOf(reply),
  });
}

/** Returns the ETag of the compressed reply. A weak tag stays, because it does not identify exact bytes. */
function tagOf(reply: Reply): { readonly ETag?: string } {
  const etag = headerOf(reply, 'ETag');
  return etag === undefined ? {} : { ETag: etag.startsWith('W/') ? etag : etag.replace(/"$/, '+gzip"') };
}

/** Returns a 304 with the ETag of the compressed representation, if the client has that one. */
function unchanged(reply: Reply, { headers }: Context, isAccepted: boolean): Reply {
  const coded = tagOf(reply);
  const isHeld = isAccepted && coded.ETag !== undefined && headers['if-none-match']?.includes(coded.ETag) === true;
  return withHeaders(reply, { Vary: 'Accept-Encoding', ...(isHeld && coded) });
}

/**
 * Removes the suffix from the tags in `If-Match` and `If-None-Match`. If a GET or HEAD does not accept gzip,
 * `If-None-Match` keeps it, because a 304 must not renew a compressed copy. `If-Range` keeps it too, so that a client
 * never joins compressed and uncompressed parts (D103).
 */
function withPlainTags(context: Context, isAccepted: boolean): Context {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return context;
  const plain = (tags: string): string => tags.replaceAll('+gzip"', '"');
  const keepsSuffix = !isAccepted && /^(?:GET|HEAD)$/.test(context.method);
  const changed = {
    ...(ifMatch !== undefined && { 'if-match': plain(ifMatch) }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': keepsSuffix ? ifNoneMatch : plain(ifNoneMatch) }),
  };
  return contextWith(context, { headers: { ...context.headers, ...changed } });
}
