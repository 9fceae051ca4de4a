/**
 * Keeps values in memory, in the order of their creation, each as the JSON text that is sent: a read is a look-up.
 *
 * A long list is sent in parts, as it was when it was read. Its streams share the texts of the items. A text that its
 * item has no longer stays in memory until the streams that need it have closed (D82).
 */
import { Readable } from 'node:stream';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
  type Version,
  versionOfProcess,
} from '../../core/message/representation.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';
import type { Store } from './store.ts';
import { CollectionFull } from './store-error.ts';

/** How much a collection may hold; without limit unless given. */
export interface CollectionLimits {
  readonly maxItems?: number | undefined;
  /** In bytes, compared with `bytes`. A function is called once, by the constructor. */
  readonly maxBytes?: (number | (() => number)) | undefined;
}

/** The text of a value. Each change makes a new item; its version has `count`, the number of this change. */
type Item = Representation<unknown> & { readonly count: number };

/** One state of a long list. */
interface Snapshot {
  readonly texts: readonly string[];
  /** The number of changes that the list had when it was read. */
  readonly count: number;
  readonly streams: Set<Readable>;
  /** Memory of the list of texts, and of the texts that have been replaced or removed since. */
  oldBytes: number;
}

type Kept<S extends Schema> = Representation<InferReply<S>>;
type List<S extends Schema> =
  | Representation<readonly InferReply<S>[]>
  | StreamedRepresentation<readonly InferReply<S>[]>;

/** Bytes that an item takes beside its text: 190 measured, the rest is for its readers. */
const OVERHEAD = 600;
/** Has room in any case, for the first item of a service whose limit is lower. */
const LEAST_BYTES = 1024;
/** A longer list is streamed: each slow reader of a text has a copy of it. */
const MAX_LIST_BYTES = 256 * 1024;
/** Characters that are joined to one part. A longer text is a part of its own. */
const PART_LENGTH = 64 * 1024;
/** Bytes that a list takes for each of its texts, beside the text. */
const REFERENCE_BYTES = 8;
/** Memory that only streams still need, in bytes. Beyond it the streams that need most are destroyed. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;

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
  /** The states of the list that are being sent. */
  readonly #snapshots = new Set<Snapshot>();
  readonly #write: (value: InferReply<S>) => string;
  readonly #maxItems: number;
  readonly #maxBytes: number;
  /** Undefined after a change. */
  #list: List<S> | undefined;
  #bytes = 0;
  /** Changes so far. */
  #count = 0;

  constructor(schema: S, naming: PropertyNaming, { maxItems = Infinity, maxBytes = Infinity }: CollectionLimits = {}) {
    this.#write = serializer(schema, naming);
    this.#maxItems = maxItems;
    this.#maxBytes = typeof maxBytes === 'function' ? maxBytes() : maxBytes;
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
    this.#changed(item, -memoryOf(item));
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
    const items = [...this.#items.values()];
    const texts = items.map(({ body }) => body);
    const version = versionOfProcess(this.#count);
    // With brackets and commas.
    const length = items.reduce((sum, item) => sum + item.length, 0) + Math.max(items.length, 1) + 1;
    if (length <= MAX_LIST_BYTES) return representation(`[${texts.join(',')}]`, version);
    const oldBytes = REFERENCE_BYTES * texts.length;
    const snapshot: Snapshot = { texts, count: this.#count, streams: new Set(), oldBytes };
    return streamedRepresentation(() => this.#stream(snapshot), { length, version });
  }

  /** A stream of the JSON array of a snapshot, of which a part is joined when its client has taken the one before. */
  #stream(snapshot: Snapshot): Readable {
    const stream = Readable.from(parts(snapshot.texts), { highWaterMark: 0 });
    this.#snapshots.add(snapshot);
    snapshot.streams.add(stream);
    stream.once('close', () => {
      snapshot.streams.delete(stream);
      if (snapshot.streams.size === 0) this.#snapshots.delete(snapshot);
    });
    this.#cutSlowStreams();
    return stream;
  }

  /** Keeps the text of an item, perhaps in the place of `former`. */
  #put(key: string, body: string, former?: Item): Kept<S> {
    const count = this.#count + 1;
    const item: Item = { ...representation(body, versionOfProcess(count)), count };
    const growth = memoryOf(item) - (former === undefined ? 0 : memoryOf(former));
    if (growth > 0 && this.#bytes + growth > Math.max(this.#maxBytes, LEAST_BYTES))
      throw this.#full(`The store holds as many bytes as it may: ${this.#maxBytes}`);
    this.#items.set(key, item);
    this.#changed(former, growth);
    return item as Kept<S>;
  }

  /** `former` is the item that has been replaced or removed. */
  #changed(former: Item | undefined, growth: number): void {
    if (former !== undefined) this.#countOld(former);
    this.#bytes += growth;
    this.#count++;
    this.#list = undefined;
  }

  /** Counts the text of an item that only streams still need. */
  #countOld(item: Item): void {
    for (const snapshot of this.#snapshots) if (item.count <= snapshot.count) snapshot.oldBytes += textMemory(item);
    this.#cutSlowStreams();
  }

  /** Cuts the streams that need most if all streams together need too much. */
  #cutSlowStreams(): void {
    let sum = 0;
    for (const snapshot of this.#snapshots) sum += snapshot.oldBytes;
    while (sum > MAX_OLD_BYTES) {
      const [most] = [...this.#snapshots].sort((one, other) => other.oldBytes - one.oldBytes);
      sum -= most!.oldBytes;
      this.#snapshots.delete(most!);
      for (const stream of most!.streams)
        stream.destroy(new Error('Its client reads a large list too slowly while its items change'));
    }
  }

  #full(detail: string): CollectionFull {
    this.refusals++;
    return new CollectionFull(detail);
  }
}

function* parts(texts: readonly string[]): Generator<string> {
  let start = 0;
  let length = 0;
  for (const [at, text] of texts.entries()) {
    length += text.length;
    if (length < PART_LENGTH && at < texts.length - 1) continue;
    yield (start === 0 ? '[' : ',') + texts.slice(start, at + 1).join(',');
    start = at + 1;
    length = 0;
  }
  yield ']';
}

/** Bytes of memory of a text: one for each character if all are ASCII, else two. */
const textMemory = ({ body, length }: Item): number => (body.length === length ? length : 2 * body.length);

const memoryOf = (item: Item): number => OVERHEAD + textMemory(item);
