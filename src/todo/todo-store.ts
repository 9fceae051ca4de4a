/**
 * The items, in memory, in the order of their creation (D6), each with the text that is sent for it.
 *
 * An item's text is made once for each change, so reading one is a look-up. The list is made of blocks that remember their
 * bytes: after a change one block is made anew and the others are shared, by the next list and by every reader that is
 * still being sent the one before – forty slow readers of a full list hold one copy and what has changed since.
 */
import { randomUUID } from 'node:crypto';
import type { Representation } from '../api/operation/representation.ts';
import { ItemBlock } from './item-block.ts';
import { ItemTexts, memoryOf } from './item-texts.ts';
import type { StoredItem } from './stored-item.ts';
import type { TodoItem } from './todo-item.ts';

/** How much may be stored. */
export interface StoreLimits {
  readonly maxItems?: number;
  /** Bytes of memory as the store reckons them: texts, and `OVERHEAD` for each. A function is asked when they begin to matter. */
  readonly maxBytes?: number | (() => number);
}

/** Thrown when an item does not fit; nothing has changed then. */
export class StoreFull extends Error {}

/** Bytes that an item costs beside its text: map entry, key, objects (260), and the reply that is kept once it was read (340). Measured. */
const OVERHEAD = 600;
/** To ask the heap for its limit takes a service longer than to compose itself, so the one item of the start does not ask. */
const ASKED_FROM = 1024;
/** A list up to this many bytes is one text, which leaves in one write with its head. */
const ONE_TEXT = 32 * 1024;
const OPEN = Buffer.from('['),
  CLOSE = Buffer.from(']');

/** The items in memory. The order of a `Map` is that of creation, and setting a key again keeps its place. */
export class TodoStore {
  readonly #items = new Map<string, StoredItem>();
  readonly #texts: ItemTexts;
  readonly #bodyOf = (stored: StoredItem): string => this.#texts.bodyOf(stored);
  readonly #maxItems: number;
  #maxBytes: number | (() => number);
  #blocks: ItemBlock<StoredItem>[] = [];
  #list: Representation<readonly TodoItem[]> | undefined;
  #textBytes = 0;
  #bytes = 0;
  #version = 0;

  /** `write` makes the text of an item. */
  constructor(write: (item: TodoItem) => string, { maxItems = Infinity, maxBytes = Infinity }: StoreLimits = {}) {
    this.#texts = new ItemTexts(write);
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Memory that the items take, in bytes, as the limit reckons it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The item with exactly this key. */
  get(key: string): StoredItem | undefined {
    return this.#items.get(key);
  }

  /** Stores a new item under a new key, whatever key it brings. Throws `StoreFull`. */
  add(item: TodoItem): StoredItem {
    if (this.#items.size >= this.#maxItems) throw new StoreFull(`The store holds its ${this.#maxItems} items`);
    const key = randomUUID();
    const text = this.#texts.toMeasure(key, item),
      length = this.#texts.lengthOf(item, text);
    this.#reserve(OVERHEAD + memoryOf(text, length));
    let block = this.#blocks.at(-1);
    if (block === undefined || block.full) this.#blocks.push((block = new ItemBlock(this.#bodyOf)));
    const { isComplete } = item,
      name = text === undefined ? item.name : null,
      version = ++this.#version;
    const stored: StoredItem = { key, block, length, version, isComplete, name, body: text, replies: undefined };
    block.add(stored);
    this.#items.set(key, stored);
    this.#changed(length);
    return stored;
  }

  /** Puts this in the place of a stored item, under its key. Throws `StoreFull`. */
  replace(stored: StoredItem, item: TodoItem): void {
    const text = this.#texts.toMeasure(stored.key, item),
      length = this.#texts.lengthOf(item, text);
    this.#reserve(memoryOf(text, length) - memoryOf(stored.body, stored.length));
    const growth = length - stored.length;
    stored.length = length;
    stored.version = ++this.#version;
    stored.isComplete = item.isComplete;
    stored.name = text === undefined ? item.name : null;
    stored.body = text;
    stored.replies = undefined;
    stored.block.changed(growth);
    this.#changed(growth);
  }

  remove(stored: StoredItem): void {
    this.#items.delete(stored.key);
    stored.block.remove(stored);
    if (stored.block.empty) this.#blocks = this.#blocks.filter((block) => block !== stored.block);
    this.#bytes -= OVERHEAD + memoryOf(stored.body, stored.length);
    this.#version++;
    this.#changed(-stored.length);
  }

  /** What is sent of a stored item. */
  read(stored: StoredItem): Representation<TodoItem> {
    this.#texts.bodyOf(stored);
    return stored as StoredItem & { body: string };
  }

  /** Is this text, from which a stored item was read, what is sent of it, letter for letter? */
  isSentAs(stored: StoredItem, text: string): boolean {
    return this.#texts.isBodyOf(stored, text);
  }

  /** The same for one answer, of which nothing is kept: of a million items that are created, few are read soon. */
  once(stored: StoredItem): Representation<TodoItem> {
    return { body: this.#texts.once(stored), length: stored.length, version: stored.version, replies: undefined };
  }

  /** Every item, in order of creation; the same object until something changes. */
  list(): Representation<readonly TodoItem[]> {
    return (this.#list ??= this.#makeList());
  }

  #makeList(): Representation<readonly TodoItem[]> {
    const length = this.#textBytes + Math.max(this.#items.size - 1, 0) + 2;
    const version = this.#version;
    if (length <= ONE_TEXT) {
      const body = `[${this.#blocks.map((block) => block.text()).join(',')}]`;
      // Also joins the pieces that V8 leaves a text in: measured, a seventh of a read of a hundred items.
      if (Buffer.byteLength(body) !== length)
        throw new Error(`The list was measured as ${length} bytes, but it is not`);
      return { body, length, version, replies: undefined };
    }
    // Every block begins with a comma; the first one's is left out.
    const chunks = this.#blocks.map((block, at) => (at === 0 ? block.bytes().subarray(1) : block.bytes()));
    return { body: [OPEN, ...chunks, CLOSE], length, version, replies: undefined };
  }

  #reserve(growth: number): void {
    const bytes = this.#bytes + growth;
    if (growth > 0 && bytes > ASKED_FROM) {
      if (typeof this.#maxBytes === 'function') this.#maxBytes = this.#maxBytes();
      if (bytes > this.#maxBytes) throw new StoreFull(`The store holds as many bytes as it may: ${this.#maxBytes}`);
    }
    this.#bytes = bytes;
  }

  #changed(growth: number): void {
    this.#textBytes += growth;
    this.#list = undefined;
  }
}
