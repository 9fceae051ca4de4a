/**
 * What all stores share whose items outlive the process, in a file or on a server.
 *
 * A list that fits the first page is one text with a version, made again when the version has changed. A longer one is
 * streamed page by page, with the memory of a page, while items come and go: each that is there all the time is sent
 * once, in the order of creation, and no version names the whole (D84).
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after } from '../../core/message/after.ts';
import type { Version } from '../../core/message/headers/entity-tag.ts';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from '../../core/message/representation.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import type { Store } from './store.ts';
import type { StoreState } from './store-error.ts';
import { storedTexts } from './stored-texts.ts';

/** A value as it is stored: JSON with the names of its schema. */
export interface CopiedItem {
  readonly key: string;
  readonly value: string;
}

/** An item as it is stored. No two have one version, nor has one twice the same. */
export interface StoredItem extends CopiedItem {
  readonly version: string;
}

/** How many items a page has, and how many characters of values: the item that reaches it is the last one. */
export const pageSize = (after: Position | undefined): { readonly items: number; readonly characters: number } =>
  after === undefined ? { items: 2000, characters: 2 ** 20 } : { items: 500, characters: 2 ** 18 };

/** A place in the order of creation, as the store has it. */
export type Position = number | string;

/** Items that follow one another. */
export interface Page {
  readonly items: readonly CopiedItem[];
  /** The version that the list had when they were read. */
  readonly version: string;
  /** The position of the last one. The next page has those behind it. */
  readonly last: Position;
  readonly isEnd: boolean;
}

type Later<Value> = Value | Promise<Value>;

/** Where texts are kept. A method answers at once, or with a native promise; each change is one atomic step. */
export interface Place {
  open(): Later<void>;
  close(): void;
  /** Throws an `HttpProblem` of 503 where items cannot be changed. */
  check(): Later<void>;
  /** The items behind a position, or the first ones. Undefined where the list still has the `known` version. */
  page(after?: Position, known?: string): Later<Page | undefined>;
  get(key: string): Later<StoredItem | undefined>;
  /** False for a key that is taken. Throws `CollectionFull`. */
  add(item: StoredItem): Later<boolean>;
  /** Both are false and change nothing where no item has the key, or it has another version than `former`. */
  replace(item: StoredItem, former?: string): Later<boolean>;
  /** `next` is the version of the list. */
  remove(key: string, next: string, former?: string): Later<boolean>;
  /** Adds an item if there has never been one. */
  seed(item: StoredItem): Later<unknown>;
  /** Can it be reached, as far as is known? */
  state?(): StoreState;
}

const WATCHED = ['page', 'get', 'add', 'replace', 'remove'] as const;

/**
 * Is told of each operation on the place once it has ended: `page` is one page of the list. A full store is an error,
 * too. It must not throw.
 */
export type StoreWatch = (operation: (typeof WATCHED)[number], seconds: number, error?: unknown) => void;

function watchedPlace(place: Place, watch: StoreWatch): Place {
  const watched =
    (operation: (typeof WATCHED)[number]) =>
    async (...given: never[]): Promise<unknown> => {
      const began = performance.now();
      let failed: unknown;
      try {
        return await (place[operation] as (...given: never[]) => unknown)(...given);
      } catch (error) {
        failed = error;
        throw error;
      } finally {
        watch(operation, (performance.now() - began) / 1000, failed);
      }
    };
  return { ...place, ...Object.fromEntries(WATCHED.map((operation) => [operation, watched(operation)])) };
}

type Item<S extends Schema> = Representation<InferReply<S>>;
type List<S extends Schema> =
  | Representation<readonly InferReply<S>[]>
  | StreamedRepresentation<readonly InferReply<S>[]>;

