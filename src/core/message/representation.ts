/** Declares the values that are kept as the texts which are sent for them, and their entity tags (RFC 9110 §8.8.3). */
import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/**
 * Names one state of what is under a URI, in every run and every process: a UUID, or the number that a column of a
 * database counts. A count that begins anew in each process needs `versionOfProcess` (D76).
 */
export type Version = number | string;

/** On every representation. No JSON of a client has it, while its members could have the names of any value. */
const BRAND: unique symbol = Symbol.for('todo-item-service representation');

/**
 * A value that is kept as the JSON text which is sent for it, made when the value changed: to write the text of one
 * item takes longer than routing and pipeline together. Its version makes the strong ETag (RFC 9110 §8.8.3).
 */
export interface Representation<T> {
  readonly [BRAND]: true;
  /** Never set; carries the type. */
  readonly value?: T;
  readonly body: string;
  /** In bytes of UTF-8. */
  readonly length: number;
  /** Differs from that of every other text under the same URI. */
  readonly version: Version;
}

/** A value that is too large for one text: it is read and sent piece by piece, as JSON. */
export interface StreamedRepresentation<T> {
  readonly [BRAND]: true;
  /** Never set; carries the type. */
  readonly value?: T;
  /** Opens the stream of its JSON text. It is called once for each reply, before the next turn of the event loop. */
  readonly stream: () => Readable;
  /** In bytes of UTF-8; undefined where it is not known. */
  readonly length: number | undefined;
  /** Undefined where no version names the whole text. The reply then has no ETag. */
  readonly version: Version | undefined;
}

/**
 * Makes a representation of a JSON text, as a store of its own needs it. The text is sent as it is: write it with
 * `serializer`.
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
 * Makes a representation of a JSON text that is streamed, for a list of any size. `open` makes one stream a reply.
 * Give its length in bytes, and the version that names the whole text, if they are known. It cannot be sent as another
 * media type than JSON.
 */
export const streamedRepresentation = <Value>(
  open: () => Readable,
  { length, version }: { readonly length?: number | undefined; readonly version?: Version | undefined } = {},
): StreamedRepresentation<Value> => ({ [BRAND]: true, stream: open, length, version });

/** Tells a representation, also of another copy of this library, from a value that is still to be written. */
export const isRepresentation = (value: unknown): value is Representation<unknown> | StreamedRepresentation<unknown> =>
  typeof value === 'object' && value !== null && BRAND in value;

/** Tells one that is sent in parts from one that is there at once. */
export const isStreamed = <T>(kept: Representation<T> | StreamedRepresentation<T>): kept is StreamedRepresentation<T> =>
  'stream' in kept;

/** The JSON of a representation as it is sent, and its length in bytes, if it is known. Opens a stream of a streamed one. */
export const contentOf = (
  kept: Representation<unknown> | StreamedRepresentation<unknown>,
): { readonly body: string | Readable; readonly length: number | undefined } =>
  isStreamed(kept) ? { body: kept.stream(), length: kept.length } : kept;

/**
 * The ETag of a version, in quotes: the same in every run and every process. Each media type of a version, by its
 * number, has a tag of its own (D8).
 */
export function entityTag(version: Version, mediaType = 0): string {
  // A colon of a text is escaped, so two versions and two media types never have one tag.
  const name = encodeURIComponent(version);
  return mediaType === 0 ? `"${name}"` : `"${name}:${mediaType}"`;
}

const ofProcess = randomBytes(3).toString('base64url');

/** The version for a count that begins anew in each process, as that of a collection in memory does. */
export const versionOfProcess = (count: number): string => `${ofProcess}-${count.toString(36)}`;

/** The ETag of these bytes, or of this text in UTF-8, in quotes: the same in each run. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
