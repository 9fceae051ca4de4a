/**
 * Keeps values in memory in the order of creation. Each value is stored as the JSON text of its replies, so a read only
 * looks up this text.
 *
 * A long list is streamed as a snapshot of the items at the time of the request. The streams share the texts with the
 * items. The text of a replaced or removed item stays in memory until all streams that need it have closed (D82).
 */
import { Readable } from 'node:stream';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
  type Version,
  versionOfProcess,
} from '../../core/http/representation.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';
import { type SentList, SentLists } from './sent-lists.ts';
import type { Store } from './store.ts';
import { CollectionFull } from './store-error.ts';

/** The limits of a collection. Default: no limit. */
export interface CollectionLimits {
  readonly maxItems?: number | undefined;
  readonly maxBytes?: number | undefined;
}

interface Item extends Representation<unknown> {
  /** The number of this change, which the version contains. */
  readonly count: number;
  /** The memory of the text in bytes: one byte per character if all are ASCII, else two bytes per character. */
  readonly textMemory: number;
}

/** The state of a long list after a certain change. */
interface Snapshot extends SentList {
  readonly texts: readonly string[];
  /** The number of changes before the list was read. */
  readonly count: number;
}

type TypedItem<S extends Schema> = Representation<InferReply<S>>;
type List<S extends Schema> =
  | Representation<readonly InferReply<S>[]>
  | StreamedRepresentation<readonly InferReply<S>[]>;

/** Estimated bytes of an item without its text: 190 bytes for the item itself, the rest for clients that read it. */
const OVERHEAD = 600;
/** The smallest limit in bytes. It is large enough for the first item of a service. */
const LEAST_BYTES = 1024;
/** A longer list is streamed. Otherwise each client that reads slowly would keep a copy of the text in memory. */
const MAX_LIST_BYTES = 256 * 1024;
/** The longest chunk of a streamed list, in characters: at most 64 KiB, because a character takes at most three bytes. */
const CHUNK_LENGTH = 21_000;
/** Bytes that an array takes for each text, without the text. */
const REFERENCE_BYTES = 8;

/**
 * A store in memory: an ordered collection of values of a schema whose type is `object`.
 *
 *     const notes = new RepresentedCollection(
 *       { type: 'object', properties: { text: { type: 'string' } } } as const, 'camelCase', { maxItems: 1000 },
 *     );
 *     const answer = ok(notes.add('first', { text: 'Rest' }));
 */
export class RepresentedCollection<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  /** The number of changes that failed because the collection was full. */
  refusals = 0;
  /** The items in the order of creation: if a key is set again, a `Map` keeps its position (D6). */
  readonly #items = new Map<string, Item>();
  readonly #snapshots = new SentLists<Snapshot>();
  readonly #write: (value: InferReply<S>) => string;
  readonly #maxItems: number;
  readonly #maxBytes: number;
  #list: List<S> | undefined;
  #bytes = 0;
  #count = 0;

  constructor(schema: S, naming: PropertyNaming, { maxItems = Infinity, maxBytes = Infinity }: CollectionLimits = {}) {
    this.#write = serializer(schema, naming);
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** The estimated memory of the items in bytes, limited by `maxBytes`. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): TypedItem<S> | undefined {
    return this.#items.get(key) as TypedItem<S> | undefined;
  }

  /** Implements `Store.add`. Throws `CollectionFull` if the store is full. */
  add(key: string, value: InferReply<S>): TypedItem<S> {
    if (this.#items.has(key)) throw new Error(`Cannot add an item with the key "${key}": another item has this key`);
    if (this.#items.size >= this.#maxItems) throw this.#full(`The store is limited to ${this.#maxItems} items`);
    return this.#put(key, this.#write(value));
  }

  /** Implements `Store.replace`. Throws `CollectionFull` if the store is full. */
  replace(key: string, value: InferReply<S>, version?: Version): TypedItem<S> | undefined {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return undefined;
    return this.#put(key, this.#write(value), item);
  }

  remove(key: string, version?: Version): boolean {
    const item = this.#items.get(key);
    if (item === undefined || (version !== undefined && version !== item.version)) return false;
    this.#items.delete(key);
    this.#changed(-(OVERHEAD + item.textMemory), item);
    return true;
  }

  /** Returns the same object until the next change. A list of more than 256 KiB is streamed. */
  list(): List<S> {
    return (this.#list ??= this.#newList());
  }

  #newList(): List<S> {
    const items = [...this.#items.values()];
    const texts = items.map(({ body }) => body);
    const version = versionOfProcess(this.#count);
    // The length includes the commas and brackets.
    const length = items.reduce((sum, item) => sum + item.length, 0) + Math.max(items.length, 1) + 1;
    if (length <= MAX_LIST_BYTES) return representation(`[${texts.join(',')}]`, version);
    // Besides the array, the texts of items that are replaced or removed later.
    const oldBytes = REFERENCE_BYTES * texts.length;
    const snapshot: Snapshot = { texts, count: this.#count, streams: new Set(), oldBytes };
    return streamedRepresentation(() => this.#stream(snapshot), { length, version });
  }

  /** Streams the JSON array of a snapshot. Each chunk is made when the client has read the chunk before. */
  #stream(snapshot: Snapshot): Readable {
    const stream = Readable.from(chunksOf(snapshot), { highWaterMark: 0 });
    this.#snapshots.send(snapshot, stream);
    return stream;
  }

  #put(key: string, body: string, former?: Item): TypedItem<S> {
    const count = this.#count + 1;
    const stored = representation(body, versionOfProcess(count));
    const textMemory = body.length === stored.length ? body.length : 2 * body.length;
    const item: Item = { ...stored, count, textMemory };
    const growth = former === undefined ? OVERHEAD + textMemory : textMemory - former.textMemory;
    if (growth > 0 && this.#bytes + growth > Math.max(this.#maxBytes, LEAST_BYTES))
      throw this.#full(`The store is limited to ${this.#maxBytes} bytes`);
    this.#items.set(key, item);
    this.#changed(growth, former);
    return item as TypedItem<S>;
  }

  /** `former` is the item that was replaced or removed. The lists that are being sent may still need its text. */
  #changed(growth: number, former: Item | undefined): void {
    this.#bytes += growth;
    this.#count++;
    this.#list = undefined;
    if (former === undefined || this.#snapshots.size === 0) return;
    for (const snapshot of this.#snapshots) if (former.count <= snapshot.count) snapshot.oldBytes += former.textMemory;
    this.#snapshots.cutSlowStreams();
  }

  #full(detail: string): CollectionFull {
    this.refusals++;
    return new CollectionFull(detail);
  }
}

function* chunksOf({ texts }: Snapshot): Generator<string> {
  let chunk = '[';
  for (const [at, text] of texts.entries()) {
    if (at > 0) chunk += ',';
    let start = 0;
    while (chunk.length + text.length - start > CHUNK_LENGTH) {
      const end = start + CHUNK_LENGTH - chunk.length;
      // The halves of a surrogate pair have no encoding.
      const whole = /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
      yield chunk + text.slice(start, whole);
      chunk = '';
      start = whole;
    }
    chunk += text.slice(start);
  }
  yield chunk;
  yield ']';
}
