/**
 * A value whose JSON text was made when it changed, not when it is asked for.
 *
 * Making the text of one item costs more than routing, pipeline and context together, and the list of a hundred a
 * hundred times that; the store makes each text once per change and every reader is sent that one. The version goes
 * into the strong ETag (RFC 9110 §8.8.3), so a client that has the text already is answered 304.
 */
import type { Reply } from '../../http/message/context.ts';

/** The JSON of a `T`: one text, or chunks of UTF-8 that readers share. */
export interface Representation<T> {
  /** Never set; holds the type. */
  readonly value?: T;
  readonly body: string | readonly Uint8Array[];
  /** In bytes. */
  readonly length: number;
  /** Differs from that of any other text under this address. */
  readonly version: number;
  /** The replies made of it so far, by the position of their media type; `operation-reply.ts` keeps them here. */
  replies: Reply[] | undefined;
}

/** Is this a representation rather than a value that is still to be written? */
export const isRepresentation = (body: unknown): body is Representation<unknown> =>
  typeof body === 'object' && body !== null && 'version' in body && 'length' in body && 'replies' in body;
