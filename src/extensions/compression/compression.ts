/**
 * Sends replies compressed to the clients that take them so (D103, RFC 9110 §8.4).
 *
 * A coded body is another representation, so its strong ETag is another one: `"x"` becomes `"x+gzip"` (§8.8.3.3). A
 * client sends back what it got. The suffix is taken off again before a handler compares: a service that left it on
 * would refuse each change to what a client has read compressed.
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
import { headerOf, makeReply, withHeaders } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import type { ReplyBody } from '../../core/message/reply-fault.ts';
import { isRepresentation } from '../../core/message/representation.ts';
import { slot } from '../../core/message/slot.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';

/** What is compressed, and how. */
export interface CompressionOptions {
  /** Bytes of a body that is worth it; 1,024 unless given. A stream without a length always is. */
  readonly threshold?: number | undefined;
  /** Between codings that a client likes equally, the first is taken; `['gzip', 'br']` unless given. */
  readonly codings?: readonly Coding[] | undefined;
}

const leftAlone = slot<true>('uncompressed');

/**
 * Sends the replies of an operation or a route as they are: `stages: [uncompressed]`. A reply that has a secret beside
 * what the request says needs it: its length tells the secret bit by bit (BREACH).
 */
export const uncompressed: Stage = (context, next) => {
  leftAlone.set(context, true);
  return next(context);
};

/**
 * The plugin. Give it as the first one: replies that others keep are then kept as they are, and a body that the
 * service sends again, as that of a list, is compressed once. Throws a `RangeError` for a threshold that is no whole
 * number, and a `TypeError` for another coding.
 *
 *     application([compression(), todo()]);
 */
export function compression(options: CompressionOptions = {}): Plugin {
  assertOptions('compress replies', options, ['threshold', 'codings']);
  const { threshold = 1024, codings = ['gzip', 'br'] } = options;
  if (!Number.isInteger(threshold) || threshold < 0)
    throw new RangeError(`Cannot compress replies from ${threshold} bytes on: give a whole number`);
  for (const coding of codings as readonly string[])
    if (coding !== 'gzip' && coding !== 'br')
      throw new TypeError(`Cannot compress replies with "${coding}": give gzip, br or both`);
  const kept = { gzip: new WeakMap<object, Uint8Array>(), br: new WeakMap<object, Uint8Array>() };

  async function compression(context: Context, next: Handler): Promise<Reply> {
    const coding = preferredCoding(context.headers['accept-encoding']?.toString(), codings);
    const reply = await next(withoutSuffixes(context, coding));
    if (leftAlone.find(context) === true) return reply;
    if (reply.status === 304) return unchanged(reply, context, coding);
    if (!isCompressible(reply, context, threshold)) return reply;
    if (coding === undefined) return varied(reply);
    const { body } = reply;
    if (body !== undefined && !(body instanceof Readable)) {
      const bytes = await codedOnce(kept[coding], reply, body, coding);
      return bytes.length < lengthOf(reply)! ? codedReply(reply, coding, bytes) : varied(reply);
    }
    // The body is a stream, or is absent in a reply to HEAD. The server sends no body for HEAD: none is compressed.
    const isSent = body !== undefined && context.method !== 'HEAD';
    return codedReply(reply, coding, isSent ? compressedStream(body, coding, lengthOf(reply)) : Readable.from([]));
  }
  return { name: 'compression', stages: [compression] };
}

/** Media types that become shorter. Events are sent one by one, and flushed by who makes them. */
const MEDIA_TYPE =
  /^(?:text\/(?!event-stream$).+|.+\+(?:json|xml)|application\/(?:json|xml|javascript|x-ndjson|jsonl|yaml))$/;
/** A coding or a part of one, and what names the bytes as they are. */
const OF_THESE_BYTES = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest'];

