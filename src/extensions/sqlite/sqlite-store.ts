/**
 * Keeps items in an SQLite file, through Node's own `node:sqlite`.
 *
 * One process writes the file, and answers at once: a statement takes less time than a turn of the event loop. Only
 * where another program holds the file, a change waits, and nothing else waits with it. Each change is one transaction,
 * so a process that is killed loses nothing that was answered.
 */
import { setTimeout } from 'node:timers/promises';
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
  NO_ROOM,
  noRoom,
  type Page,
  type PageSize,
  type Position,
  pagedList,
  type Store,
  StoredTexts,
  StoreState,
  UNREACHABLE,
  versionMaker,
} from '../collection/collection.ts';
import { type ReadRow, readPage } from './read-page.ts';
import { isBusy, isDuplicate, sqliteFault, unusable } from './sqlite-fault.ts';
import { type Statements, statementsOf } from './statements.ts';
import { openStoreFile, type StoreFile, type Synchronous } from './store-file.ts';

/** Where the items are, and how much may be there. */
export interface SqliteStoreOptions {
  /** The path of the file. It is created if it is missing; its folder is not. */
  readonly file: string;
  /** The names of properties in JSON; `camelCase` unless given. The file has those of the schema. */
  readonly naming?: PropertyNaming;
  /** `full`: a power failure loses nothing that was answered. `normal`: it may lose the last changes. Default: full. */
  readonly synchronous?: Synchronous;
  /** Without limit unless given. */
  readonly maxItems?: number;
  /** Bytes of the file; without limit unless given. */
  readonly maxBytes?: number;
}

/** SQLite has no infinity. */
const MOST_ITEMS = Number.MAX_SAFE_INTEGER;
/** How long a change waits for another program that holds the file, and how often it is tried; in milliseconds. */
const MAX_WAIT = 500;
const RETRY_DELAY = 20;

type Rows<S> = readonly InferReply<S>[];
type Opened = Statements & { readonly file: StoreFile };

/**
 * The store of one file. `open` throws a `StoreError` for a file that cannot be used, and where Node has no SQLite:
 * before 22.13.
 *
 *     application([todo({ store: new SqliteStore(todoSchema(), { file: 'todo.db' }) })]);
 */
export class SqliteStore<S extends Schema & { readonly type: 'object' }> implements Store<InferReply<S>> {
  readonly #options: SqliteStoreOptions;
  readonly #texts: StoredTexts<S>;
  readonly #newVersion = versionMaker();
  readonly #state: StoreState;
  #opened: Opened | undefined;
  #list: { readonly version: string; readonly kept: Representation<Rows<S>> } | undefined;

  constructor(schema: S, options: SqliteStoreOptions) {
    assertOptions('keep items in a file', options, ['file', 'naming', 'synchronous', 'maxItems', 'maxBytes']);
    this.#options = options;
    this.#texts = new StoredTexts(schema, options.naming ?? 'camelCase', `"${options.file}"`);
    this.#state = new StoreState(`"${options.file}"`);
  }

  open(): void {
    if (this.#opened !== undefined) return;
    const { file: path, synchronous = 'full', maxBytes } = this.#options;
    const file = openStoreFile(path, synchronous, maxBytes);
    this.#opened = { ...statementsOf(file.database), file };
  }

  close(): void {
    this.#opened?.file.close();
    this.#opened = undefined;
    this.#list = undefined;
    this.#state.reset();
  }

  /** Fails with an `HttpProblem` of 503 where items cannot be read, or could not be changed and still cannot be. */
  check(): void | Promise<void> {
    if (this.#state.isLost) return this.#change(({ probe }) => void probe.run(), unusable);
    this.#ask(({ file, state }) => {
      state.get();
      this.#assertThere(file);
    });
  }

