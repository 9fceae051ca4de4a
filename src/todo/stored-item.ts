/**
 * An item of the store, and its text, which is written when it is first read after a change.
 *
 * Whoever replaces an item is not sent it, so writing the text at once is for nobody: measured, 3 % of a PUT. Its length is known
 * before (`item-texts.ts`).
 */
import type { Representation } from '../api/representation.ts';
import type { Reply } from '../http/context.ts';
import type { ItemBlock } from './item-block.ts';
import { memoryOf, type ItemTexts } from './item-texts.ts';
import type { TodoItem } from './todo-item.ts';

/** What is sent for an item, and where it stands in the list. */
export class StoredItem implements Representation<TodoItem> {
  readonly key: string;
  readonly block: ItemBlock;
  length = 0;
  version = 0;
  replies: Reply[] | undefined = undefined;
  readonly #texts: ItemTexts;
  #isComplete = false;
  /** Until the text is there, which holds it too. */
  #name: string | null = null;
  #text: string | undefined = undefined;

  /** Is no item yet: see `become`. */
  constructor(key: string, block: ItemBlock, texts: ItemTexts) {
    this.key = key;
    this.block = block;
    this.#texts = texts;
  }

  /** Makes it this item; `text` and `length` as measured. */
  become(item: TodoItem, text: string | undefined, length: number, version: number): void {
    this.length = length;
    this.version = version;
    this.replies = undefined;
    this.#isComplete = item.isComplete;
    this.#name = text === undefined ? item.name : null;
    this.#text = text;
  }

  get body(): string {
    if (this.#text === undefined) {
      this.#text = this.#written();
      this.#name = null;
    }
    return this.#text;
  }

  /** Bytes that its text takes. */
  get memory(): number {
    return memoryOf(this.#text, this.length);
  }

  /** For one answer: a text that is written now is not kept. Of a million items that are created, few are read soon. */
  once(): Representation<TodoItem> {
    return { body: this.#text ?? this.#written(), length: this.length, version: this.version, replies: undefined };
  }

  #written(): string {
    const { key, length } = this;
    const text = this.#texts.write({ key, name: this.#name, isComplete: this.#isComplete });
    // Also joins the pieces that V8 leaves a text in, which take thrice the memory.
    if (Buffer.byteLength(text) !== length) throw new Error(`The item ${key} was measured as ${length} bytes, but it is not`);
    return text;
  }
}
