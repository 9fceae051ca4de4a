/** Declares the values that are kept as the texts which are sent for them. */
import type { Readable } from 'node:stream';
import type { Version } from './headers/entity-tag.ts';

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
