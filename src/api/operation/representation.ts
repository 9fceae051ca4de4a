/**
 * Declares a value that is kept as the JSON text which is sent for it.
 *
 * To write the text of one item takes longer than routing and pipeline together. A handler that answers with a
 * representation sends a text that was made when the value changed. Its version makes the strong ETag
 * (RFC 9110 §8.8.3), so a client that has the text is answered 304.
 */
import type { Reply } from '../../http/message/context.ts';

/** The JSON text of a `T`: a string, or chunks of UTF-8 that readers share. */
export interface Representation<T> {
  /** Never set; carries the type. */
  readonly value?: T;
  readonly body: string | readonly Uint8Array[];
  /** In bytes of UTF-8. */
  readonly length: number;
  /** Differs from that of every other text under the same URI. */
  readonly version: number;
  /** The replies that `operation-reply.ts` has made of it, by the position of their media type. */
  replies: Reply[] | undefined;
}

/** Tells a representation from a value that is still to be written. */
export const isRepresentation = (body: unknown): body is Representation<unknown> =>
  typeof body === 'object' && body !== null && 'version' in body && 'length' in body && 'replies' in body;
