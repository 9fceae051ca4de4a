/** Declares representations: values that are stored as the JSON texts to send. Formats ETags (RFC 9110 §8.8.3). */
import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Identifies one state of the resource at a URI. It must be unique in all runs and all processes: use a UUID, or a
 * counter in a database column. For a counter that restarts with each process, use `versionOfProcess` (D76).
 */
export type Version = number | string;

/** Marks every representation. The mark is a symbol, because the JSON of a client can contain any other member. */
const BRAND: unique symbol = Symbol.for('todo-item-service representation');

/**
 * A value that is stored as its JSON text. The text is written only when the value changes, because writing the JSON of
 * one item takes longer than routing and the pipeline together. The version becomes the strong ETag (RFC 9110 §8.8.3).
 */
export interface Representation<T> {
  readonly [BRAND]: true;
  /** Never set. Declares the type of the value. */
  readonly value?: T;
  readonly body: string;
  /** In bytes of UTF-8. */
  readonly length: number;
  /** Differs from the version of every other text at the same URI. */
  readonly version: Version;
}

/** A value that is too large for one text. Its JSON is read and sent piece by piece. */
export interface StreamedRepresentation<T> {
  readonly [BRAND]: true;
  /** Never set. Declares the type of the value. */
  readonly value?: T;
  /**
   * Opens a stream of the JSON text. Called once for each reply, in the turn of the event loop that creates the reply.
   */
  readonly stream: () => Readable;
  /** In bytes of UTF-8; undefined if it is not known. */
  readonly length: number | undefined;
  /** Undefined if no version identifies the whole text. The reply then has no ETag. */
  readonly version: Version | undefined;
}

/**
 * Returns a representation of a JSON text, for a custom store. The text is sent unchanged: write it with `serializer`.
 *
 * ```ts
 * representation<Note>(write(note), randomUUID())
 * ```
 */
export const representation = <Value>(body: string, version: Version): Representation<Value> => ({
  body,
  length: Buffer.byteLength(body),
  version,
  [BRAND]: true,
});

/**
 * Returns a representation of a streamed JSON text, for a list of any size. `open` returns a new stream for each reply.
 * Give the length in bytes and the version of the whole text if they are known. The representation can be sent as JSON
 * only.
 */
export const streamedRepresentation = <Value>(
  open: () => Readable,
  { length, version }: { readonly length?: number | undefined; readonly version?: Version | undefined } = {},
): StreamedRepresentation<Value> => ({ [BRAND]: true, stream: open, length, version });

/** True for a representation, even if another copy of this library created it. */
export const isRepresentation = (value: unknown): value is Representation<unknown> | StreamedRepresentation<unknown> =>
  typeof value === 'object' && value !== null && BRAND in value;

/**
 * A longer text, in UTF-16 code units, is sent as bytes. Node would encode it for each reply, and keep a copy for each
 * client that reads slowly. The plugin `compression` compresses the same bytes only once.
 */
const MAX_TEXT = 1024;

const bytesOf = new WeakMap<object, WeakRef<Uint8Array>>();

/** Returns the bytes of a text. All replies with one representation share its bytes (D50). */
function sharedBytes(stored: Representation<unknown>): Uint8Array {
  const bytes = bytesOf.get(stored)?.deref() ?? bytesOfText(stored.body);
  bytesOf.set(stored, new WeakRef(bytes));
  return bytes;
}

/** The maximum number of UTF-16 code units in a text whose bytes are not shared with equal texts. */
export const MAX_UNSHARED = 16 * 1024;

/** The bytes of the last long text, with this text. */
let last: WeakRef<Uint8Array & { text?: string | undefined }> | undefined;

/** Returns the bytes of a text. Replies with the same long text as the long text before share its bytes (D50). */
export function bytesOfText(text: string): Uint8Array {
  if (text.length <= MAX_UNSHARED) return Buffer.from(text);
  const known = last?.deref();
  if (known?.text === text) return known;
  // A client may still read the bytes, but they need no text.
  if (known !== undefined) known.text = undefined;
  const bytes = Object.assign(Buffer.from(text), { text });
  last = new WeakRef(bytes);
  return bytes;
}

/** Returns the JSON of a representation, and its length in bytes if known. Opens the stream of a streamed one. */
export function contentOf(stored: Representation<unknown> | StreamedRepresentation<unknown>): {
  readonly body: string | Uint8Array | Readable;
  readonly length: number | undefined;
} {
  if ('stream' in stored) return { body: stored.stream(), length: stored.length };
  return stored.body.length > MAX_TEXT ? { body: sharedBytes(stored), length: stored.length } : stored;
}

/**
 * Returns the ETag of a version, in quotes. The ETag is the same in every run and every process. Each media type has a
 * separate ETag; `mediaType` is the index of the media type (D8).
 */
export function entityTag(version: Version, mediaType = 0): string {
  // A colon in a version is escaped, so different versions or media types never share a tag.
  const name = encodeURIComponent(version);
  return mediaType === 0 ? `"${name}"` : `"${name}:${mediaType}"`;
}

const processPrefix = randomBytes(3).toString('base64url');

/** Returns a version for a counter that restarts with each process, such as the counter of a collection in memory. */
export const versionOfProcess = (count: number): string => `${processPrefix}-${count.toString(36)}`;

/** Returns an ETag, in quotes, for bytes or a text. The same content always has the same ETag. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
