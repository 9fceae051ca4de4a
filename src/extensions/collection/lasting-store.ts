/**
 * What all stores share whose items outlive the process, in a file or on a server.
 *
 * A value is stored as JSON with the names of its schema, since the naming of the service may change between two runs.
 * Another program may have changed it: a value that the schema does not take is skipped, with one warning (D83).
 *
 * A list that fits the first page is one text with a version, made again when the version has changed. A longer one is
 * streamed page by page, with the memory of a page, while items come and go: each that is there all the time is sent
 * once, in the order of creation, and no version names the whole (D84).
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { logWarning } from '../../core/log/log-line.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
  type Version,
} from '../../core/message/representation.ts';
import { isRecord } from '../../core/options/shape.ts';
import { valueChecker } from '../../operations/schema/judge.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { InferReply, Schema } from '../../operations/schema/schema.ts';
import { serializer } from '../../operations/schema/serialize.ts';
import type { Later, Store } from './store.ts';
import type { StoreState } from './store-error.ts';

/** The names that are written in stores. */
const STORED: PropertyNaming = 'camelCase';

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

/** Where texts are kept. A method answers at once, or with a promise; each change is one atomic step. */
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
  state(): StoreState;
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
    async (...words: never[]): Promise<unknown> => {
      const began = performance.now();
      let failed: unknown;
      try {
        return await (place[operation] as (...words: never[]) => unknown)(...words);
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
  readonly #valueOf: (item: CopiedItem) => InferReply<S> | undefined;
  readonly #write: (value: InferReply<S>) => string;
  readonly #send: (value: InferReply<S>) => string;
  /** Ends the versions of a naming whose texts differ from the stored ones: a strong ETag names one text. */
  readonly #suffix: string;
  readonly #newVersion = versionMaker();
  #known: { readonly version: string; readonly list: List<S> } | undefined;

  constructor(place: Place, schema: S, naming: PropertyNaming, what: string, watch?: StoreWatch) {
    this.#place = watch === undefined ? place : watchedPlace(place, watch);
    this.#valueOf = storedValues(schema, what);
    this.#write = serializer(schema, STORED);
    this.#send = serializer(schema, naming);
    this.#suffix = naming === STORED ? '' : '.p';
  }

  /** Fails with a `StoreError` for a place that cannot be used. */
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
    return !this.#place.state().isLost;
  }

  /** How often items could not be reached, and can again. */
  get reconnections(): number {
    return this.#place.state().returns;
  }

  async list(): Promise<List<S>> {
    const known = this.#known;
    const first = await this.#place.page(undefined, known?.version);
    if (first === undefined) return known!.list;
    const { version, isEnd } = first;
    if (!isEnd) return streamedRepresentation(() => Readable.from(this.#chunks(first), { objectMode: false }));
    const list: List<S> = representation(`[${this.#sent(first)}]`, version + this.#suffix);
    this.#known = { version, list };
    return list;
  }

  async get(key: string): Promise<Item<S> | undefined> {
    const item = await this.#place.get(key);
    const value = item && this.#valueOf(item);
    return value && this.#represented(value, item!.version);
  }

  async add(key: string, value: InferReply<S>): Promise<Item<S>> {
    const version = this.#newVersion();
    if (!(await this.#place.add({ key, version, value: this.#write(value) })))
      throw new Error(`Cannot add an item with the key "${key}": there is one`);
    this.#place.state().accepted();
    return this.#represented(value, version);
  }

  async replace(key: string, value: InferReply<S>, former?: Version): Promise<Item<S> | undefined> {
    const version = this.#newVersion();
    const item = { key, version, value: this.#write(value) };
    if (!(await this.#place.replace(item, this.#storedVersion(former)))) return undefined;
    this.#place.state().accepted();
    return this.#represented(value, version);
  }

  async remove(key: string, former?: Version): Promise<boolean> {
    return this.#place.remove(key, this.#newVersion(), this.#storedVersion(former));
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    await this.#place.seed({ key, version: this.#newVersion(), value: this.#write(value) });
  }

  /** The values of all items in their order, read page by page. */
  async *values(): AsyncGenerator<InferReply<S>> {
    for await (const item of itemsOf(this.#place)) {
      const value = this.#valueOf(item);
      if (value !== undefined) yield value;
    }
  }

  #represented(value: InferReply<S>, version: string): Item<S> {
    return representation(this.#send(value), version + this.#suffix);
  }

  /** Returns the stored version for the version that a client sent. An empty text equals no stored version. */
  #storedVersion(sent: Version | undefined): string | undefined {
    if (sent === undefined) return undefined;
    const text = String(sent);
    return text.endsWith(this.#suffix) ? text.slice(0, text.length - this.#suffix.length) : '';
  }

  /** The texts of a page, with commas between them. */
  #sent({ items }: Page): string {
    const values = items.map(this.#valueOf).filter((value) => value !== undefined);
    return values.map((value) => this.#send(value)).join(',');
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

/** Reads the values of stored items. An item with a wrong value has none; the first of them is a warning. */
function storedValues<S extends Schema>(schema: S, what: string) {
  const { properties = {} } = schema;
  const check = valueChecker(schema, STORED);
  let hasWarned = false;
  return ({ key, value: text }: CopiedItem): InferReply<S> | undefined => {
    let value = attempt<unknown>(() => JSON.parse(text), undefined);
    // A later version of the service may have stored more members.
    if (isRecord(value))
      value = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
    const [fault] = value === undefined ? [{ pointer: '', detail: 'is no JSON' }] : check(value);
    if (fault === undefined) return value as InferReply<S>;
    if (!hasWarned) {
      const where = `the value of the item ${JSON.stringify(key)}${fault.pointer && ` at "${fault.pointer}"`}`;
      logWarning(`Wrong data in ${what}: ${where} ${fault.detail}; it is skipped, as others that are wrong`);
    }
    hasWarned = true;
    return undefined;
  };
}

async function* pagesOf(place: Pick<Place, 'page'>, first?: Page): AsyncGenerator<Page> {
  if (first !== undefined) yield first;
  for (let page = first; page?.isEnd !== true; yield page) page = (await place.page(page?.last))!;
}

/** All items of a place in their order, read page by page. */
export async function* itemsOf(place: Pick<Place, 'page'>): AsyncGenerator<CopiedItem, void> {
  for await (const { items } of pagesOf(place)) yield* items;
}

/** Makes a new version at each call, of up to 24 characters that an ETag needs not escape. */
export function versionMaker(): () => string {
  const run = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${run}${(count++).toString(36)}`;
}