/** The store of the values of a schema in a place, which messages name `what`. */
export class LastingStore<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly #place: Place;
  readonly #texts: ReturnType<typeof storedTexts<S>>;
  readonly #newVersion = versionMaker();
  #kept: { readonly version: string; readonly list: List<S> } | undefined;

  constructor(place: Place, schema: S, naming: PropertyNaming, what: string, watch?: StoreWatch) {
    this.#place = watch === undefined ? place : watchedPlace(place, watch);
    this.#texts = storedTexts(schema, naming, what);
  }

  /** Rejects with a `StoreError` for a place that cannot be used. */
  open(): Later<void> {
    return this.#place.open();
  }

  close(): void {
    this.#place.close();
  }

  /** Fails with an `HttpProblem` of 503 where items cannot be changed now. */
  check(): Later<void> {
    return this.#place.check();
  }

  /** Can items be reached, as far as the last operations and the connection tell? */
  get up(): boolean {
    return this.#place.state?.().isLost !== true;
  }

  /** How often items could not be reached, and can again. */
  get reconnections(): number {
    return this.#place.state?.().returns ?? 0;
  }

  list(): Later<List<S>> {
    const known = this.#kept;
    return after<Page | undefined, List<S>>(this.#place.page(undefined, known?.version), (first) => {
      if (first === undefined) return known!.list;
      const { version, isEnd } = first;
      if (!isEnd) return streamedRepresentation(() => Readable.from(this.#chunks(first), { objectMode: false }));
      const list: List<S> = representation(`[${this.#sent(first)}]`, this.#texts.sentVersion(version));
      this.#kept = { version, list };
      return list;
    });
  }

  get(key: string): Later<Item<S> | undefined> {
    return after(this.#place.get(key), (item) => {
      const sent = item && this.#texts.sent(key, item.value);
      return sent === undefined ? undefined : this.#represented(sent, item!.version);
    });
  }

  add(key: string, value: InferReply<S>): Later<Item<S>> {
    const { stored, sent } = this.#texts.written(value);
    const version = this.#newVersion();
    return after(this.#place.add({ key, version, value: stored }), (isAdded) => {
      if (isAdded) return this.#accepted(sent, version);
      throw new Error(`Cannot add an item with the key "${key}": there is one`);
    });
  }

  replace(key: string, value: InferReply<S>, former?: Version): Later<Item<S> | undefined> {
    const { stored, sent } = this.#texts.written(value);
    const version = this.#newVersion();
    return after(this.#place.replace({ key, version, value: stored }, this.#stored(former)), (isReplaced) =>
      isReplaced ? this.#accepted(sent, version) : undefined,
    );
  }

  remove(key: string, former?: Version): Later<boolean> {
    return this.#place.remove(key, this.#newVersion(), this.#stored(former));
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    await this.#place.seed({ key, version: this.#newVersion(), value: this.#texts.written(value).stored });
  }

  /** The values of all items in their order, read page by page. */
  async *values(): AsyncGenerator<InferReply<S>> {
    for await (const { key, value: stored } of itemsOf(this.#place)) {
      const value = this.#texts.valueOf(key, stored);
      if (value !== undefined) yield value;
    }
  }

  #accepted(sent: string, version: string): Item<S> {
    this.#place.state?.().accepted();
    return this.#represented(sent, version);
  }

  #represented(sent: string, version: string): Item<S> {
    return representation(sent, this.#texts.sentVersion(version));
  }

  #stored(version: Version | undefined): string | undefined {
    return version === undefined ? undefined : this.#texts.storedVersion(version);
  }

  /** The texts of a page, with commas between them. */
  #sent({ items }: Page): string {
    return items.flatMap(({ key, value }) => this.#texts.sent(key, value) ?? []).join(',');
  }

  async *#chunks(first: Page): AsyncGenerator<string> {
    let separator = '[';
    for await (const page of pagesOf(this.#place, first)) {
      const texts = this.#sent(page);
      if (texts === '') continue;
      yield separator + texts;
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  }
}

async function* pagesOf(place: Pick<Place, 'page'>, first?: Page): AsyncGenerator<Page> {
  if (first !== undefined) yield first;
  for (let page = first; page?.isEnd !== true; yield page) page = (await place.page(page?.last))!;
}

/** All items of a place in their order, read page by page. */
export async function* itemsOf(place: Pick<Place, 'page'>): AsyncGenerator<CopiedItem, void> {
  for await (const { items } of pagesOf(place)) yield* items;
}

/**
 * Copies all items of one store to another that has none (D86): as they are stored,
 * whatever the model of the service, and all of them or none. Returns their number. Rejects with a `StoreError` for a
 * store that cannot be opened, one that has items already, and a copy that fails on its way. The first store is found
 * before the second is made.
 */
export async function copyItems(
  items: AsyncGenerator<CopiedItem, void>,
  fill: (items: AsyncIterable<CopiedItem>) => Promise<number>,
): Promise<number> {
  const first = await items.next();
  async function* all(): AsyncGenerator<CopiedItem> {
    if (first.done) return;
    yield first.value;
    yield* items;
  }
  try {
    return await fill(all());
  } finally {
    // Closes the store.
    await items.return();
  }
}

/** Makes a new version at each call, of up to 24 characters that an ETag needs not escape. */
export function versionMaker(): () => string {
  const run = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${run}${(count++).toString(36)}`;
}
