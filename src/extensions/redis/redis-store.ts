/**
 * Keeps items in Redis or Valkey, for any number of processes on any number of machines.
 *
 * Each change is one script, which the server runs as one step. A list that fits one page is read in one step too, and
 * is asked for again only when its version has changed.
 */

import { assertOptions } from '../../extending.ts';
import type { Version } from '../../http.ts';
import type { InferReply, Schema } from '../../index.ts';
import {
  type PropertyNaming,
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from '../../operations.ts';
import {
  CollectionFull,
  FIRST_PAGE,
  itemsOf,
  LATER_PAGE,
  type Page,
  type Position,
  pagedList,
  type Store,
  StoredTexts,
  UNREACHABLE,
  versionMaker,
} from '../collection/collection.ts';
import type { RedisPackage } from './redis-client.ts';
import { add, RedisList, remove, replace, type StoredItem, type StoredPage } from './redis-list.ts';
import { redisLocation } from './redis-location.ts';

/** Where the items are, and how long an operation may take. */
export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0?list=todo`; `rediss:` for TLS. The name of the list is `todo` unless given. */
  readonly url: string;
  /** The names of properties in JSON; `camelCase` unless given. Redis has those of the schema. */
  readonly naming?: PropertyNaming;
  /** Milliseconds for one operation, 503 afterwards; 2,000 unless given. */
  readonly timeout?: number;
  /** Milliseconds in which the server must be reached at the start; 10,000 unless given, 0 for one try. */
  readonly wait?: number;
  /** Without limit unless given. */
  readonly maxItems?: number;
  /** The package `redis`, for a program that is bundled. Unless given, it is looked for. */
  readonly redis?: RedisPackage;
}

type Rows<S> = readonly InferReply<S>[];

/**
 * The store of one list. Throws a `TypeError` for a URL that is none of Redis. `open` rejects with a `StoreError` where
 * the package `redis` is not installed or the server cannot be reached.
 *
 *     application([todo({ store: new RedisStore(todoSchema(), { url: 'redis://localhost' }) })]);
 */
export class RedisStore<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly responses = () => UNREACHABLE;
  readonly #items: RedisList;
  readonly #texts: StoredTexts<S>;
  readonly #maxItems: number;
  readonly #newVersion = versionMaker();
  #list: { readonly version: string; readonly kept: Representation<Rows<S>> } | undefined;

  constructor(schema: S, options: RedisStoreOptions) {
    assertOptions('keep items in Redis', options, ['url', 'naming', 'timeout', 'wait', 'maxItems', 'redis']);
    const { url, naming = 'camelCase', timeout = 2000, wait = 10_000, maxItems = Number.POSITIVE_INFINITY } = options;
    const location = redisLocation(url);
    this.#items = new RedisList(location, { timeout, wait }, options.redis);
    this.#texts = new StoredTexts(schema, naming, location.what);
    this.#maxItems = maxItems;
  }

  async open(): Promise<void> {
    await this.#items.open();
  }

  close(): void {
    this.#items.close();
    this.#list = undefined;
  }

  async check(): Promise<void> {
    await this.#items.check();
  }

  async list(): Promise<Representation<Rows<S>> | StreamedRepresentation<Rows<S>>> {
    const known = this.#list;
    const first = await this.#items.page(undefined, FIRST_PAGE, known?.version);
    if (first === undefined) return known!.kept;
    const texts = this.#sent(first);
    if (!first.isEnd) return streamedRepresentation(() => pagedList(texts, (after) => this.#later(after, this.#sent)));
    const kept = representation<Rows<S>>(`[${texts.items.join(',')}]`, this.#texts.sentVersion(first.version));
    this.#list = { version: first.version, kept };
    return kept;
  }

  /** The values of all items in their order, read page by page. */
  async *values(): AsyncGenerator<InferReply<S>> {
    const value = ({ key, value }: StoredItem) => this.#texts.value(key, value);
    const next = (after?: Position) => this.#later(after, (page) => readPage(page, value));
    yield* itemsOf(await next(), next);
  }

  async get(key: string): Promise<Representation<InferReply<S>> | undefined> {
    const found = await this.#items.get(key);
    const sent = found && this.#texts.sent(key, found.value);
    return sent === undefined ? undefined : representation(sent, this.#texts.sentVersion(found!.version));
  }

  async add(key: string, value: InferReply<S>): Promise<Representation<InferReply<S>>> {
    const { stored, sent } = this.#texts.written(value);
    const version = this.#newVersion();
    const most = Number.isFinite(this.#maxItems) ? this.#maxItems : 0;
    const done = await this.#items.run(add, key, version, stored, String(most));
    if (done === 1) return representation(sent, this.#texts.sentVersion(version));
    if (done === -1) throw new CollectionFull(`The store holds its ${most} items`);
    throw new Error(`Cannot add an item with the key "${key}": there is one`);
  }

  async replace(
    key: string,
    value: InferReply<S>,
    version?: Version,
    text?: string,
  ): Promise<Representation<InferReply<S>> | undefined> {
    const { stored, sent } = this.#texts.written(value, text);
    const next = this.#newVersion();
    const done = await this.#items.run(replace, key, next, stored, ...this.#asked(version));
    return done === 1 ? representation(sent, this.#texts.sentVersion(next)) : undefined;
  }

  async remove(key: string, version?: Version): Promise<boolean> {
    return (await this.#items.run(remove, key, this.#newVersion(), ...this.#asked(version))) === 1;
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    await this.#items.seed(key, this.#newVersion(), this.#texts.written(value).stored);
  }

  #asked(version: Version | undefined): [isAsked: string, version: string] {
    return version === undefined ? ['0', ''] : ['1', this.#texts.storedVersion(version)];
  }

  readonly #sent = (page: StoredPage): Page<string> => readPage(page, ({ key, value }) => this.#texts.sent(key, value));

  async #later<Read>(after: Position | undefined, read: (page: StoredPage) => Page<Read>): Promise<Page<Read>> {
    return read((await this.#items.page(after, LATER_PAGE))!);
  }
}

const readPage = <Read>(
  { items, last, isEnd }: StoredPage,
  read: (item: StoredItem) => Read | undefined,
): Page<Read> => ({ items: items.map(read).filter((item) => item !== undefined), last, isEnd });
