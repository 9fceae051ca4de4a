/**
 * Keeps values in the order of their creation, each as the JSON text that is sent for it.
 *
 * A text is made once for each change, so a read is a look-up. The list is made of blocks that all its readers share
 * (`block-list.ts`).
 */
import type { Reply } from '../../http/message/context.ts';
import type { Representation } from '../operation/representation.ts';
import type { PropertyNaming } from '../schema/property-naming.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { serializer } from '../schema/serialize.ts';
import type { Block } from './block.ts';
import { BlockList } from './block-list.ts';
import { canonicalText } from './canonical-text.ts';
import { CollectionFull } from './collection-full.ts';

/** How much a collection may hold; without limit unless given. */
export interface CollectionLimits {
  readonly maxItems?: number;
  /** Bytes of memory, as `bytes` counts them. A function is called once, when the collection has grown past 1 KiB. */
  readonly maxBytes?: number | (() => number);
}

/**
 * The record of an item. It is an object literal and no class: V8 allocates literals that live long in the old
 * generation at once, and copies instances of a class there, which costs 2 % of a POST.
 */
interface Item<Value> {
  readonly block: Block<Item<Value>>;
  /** The text; until a new item is read, its value where `#keepsValue` is set. */
  body: string | Value;
  length: number;
  version: number;
  replies: Reply[] | undefined;
}

/** Bytes that an item takes beside its text: key, record and map entry 260, the reply that is kept with it 340. Measured. */
const OVERHEAD = 600;
/** Below this size `maxBytes` is not asked: to ask V8 for its heap limit takes longer than to compose a service. */
const UNLIMITED_BYTES = 1024;

/** An ordered collection, in memory, of the values of a schema whose type is `object`. */
export class RepresentedCollection<S extends Schema & { readonly type: 'object' }> {
  /** In the order of creation: a `Map` keeps it. */
  readonly #items = new Map<string, Item<Infer<S>>>();
  readonly #write: (value: Infer<S>) => string;
  readonly #canonical: RegExp;
  /** A value of strings, numbers and booleans takes less memory than its text, and is collected at less cost. */
  readonly #keepsValue: boolean;
  readonly #maxItems: number;
  #maxBytes: number | (() => number);
  readonly #blocks: BlockList<Item<Infer<S>>>;
  #list: Representation<readonly Infer<S>[]> | undefined;
  #bytes = 0;
  #version = 0;

  constructor(schema: S, naming: PropertyNaming, { maxItems = Infinity, maxBytes = Infinity }: CollectionLimits = {}) {
    this.#write = serializer(schema, naming);
    this.#canonical = canonicalText(schema, naming);
    this.#keepsValue = isFlat(schema);
    this.#blocks = new BlockList((item) => this.#textOf(item));
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Bytes of memory that the items take: an estimate that the limit is compared with. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The item with exactly this key. */
  get(key: string): Representation<Infer<S>> | undefined {
    const item = this.#items.get(key);
    if (item !== undefined) this.#textOf(item);
    return item as (Item<Infer<S>> & { body: string }) | undefined;
  }

  /**
   * Appends a value, which must not change afterwards, under a new key. The result is for one reply: many items are
   * created and few are read soon. Throws `CollectionFull`, and an `Error` for a key that is taken.
   */
  add(key: string, value: Infer<S>): Representation<Infer<S>> {
    if (this.#items.has(key)) throw new Error(`Cannot add an item with the key "${key}": there is one`);
    if (this.#items.size >= this.#maxItems) throw new CollectionFull(`The store holds its ${this.#maxItems} items`);
    const body = this.#write(value);
    const length = flatLength(body);
    this.#reserve(OVERHEAD + memoryOf(body, length));
    const version = ++this.#version;
    const block = this.#blocks.open();
    const item: Item<Infer<S>> = { block, body: this.#keepsValue ? value : body, length, version, replies: undefined };
    this.#blocks.add(item);
    this.#items.set(key, item);
    this.#list = undefined;
    return { body, length, version, replies: undefined };
  }

  /**
   * Puts a value in the place of the item with this key. `sent` is the JSON text that the value was read from, if there
   * is one: the result has it as its `body` if it is what the service writes for the value. Throws `CollectionFull`, and
   * an `Error` if there is no such item.
   */
  replace(key: string, value: Infer<S>, sent?: string): Representation<Infer<S>> {
    const item = this.#existing(key);
    const body = sent !== undefined && this.#canonical.test(sent) ? sent : this.#write(value);
    const length = flatLength(body);
    this.#reserve(memoryOf(body, length) - memoryOf(this.#textOf(item), item.length));
    const growth = length - item.length;
    item.body = body;
    item.length = length;
    item.version = ++this.#version;
    item.replies = undefined;
    this.#blocks.resize(item, growth);
    this.#list = undefined;
    return item as Item<Infer<S>> & { body: string };
  }

  /** Removes the item with this key. Throws an `Error` if there is none. */
  remove(key: string): void {
    const item = this.#existing(key);
    this.#items.delete(key);
    this.#blocks.remove(item);
    this.#bytes -= OVERHEAD + memoryOf(this.#textOf(item), item.length);
    this.#version++;
    this.#list = undefined;
  }

  /** Every value, in the order of creation; the same object until something changes. */
  list(): Representation<readonly Infer<S>[]> {
    return (this.#list ??= this.#makeList());
  }

  #makeList(): Representation<readonly Infer<S>[]> {
    const { length } = this.#blocks;
    return { body: this.#blocks.body(), length, version: this.#version, replies: undefined };
  }

  #textOf(item: Item<Infer<S>>): string {
    if (typeof item.body === 'string') return item.body;
    const text = this.#write(item.body);
    if (flatLength(text) !== item.length) throw new Error('A value was changed after it was added to its collection');
    return (item.body = text);
  }

  #existing(key: string): Item<Infer<S>> {
    const item = this.#items.get(key);
    if (item === undefined) throw new Error(`There is no item with the key "${key}"`);
    return item;
  }

  #reserve(growth: number): void {
    const bytes = this.#bytes + growth;
    if (growth > 0 && bytes > UNLIMITED_BYTES) {
      if (typeof this.#maxBytes === 'function') this.#maxBytes = this.#maxBytes();
      if (bytes > this.#maxBytes)
        throw new CollectionFull(`The store holds as many bytes as it may: ${this.#maxBytes}`);
    }
    this.#bytes = bytes;
  }
}

const isFlat = ({ properties }: Schema): boolean =>
  properties !== undefined && Object.values(properties).every(({ type }) => type !== 'object' && type !== 'array');

/** Bytes of a text in UTF-8. Counting makes V8 join the parts of a string, which take three times the memory. */
const flatLength = (text: string): number => Buffer.byteLength(text);

/** Bytes of memory of a text: a character takes one byte where all are ASCII, else two. */
const memoryOf = (text: string, length: number): number => (text.length === length ? length : 2 * text.length);