  /** The number of items. */
  get size(): number {
    return Number(this.#ask(({ state }) => state.get()!['items']));
  }

  /** A full disk also keeps items from being removed, and another program can lock the file. */
  readonly responses = (method: string) => (method === 'DELETE' ? { ...UNREACHABLE, ...NO_ROOM } : UNREACHABLE);

  list(): Representation<Rows<S>> | StreamedRepresentation<Rows<S>> {
    const version = this.#ask(({ state }) => String(state.get()!['version']));
    if (this.#list?.version === version) return this.#list.kept;
    const first = this.#page(0, FIRST_PAGE, this.#sent);
    if (!first.isEnd)
      return streamedRepresentation(() => pagedList(first, (after) => this.#page(after, LATER_PAGE, this.#sent)));
    const kept = representation<Rows<S>>(`[${first.items.join(',')}]`, this.#texts.sentVersion(version));
    this.#list = { version, kept };
    return kept;
  }

  get(key: string): Representation<InferReply<S>> | undefined {
    const row = this.#ask(({ get }) => get.get(key));
    const sent = row && this.#texts.sent(key, String(row['value']));
    return sent === undefined ? undefined : representation(sent, this.#texts.sentVersion(String(row!['version'])));
  }

  add(key: string, value: InferReply<S>): Representation<InferReply<S>> | Promise<Representation<InferReply<S>>> {
    const { stored, sent } = this.#texts.written(value);
    const version = this.#newVersion();
    const { maxItems = Number.POSITIVE_INFINITY } = this.#options;
    return this.#change(({ add, get }) => {
      try {
        if (isDone(add.run(key, stored, version, Math.min(maxItems, MOST_ITEMS))))
          return representation(sent, this.#texts.sentVersion(version));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      throw get.get(key)
        ? new Error(`Cannot add an item with the key "${key}": there is one`)
        : new CollectionFull(`The store holds its ${maxItems} items`);
    });
  }

  replace(
    key: string,
    value: InferReply<S>,
    version?: Version,
    text?: string,
  ): Representation<InferReply<S>> | undefined | Promise<Representation<InferReply<S>> | undefined> {
    const { stored, sent } = this.#texts.written(value, text);
    const next = this.#newVersion();
    return this.#change(({ replace }) =>
      isDone(replace.run(stored, next, key, this.#asked(version)))
        ? representation(sent, this.#texts.sentVersion(next))
        : undefined,
    );
  }

  /** Fails with an `HttpProblem` of 507 where the disk has no room for the log of the removal. */
  remove(key: string, version?: Version): boolean | Promise<boolean> {
    return this.#change(({ remove }) => isDone(remove.run(key, this.#asked(version))), noRoom);
  }

  async seed(key: string, value: InferReply<S>): Promise<void> {
    const { stored } = this.#texts.written(value);
    const version = this.#newVersion();
    await this.#change(({ seed }) => seed.run(key, stored, version));
  }

  /** The values of all items in their order, read page by page. */
  values(): AsyncIterable<InferReply<S>> {
    const page = (after: Position) => this.#page(after, LATER_PAGE, (key, stored) => this.#texts.value(key, stored));
    return itemsOf(page(0), page);
  }

  readonly #sent = (key: string, stored: string): string | undefined => this.#texts.sent(key, stored);

  #asked(version: Version | undefined): string | null {
    return version === undefined ? null : this.#texts.storedVersion(version);
  }

  #page<Read>(after: Position, size: PageSize, read: ReadRow<Read>): Page<Read> {
    return readPage((last, most) => this.#ask(({ page }) => page.all(last, most)), after, size, read);
  }

  #ask<Result>(question: (opened: Opened) => Result, full = collectionFull): Result {
    if (this.#opened === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    try {
      return question(this.#opened);
    } catch (error) {
      throw sqliteFault(error, this.#state, full);
    }
  }

  /** Makes a change. While another program holds the file it is tried again, in later turns of the event loop. */
  #change<Result>(
    change: (opened: Opened) => Result,
    full = collectionFull,
    end = performance.now() + MAX_WAIT,
  ): Result | Promise<Result> {
    let mustWait = false;
    const result = this.#ask((opened) => {
      if (this.#state.isDamaged) throw unusable();
      try {
        const made = change(opened);
        this.#assertThere(opened.file);
        this.#state.found();
        return made;
      } catch (error) {
        mustWait = isBusy(error) && performance.now() < end;
        if (!mustWait) throw error;
        return undefined;
      }
    }, full);
    return mustWait ? setTimeout(RETRY_DELAY).then(() => this.#change(change, full, end)) : (result as Result);
  }

  #assertThere(file: StoreFile): void {
    if (file.isThere()) return;
    this.#state.lost('its file was removed, moved or replaced; put it back, or start again with the one that is there');
    throw unusable();
  }
}

const isDone = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) > 0;

const collectionFull = (detail: string): Error => new CollectionFull(detail);