function isCompressible(reply: Reply, { method }: Context, threshold: number): boolean {
  const length = lengthOf(reply);
  if (length === undefined ? reply.body === undefined : length < threshold) return false;
  if (reply.body === undefined && method !== 'HEAD') return false;
  const mediaType = parseContentType(headerOf(reply, 'Content-Type') ?? '')?.type;
  return (
    mediaType !== undefined &&
    MEDIA_TYPE.test(mediaType) &&
    !OF_THESE_BYTES.some((name) => headerOf(reply, name) !== undefined) &&
    !/\bno-transform\b/i.test(headerOf(reply, 'Cache-Control') ?? '')
  );
}

/** In bytes; undefined where it is not known, or there is no body. */
function lengthOf(reply: Reply): number | undefined {
  const length = headerOf(reply, 'Content-Length');
  return length === undefined ? undefined : Number(length);
}

const varied = (reply: Reply): Reply => withHeaders(reply, { Vary: 'Accept-Encoding' });

type WholeBody = Exclude<ReplyBody, Readable>;

/**
 * The body in this coding, kept as long as the value of a store that it is the text of, or else as the reply. To
 * compress a list of 100 items takes 87 µs on Node 26, and the rest of its read 14 µs.
 */
async function codedOnce(kept: WeakMap<object, Uint8Array>, reply: Reply, body: WholeBody, coding: Coding) {
  const { value } = reply;
  const owner = isRepresentation(value) && 'body' in value && value.body === body ? value : reply;
  const coded = kept.get(owner) ?? (await compressed(body, coding));
  kept.set(owner, coded);
  return coded;
}

/** Up to this length, in bytes, a body is compressed in this thread: one of 2 kB takes 36 µs, in another thread 75. */
const SHORT = 16 * 1024;
/** As fast as gzip, and a twentieth shorter. A window of 256 KiB bounds what a stream takes of the memory. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } };

async function compressed(body: WholeBody, coding: Coding): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (coding === 'gzip') return bytes.length > SHORT ? promisify(gzip)(bytes) : gzipSync(bytes);
  return bytes.length > SHORT ? promisify(brotliCompress)(bytes, BROTLI) : brotliCompressSync(bytes, BROTLI);
}

/**
 * The stream in this coding, at the pace of its reader. What the source gives is flushed at once, so that it is there
 * when the source waits. Whatever ends the one ends the other.
 */
function compressedStream(source: Readable, coding: Coding, length: number | undefined): Readable {
  const coder =
    coding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, ...BROTLI })
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

/** Fails for what the server would not send either: nobody sees that something is missing once it is compressed. */
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

/** Ranges are those of the bytes as they are. */
const REPLACED = /^(?:content-length|accept-ranges|content-encoding|etag)$/i;

function codedReply(reply: Reply, coding: Coding, body: ReplyBody): Reply {
  const lines = reply.headers as readonly string[];
  const kept = lines.filter((_, at) => !REPLACED.test(lines[at - (at % 2)]!));
  const etag = headerOf(reply, 'ETag');
  if (etag !== undefined) kept.push('ETag', codedTag(etag, coding));
  const added = ['Content-Encoding', coding, 'Vary', 'Accept-Encoding'];
  return makeReply(reply.status, withDefaults(kept, added), body);
}

/** A weak tag says nothing of the bytes. */
const codedTag = (etag: string, coding: Coding): string =>
  etag.startsWith('W/') ? etag : etag.replace(/"$/, `+${coding}"`);

/** A 304 names the representation that the client has. */
function unchanged(reply: Reply, { headers }: Context, coding: Coding | undefined): Reply {
  const added: Record<string, string> = { Vary: 'Accept-Encoding' };
  const etag = headerOf(reply, 'ETag');
  const coded = etag === undefined || coding === undefined ? undefined : codedTag(etag, coding);
  if (coded !== undefined && headers['if-none-match']?.includes(coded) === true) added['ETag'] = coded;
  return withHeaders(reply, added);
}

/**
 * Whoever read it in any coding may change what is there. Whoever reads it again has it in the coding that would be
 * sent: another copy in a cache is not renewed by this one.
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
