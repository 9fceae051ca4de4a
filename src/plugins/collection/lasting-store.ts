/**
 * The entry `todo-item-service/lasting-store`: the base of all stores whose items outlive the process, in a file or on a server.
 *
 * A value is stored as JSON with the property names of its schema, because the naming of the service may change between
 * two runs. Another program may have stored an invalid value. Such items are skipped, and the first is logged (D83).
 *
 * A list that fits on the first page is sent as one text, which is cached until the version changes. A longer list is
 * streamed page by page, so it needs the memory of only one page. It has a version if the backend keeps it as it was;
 * its text is then cached, too, after the first stream that reads it to its end, unless it is longer than a first page.
 * Otherwise its items may change meanwhile; an item that exists during the whole stream is sent exactly once (D84).
 */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after } from '../../core/http/after.ts';
import {
  bytesOfText,
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
  type Version,
} from '../../core/http/representation.ts';
import { logWarning } from '../../core/log/log-line.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import { isRecord } from '../../core/options/shape.ts';
import type { Responses } from '../../operations/operation/operation.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import { valueChecker } from '../../operations/schema/read-value.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';
import { sharedReads } from './shared-reads.ts';
import type { Later, Store } from './store.ts';
import type { StoreState } from './store-error.ts';

export { type SentList, SentLists } from './sent-lists.ts';
export { StoreState, unreachable } from './store-error.ts';

const STORED: PropertyNaming = 'camelCase';

/** A key and a value as they are stored. The value is JSON with the property names of the schema. */
export interface CopiedItem {
  readonly key: string;
  readonly value: string;
}

/** An item as it is stored. Its version is unique among all items, and is never used again. */
export interface StoredItem extends CopiedItem {
  readonly version: string;
}

/** Returns the limits of the page after a position. A page ends with the item that reaches one of them. */
export const pageSize = (after: Position | undefined): { readonly items: number; readonly characters: number } =>
  after === undefined ? { items: 2000, characters: 2 ** 20 } : { items: 500, characters: 2 ** 18 };

/** The position of an item in the order of creation. Each backend has its own format. */
export type Position = unknown;

/** Consecutive items of a list. */
export interface Page {
  readonly items: readonly CopiedItem[];
  /** The version of the whole list; undefined if later pages may have later changes. Used of the first page only. */
  readonly version: string | undefined;
  /** The position of the last item. The next page begins after it. */
  readonly last: Position;
  readonly isEnd: boolean;
}

/** The number of items that are read through the schema together: once, if they are sent as they are stored. */
const BLOCK = 50;
/** The most blocks that are remembered: 3 million items. */
const MAX_BLOCKS = 2 ** 16;

/** A file or server that stores items as texts. Its methods may be synchronous or asynchronous; changes are atomic. */
export interface Backend {
  /** Returns the number of items, or undefined if the list did not exist before. */
  open(): Later<number | undefined>;
  close(): void;
  /** Throws an `HttpProblem` with status 503 if items cannot be changed. */
  check(): Later<void>;
  /** Returns the items after `after`, or the first items. Returns undefined if the list still has version `known`. */
  page(after?: Position, known?: string): Later<Page | undefined>;
  /** Keeps the pages after `after` as they are, if their list has a version, until the stream that sends them closes. */
  keep?(after: Position, stream: Readable): void;
  get(key: string): Later<StoredItem | undefined>;
  /** Returns false if another item has the key. Throws `CollectionFull` if the store is full. */
  add(item: StoredItem): Later<boolean>;
  /** Returns false and changes nothing if no item has the key, or if the item has another version than `former`. */
  replace(item: StoredItem, former?: string): Later<boolean>;
  /** Returns false in the same cases as `replace`. `next` is the new version of the list. */
  remove(key: string, next: string, former?: string): Later<boolean>;
  seed(item: StoredItem): Later<unknown>;
  state(): StoreState;
}

const WATCHED = ['page', 'get', 'add', 'replace', 'remove'] as const;

/**
 * Called after each call to the backend, with the method and the duration, and with the error if the call failed. A
 * full store is an error too. A call of `page` reads one page of the list. The function must not throw.
 */
export type StoreWatch = (method: (typeof WATCHED)[number], seconds: number, error?: unknown) => void;

function watchedBackend(backend: Backend, watch: StoreWatch): Backend {
  const watched =
    (method: (typeof WATCHED)[number]) =>
    async (...values: never[]): Promise<unknown> => {
      const began = performance.now();
      let failure: unknown;
      try {
        return await (backend[method] as (...values: never[]) => unknown)(...values);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        watch(method, (performance.now() - began) / 1000, failure);
      }
    };
  return { ...backend, ...Object.fromEntries(WATCHED.map((method) => [method, watched(method)])) };
}

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next attempt' },
} as const;

