/**
 * An item of the store, and its text, which is written when it is first read after a change.
 *
 * Whoever replaces an item is not sent it, so writing the text at once is for nobody: measured, 3 % of a PUT. Its length is wanted
 * at once – by the limit of the store, and by the list – and is known without writing for nearly every name: JSON keeps
 * printable ASCII as it is, but for the quote and the backslash. Any other name is written to be measured.
 */
import type { Representation } from '../api/representation.ts';
import type { Reply } from '../http/context.ts';
import type { ItemBlock } from './item-block.ts';
import type { TodoItem } from './todo-item.ts';

const AS_IT_IS = /^[ !#-[\]-~]*$/;
const ANY_KEY = '00000000-0000-4000-8000-000000000000';

/** How items are written and measured. Every key has the length of a GUID. */
export class ItemTexts {
  /** Makes the text of an item. */
  readonly write: (item: TodoItem) => string;
  readonly #aroundTrue: number;
  readonly #aroundFalse: number;

  constructor(write: (item: TodoItem) => string) {
    this.write = write;
    this.#aroundTrue = write({ key: ANY_KEY, name: '', isComplete: true }).length;
    this.#aroundFalse = write({ key: ANY_KEY, name: '', isComplete: false }).length;
  }

  /** The text of an item that cannot be measured without it. */
  toMeasure(key: string, { name, isComplete }: TodoItem): string | undefined {
    return typeof name === 'string' && AS_IT_IS.test(name) ? undefined : this.write({ key, name, isComplete });
  }

  /** Bytes of the text; `text` is what `toMeasure` gave for this item. */
  lengthOf({ name, isComplete }: TodoItem, text: string | undefined): number {
    if (text !== undefined) return Buffer.byteLength(text);
    return (isComplete ? this.#aroundTrue : this.#aroundFalse) + name!.length;
  }
}

/** Bytes of memory that a text takes, if it was to be measured: a letter takes one where all are Latin, else two. */
export const memoryOf = (text: string | undefined, length: number): number =>
  (text === undefined || text.length === length ? length : 2 * text.length);

/** What is sent for an item, and where it stands in the list. */
export class StoredItem implements Representation<TodoItem> {
  readonly key: string;
  readonly block: ItemBlock;
  length: number;
  version: number;
  replies: Reply[] | undefined = undefined;
  readonly #texts: ItemTexts;
  #isComplete: boolean;
  /** Until the text is there, which holds it too. */
  #name: string | null;
  #text: string | undefined;

  constructor(key: string, block: ItemBlock, item: TodoItem, text: string | undefined, length: number, version: number, texts: ItemTexts) {
    this.key = key;
    this.block = block;
    this.length = length;
    this.version = version;
    this.#texts = texts;
    this.#isComplete = item.isComplete;
    this.#name = text === undefined ? item.name : null;
    this.#text = text;
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
