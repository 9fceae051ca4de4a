/** Keeps values in the order of their creation, each as the JSON text that is sent for it: a read is a look-up. */
import type { Version } from '../../http.ts';
import type { InferReply, Schema } from '../../index.ts';
import {
  type PropertyNaming,
  type Representation,
  representation,
  type StreamedRepresentation,
  serializer,
  streamedRepresentation,
} from '../../operations.ts';
import { type Block, BlockList } from './block-list.ts';
import type { Store } from './store.ts';
import { CollectionFull } from './store-error.ts';
import { writtenTexts } from './written-texts.ts';

/** How much a collection may hold; without limit unless given. */
export interface CollectionLimits {
  readonly maxItems?: number | undefined;
  /** In bytes, compared with `bytes`. A function is called once, when the collection grows past 1 KiB. */
  readonly maxBytes?: (number | (() => number)) | undefined;
}

/** Not a class: V8 allocates long-lived literals in the old generation, but copies instances: 2 % of a POST. */
interface Item {
  readonly block: Block;
  body: string;
  length: number;
  version: number;
  /** What is returned for it, from its first read until it changes: the reply that is made of it is kept there. */
  kept: Representation<unknown> | undefined;
}

type Kept<S extends Schema> = Representation<InferReply<S>>;
type List<S extends Schema> =
  | Representation<readonly InferReply<S>[]>
  | StreamedRepresentation<readonly InferReply<S>[]>;

/** Bytes that an item takes beside its text: 190 measured, the rest is for its readers. */
const OVERHEAD = 600;
/** A longer list is streamed: to make it whole would keep other requests waiting. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Up to this size `maxBytes` is not called: to read the heap limit takes longer than to compose a service. */
const UNLIMITED_BYTES = 1024;

/**
 * The store in memory: an ordered collection of the values of a schema whose type is `object`.
 *
 *     const notes = new RepresentedCollection(
 *       { type: 'object', properties: { text: { type: 'string' } } } as const, 'camelCase', { maxItems: 1000 },
 *     );
 *     const answer = unlessFull(() => ok(notes.add('first', { text: 'Rest' })));
 */
export class RepresentedCollection<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly #items = new Map<string, Item>();
  readonly #blocks = new BlockList();
  readonly #write: (value: InferReply<S>) => string;
  readonly #isWritten: (value: InferReply<S>, text: string) => boolean;
  readonly #maxItems: number;
  #maxBytes: number | (() => number);
  #list: Representation<readonly InferReply<S>[]> | undefined;
  #bytes = 0;
  #version = 0;

  constructor(schema: S, naming: PropertyNaming, { maxItems = Infinity, maxBytes = Infinity }: CollectionLimits = {}) {
    this.#write = serializer(schema, naming);
    this.#isWritten = writtenTexts(schema, naming);
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Estimated bytes of memory that the items take; `maxBytes` limits it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The item with exactly this key. */
  get(key: string): Kept<S> | undefined {
    const item = this.#items.get(key);
    return item && ((item.kept ??= representation(item.body, item.version, item.length)) as Kept<S>);
  }

  /** Appends a value under a new key. Throws `CollectionFull`, or an `Error` if the key is taken. */
  add(key: string, value: InferReply<S>): Kept<S> {
    if (this.#items.has(key)) throw new Error(`Cannot add an item with the key "${key}": there is one`);
    if (this.#items.size >= this.#maxItems) throw new CollectionFull(`The store holds its ${this.#maxItems} items`);
    const body = this.#write(value);
    const length = flatLength(body);
    this.#reserve(OVERHEAD + memoryOf(body, length));
    const version = this.#nextVersion();
    const item: Item = { block: this.#blocks.open(), body, length, version, kept: undefined };
    this.#blocks.add(item);
    this.#items.set(key, item);
    return representation(body, version, length);
  }

  /**
   * Replaces the value under a key; the item keeps its place. `sent` is the JSON text that the value was parsed from,
   * if there is one. Returns undefined if there is no such item, or it has another version. Throws `CollectionFull`.
   */
  replace(key: string, value: InferReply<S>, version?: Version, sent?: string): Kept<S> | undefined {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return undefined;
    const body = sent !== undefined && this.#isWritten(value, sent) ? sent : this.#write(value);
    const length = flatLength(body);
    this.#reserve(memoryOf(body, length) - memoryOf(item.body, item.length));
    this.#blocks.resize(item, length - item.length);
    item.body = body;
    item.length = length;
    item.version = this.#nextVersion();
    item.kept = undefined;
    return representation(body, item.version, length);
  }

  /** Removes the item with this key. Returns false if there is none, or it has another version. */
  remove(key: string, version?: Version): boolean {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return false;
    this.#items.delete(key);
    this.#blocks.remove(item);
    this.#bytes -= OVERHEAD + memoryOf(item.body, item.length);
    this.#nextVersion();
    return true;
  }

  /**
   * The JSON array of all values in the order of creation, the same object until something changes. A list of more than
   * 8 MiB is streamed, as it is when the stream is opened.
   */
  list(): List<S> {
    if (this.#list !== undefined) return this.#list;
    const { length } = this.#blocks;
    if (length <= MAX_LIST_BYTES) return (this.#list = representation(this.#blocks.body(), this.#version, length));
    const collection = this;
    // Length and version are those of the moment in which the stream is opened.
    return {
      ...streamedRepresentation(() => collection.#blocks.stream()),
      get length() {
        return collection.#blocks.length;
      },
      get version() {
        return collection.#version;
      },
    };
  }

  /** That of a change, which makes the list another one. */
  #nextVersion(): number {
    this.#list = undefined;
    return ++this.#version;
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

/** Bytes of a text in UTF-8. The count makes V8 flatten a concatenated string, which takes three times the memory. */
const flatLength = (text: string): number => Buffer.byteLength(text);

/** Bytes of memory of a text: one for each character if all are ASCII, else two. */
const memoryOf = (text: string, length: number): number => (text.length === length ? length : 2 * text.length);