type Item<S extends Schema> = Representation<InferReply<S>>;
type Values<S extends Schema> = readonly InferReply<S>[];
type List<S extends Schema> = Representation<Values<S>> | StreamedRepresentation<Values<S>>;

/** The last list that was read. */
interface KnownList<S extends Schema> {
  readonly version: string;
  list: List<S>;
  /** The first pages that streams have sent, and their number; `Infinity` if the text is too long to be cached. */
  text: string;
  pages: number;
}

/** A store that keeps the values of a schema in a backend. `what` is the name of the store in messages. */
export class LastingStore<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly #backend: Backend;
  readonly #valueOf: (item: CopiedItem) => InferReply<S> | undefined;
  readonly #storedText: (value: InferReply<S>) => string;
  readonly #sentText: (value: InferReply<S>) => string;
  /** Appended to versions if replies use another naming: a strong ETag must not be shared by two different texts. */
  readonly #suffix: string;
  readonly #newVersion = versionMaker();
  /** The digests of blocks whose items were found to be valid, and to be sent as they are stored. */
  readonly #sentAsStored = new Set<string>();
  #known: KnownList<S> | undefined;
  #found: number | undefined;

  constructor(backend: Backend, schema: S, naming: PropertyNaming, what: string, watch?: StoreWatch) {
    this.#backend = watch === undefined ? backend : watchedBackend(backend, watch);
    this.#valueOf = storedValues(schema, what);
    this.#storedText = serializer(schema, STORED);
    this.#sentText = serializer(schema, naming);
    this.#suffix = naming === STORED ? '' : '.p';
  }

  responses(_method: string): Responses {
    return { 503: { description: 'The store cannot be reached', headers: RETRY_AFTER } };
  }

  open(): Later<void> {
    return after(this.#backend.open(), (found) => {
      this.#found = found;
    });
  }

  /** The number of items when the store was opened, or undefined if the store was new. */
  get found(): number | undefined {
    return this.#found;
  }

  close(): void {
    this.#backend.close();
  }

  check(): Later<void> {
    return this.#backend.check();
  }

  /** False after a call has failed or the connection was lost, until the backend is reached again. */
  get up(): boolean {
    return !this.#backend.state().isLost;
  }

  get reconnections(): number {
    return this.#backend.state().returns;
  }

  async list(): Promise<List<S>> {
    const known = this.#known;
    const first = await this.#backend.page(undefined, known?.version);
    if (first === undefined) return known!.list;
    const { version, isEnd } = first;
    const text = `[${this.#sent(first)}${isEnd ? ']' : ''}`;
    if (version === undefined) return this.#streamed(text, first);
    const list = isEnd ? representation<Values<S>>(text, version + this.#suffix) : this.#streamed(text, first);
    this.#known = { version, list, text, pages: 1 };
    return list;
  }

  get(key: string): Promise<Item<S> | undefined> {
    return this.#read(key);
  }

  readonly #read = sharedReads(async (key): Promise<Item<S> | undefined> => {
    const item = await this.#backend.get(key);
    const value = item && this.#valueOf(item);
    return value && this.#represented(value, item!.version);
  });

  async add(key: string, value: InferReply<S>): Promise<Item<S>> {
    const version = this.#newVersion();
    if (!(await this.#backend.add({ key, version, value: this.#storedText(value) })))
      throw new Error(`Cannot add an item with the key "${key}": another item has this key`);
    this.#backend.state().accepted();
    return this.#represented(value, version);
  }

  async replace(key: string, value: InferReply<S>, former?: Version): Promise<Item<S> | undefined> {
    const version = this.#newVersion();
    const item = { key, version, value: this.#storedText(value) };
    if (!(await this.#backend.replace(item, this.#storedVersion(former)))) return undefined;
    this.#backend.state().accepted();
    return this.#represented(value, version);
  }

  async remove(key: string, former?: Version): Promise<boolean> {
    return this.#backend.remove(key, this.#newVersion(), this.#storedVersion(former));
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    await this.#backend.seed({ key, version: this.#newVersion(), value: this.#storedText(value) });
  }

  /** Yields the values of all items in the order of creation, read page by page. */
  async *values(): AsyncGenerator<InferReply<S>> {
    for await (const item of itemsOf(this.#backend)) {
      const value = this.#valueOf(item);
      if (value !== undefined) yield value;
    }
  }

  #represented(value: InferReply<S>, version: string): Item<S> {
    return representation(this.#sentText(value), version + this.#suffix);
  }

  /** Removes the suffix of a version. Returns '', which no item has as its version, if the suffix is missing. */
  #storedVersion(sent: Version | undefined): string | undefined {
    if (sent === undefined) return undefined;
    const text = String(sent);
    return text.endsWith(this.#suffix) ? text.slice(0, text.length - this.#suffix.length) : '';
  }

  /** Returns a list whose first page has this text. All its streams share the bytes of this page (D50). */
  #streamed(text: string, { version, last, isEnd }: Omit<Page, 'items'>): StreamedRepresentation<Values<S>> {
    const bytes = bytesOfText(text);
    const open = (): Readable => {
      // A page is read when the client has read the page before.
      const options = { objectMode: false, highWaterMark: 0 };
      const stream = Readable.from(this.#chunks(bytes, { version, last, isEnd }), options);
      this.#backend.keep?.(last, stream);
      return stream;
    };
    return streamedRepresentation(open, { version: version && version + this.#suffix });
  }

  #sent({ items }: Page): string {
    const blocks: string[] = [];
    for (let at = 0; at < items.length; at += BLOCK) blocks.push(this.#block(items.slice(at, at + BLOCK)));
    return blocks.filter((text) => text !== '').join(',');
  }

  #block(items: readonly CopiedItem[]): string {
    const stored = items.map(({ value }) => value).join(',');
    const digest = createHash('sha256').update(stored).digest('base64');
    if (this.#sentAsStored.has(digest)) return stored;
    const values = items.map(this.#valueOf).filter((value) => value !== undefined);
    const sent = values.map((value) => this.#sentText(value)).join(',');
    if (sent !== stored) return sent;
    if (this.#sentAsStored.size >= MAX_BLOCKS) this.#sentAsStored.clear();
    this.#sentAsStored.add(digest);
    return stored;
  }

  /** Yields the bytes of the first page, and the texts of the later pages. */
  async *#chunks(
    first: Uint8Array,
    { version, last, isEnd }: Omit<Page, 'items'>,
  ): AsyncGenerator<string | Uint8Array> {
    yield first;
    if (isEnd) return;
    let [separator, count] = [first.length === 1 ? '' : ',', 1];
    for await (const page of pagesOf(this.#backend, last)) {
      const texts = this.#sent(page);
      let chunk = texts === '' ? '' : separator + texts;
      if (chunk !== '') separator = ',';
      if (page.isEnd) chunk += ']';
      this.#cache(version, count++, chunk, page.isEnd);
      if (chunk !== '') yield chunk;
    }
  }

  /** Adds the page after `count` pages to the text of the known list, if it lacks that page. Caches the whole text. */
  #cache(version: string | undefined, count: number, chunk: string, isEnd: boolean): void {
    const known = this.#known;
    if (known === undefined || known.version !== version || known.pages !== count) return;
    known.text += chunk;
    known.pages += 1;
    if (known.text.length > pageSize(undefined).characters) [known.text, known.pages] = ['', Number.POSITIVE_INFINITY];
    else if (isEnd) known.list = representation(known.text, known.version + this.#suffix);
  }
}

/** Returns a function that parses a stored value. It returns undefined for an invalid value, and logs the first. */
function storedValues<S extends Schema>(schema: S, what: string) {
  const { properties = {} } = schema;
  const check = valueChecker(schema, STORED);
  let hasWarned = false;
  return ({ key, value: text }: CopiedItem): InferReply<S> | undefined => {
    let value = attempt<unknown>(() => JSON.parse(text), undefined);
    // Unknown members are ignored, because a later version of the service may have stored them.
    if (isRecord(value))
      value = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
    const [fault] = value === undefined ? [{ pointer: '', detail: 'Expected JSON' }] : check(value);
    if (fault === undefined) return value as InferReply<S>;
    if (!hasWarned) {
      const where = `the value of the item ${JSON.stringify(key)}${fault.pointer && ` at "${fault.pointer}"`}`;
      logWarning(`Wrong data in ${what}: ${where}: ${fault.detail}; this item and other invalid items are skipped`);
    }
    hasWarned = true;
    return undefined;
  };
}

/** Yields the pages after `after`, or all pages. */
async function* pagesOf(backend: Pick<Backend, 'page'>, after?: Position): AsyncGenerator<Page> {
  for (let page: Page | undefined; page?.isEnd !== true; yield page) page = (await backend.page(page?.last ?? after))!;
}

/** Yields all items of a backend in the order of creation, read page by page. */
export async function* itemsOf(backend: Pick<Backend, 'page'>): AsyncGenerator<CopiedItem, void> {
  for await (const { items } of pagesOf(backend)) yield* items;
}

/**
 * Returns a function that returns a new unique version at each call: up to 24 characters, valid in an ETag. Versions
 * begin with random characters, so none repeats a version that was used before a backup was restored (D83).
 */
export function versionMaker(): () => string {
  const run = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${run}${(count++).toString(36)}`;
}
