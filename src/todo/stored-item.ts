/**
 * What is kept of an item: a plain record, made by one literal (`todo-store.ts`).
 *
 * No class, though functions for it stand in `item-texts.ts`: V8 learns that the records of a literal live long and makes them
 * among the old at once; objects of a class it copies there, twice each. Measured: 2 % of a POST, a quarter of each scavenge.
 */
import type { Reply } from '../http/message/context.ts';
import type { ItemBlock } from './item-block.ts';

/** An item of the store; only the store changes it. */
export interface StoredItem {
  readonly key: string;
  /** Its stretch of the list. */
  readonly block: ItemBlock<StoredItem>;
  /** In bytes, of its text. */
  length: number;
  /** Differs from that of any other state of the store. */
  version: number;
  isComplete: boolean;
  /** Until the text is there, which holds it too. */
  name: string | null;
  /** What is sent: written when it is first read after a change, for whoever replaces an item is not sent it (3 % of a PUT). */
  body: string | undefined;
  /** See `Representation`. */
  replies: Reply[] | undefined;
}
