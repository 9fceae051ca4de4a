/** Keeps values in the order of their creation, each as the JSON text that is sent for it: a read is a look-up. */
import { type Version, versionOfProcess } from '../../core/message/headers/entity-tag.ts';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from '../../core/message/representation.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';
import { ListSnapshots, type Snapshot } from './list-snapshots.ts';
import type { Store } from './store.ts';
import { CollectionFull } from './store-error.ts';

/** How much a collection may hold; without limit unless given. */
export interface CollectionLimits {
  readonly maxItems?: number | undefined;
  /** In bytes, compared with `bytes`. A function is called once, when the collection grows past 1 KiB. */
  readonly maxBytes?: (number | (() => number)) | undefined;
}

/** What is sent for a value. Each change makes a new item; its version has `count`, the number of this change. */
type Item = Representation<unknown> & { readonly count: number };

type Kept<S extends Schema> = Representation<InferReply<S>>;
type List<S extends Schema> =
  | Representation<readonly InferReply<S>[]>
  | StreamedRepresentation<readonly InferReply<S>[]>;

/** Bytes that an item takes beside its text: 190 measured, the rest is for its readers. */
const OVERHEAD = 600;
/** A longer list is streamed: each slow reader of a text has a copy of it. */
const MAX_LIST_BYTES = 256 * 1024;
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
  /** How many changes it has had no room for. */
  refusals = 0;
  /** In the order of creation: a key that is set again keeps its place (D6). */
  readonly #items = new Map<string, Item>();
  readonly #snapshots = new ListSnapshots();
  readonly #write: (value: InferReply<S>) => string;
  readonly #maxItems: number;
  #maxBytes: number | (() => number);
  /** Undefined after a change. */
  #list: List<S> | undefined;
  /** Of the texts in UTF-8, each with a comma. */
  #listBytes = 0;
  #bytes = 0;
  /** Changes so far. */
  #count = 0;

  constructor(schema: S, naming: PropertyNaming, { maxItems = Infinity, maxBytes = Infinity }: CollectionLimits = {}) {
    this.#write = serializer(schema, naming);
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
    return this.#items.get(key) as Kept<S> | undefined;
  }

  /** Appends a value under a new key. Throws `CollectionFull`, or an `Error` if the key is taken. */
  add(key: string, value: InferReply<S>): Kept<S> {
    if (this.#items.has(key)) throw new Error(`Cannot add an item with the key "${key}": there is one`);
    if (this.#items.size >= this.#maxItems) throw this.#full(`The store holds its ${this.#maxItems} items`);
    return this.#put(key, this.#write(value));
  }

  /**
   * Replaces the value under a key; the item keeps its place. Returns undefined if there is no such item, or it has
   * another version. Throws `CollectionFull`.
   */
  replace(key: string, value: InferReply<S>, version?: Version): Kept<S> | undefined {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return undefined;
    return this.#put(key, this.#write(value), item);
  }

  /** Removes the item with this key. Returns false if there is none, or it has another version. */
  remove(key: string, version?: Version): boolean {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return false;
    this.#items.delete(key);
    this.#lose(item);
    this.#change();
    return true;
  }

  /**
   * The JSON array of all values in the order of creation, the same object until something changes. A list of more than
   * 256 KiB is streamed.
   */
  list(): List<S> {
    return (this.#list ??= this.#newList());
  }

  #newList(): List<S> {
    const texts = Array.from(this.#items.values(), ({ body }) => body);
    const count = this.#count;
    const version = versionOfProcess(count);
    // The first text has a bracket in the place of its comma.
    const length = Math.max(this.#listBytes, 1) + 1;
    if (length <= MAX_LIST_BYTES) return representation(`[${texts.join(',')}]`, version);
    const snapshot: Snapshot = { texts, count, streams: new Set(), oldBytes: 0 };
    return streamedRepresentation(() => this.#snapshots.stream(snapshot), { length, version });
  }

  /** Keeps the text of an item, perhaps in the place of `former`. */
  #put(key: string, body: string, former?: Item): Kept<S> {
    const count = this.#count + 1;
    const item: Item = { ...representation(body, versionOfProcess(count)), count };
    this.#assertRoom(memoryOf(item) - (former === undefined ? 0 : memoryOf(former)));
    if (former !== undefined) this.#lose(former);
    this.#items.set(key, item);
    this.#bytes += memoryOf(item);
    this.#listBytes += item.length + 1;
    this.#change();
    return item as Kept<S>;
  }

  #lose(item: Item): void {
    this.#bytes -= memoryOf(item);
    this.#listBytes -= item.length + 1;
    this.#snapshots.lost(item.count, textMemory(item));
  }

  #change(): void {
    this.#count++;
    this.#list = undefined;
  }

  #assertRoom(growth: number): void {
    const bytes = this.#bytes + growth;
    if (growth <= 0 || bytes <= UNLIMITED_BYTES) return;
    if (typeof this.#maxBytes === 'function') this.#maxBytes = this.#maxBytes();
    if (bytes > this.#maxBytes) throw this.#full(`The store holds as many bytes as it may: ${this.#maxBytes}`);
  }

  #full(detail: string): CollectionFull {
    this.refusals++;
    return new CollectionFull(detail);
  }
}

/** Bytes of memory of a text: one for each character if all are ASCII, else two. */
const textMemory = ({ body, length }: Item): number => (body.length === length ? length : 2 * body.length);

const memoryOf = (item: Item): number => OVERHEAD + textMemory(item);
