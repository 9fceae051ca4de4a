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
import type { HttpProblem, InferReply, Schema } from '../../index.ts';
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
  unreachable,
  versionMaker,
} from '../collection/collection.ts';
import { openStoreFile, resultCode, SQLITE, type Statements, type StoreFile, type Synchronous } from './store-file.ts';

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
/** How many rows are read at once: of short texts many, which takes half the time of one by one. */
const FEW_ROWS = 16;
const MANY_ROWS = 250;
/** In characters. */
const LONG_TEXT = 4096;

type Rows<S> = readonly InferReply<S>[];

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
  #opened: StoreFile | undefined;
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
    this.#opened = openStoreFile(path, synchronous, maxBytes);
  }

  close(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#list = undefined;
    this.#state.reset();
  }

  /** Fails with an `HttpProblem` of 503 where items cannot be read, or could not be changed and still cannot be. */
  check(): void | Promise<void> {
    if (this.#state.isLost) return this.#change(({ probe }) => void probe.run(), unusable);
    this.#ask(({ state }) => {
      state.get();
      this.#assertThere();
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
      if (isDone(add.run(key, stored, version, Math.min(maxItems, MOST_ITEMS))))
        return representation(sent, this.#texts.sentVersion(version));
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
    const value = (key: string, stored: string): InferReply<S> | undefined => this.#texts.value(key, stored);
    const next = (after: Position) => this.#page(after, LATER_PAGE, value);
    return itemsOf(next(0), next);
  }

  readonly #sent = (key: string, stored: string): string | undefined => this.#texts.sent(key, stored);

  #asked(version: Version | undefined): string | null {
    return version === undefined ? null : this.#texts.storedVersion(version);
  }

  /** The page behind a position, few rows at a time where texts are long: none is read that memory has no room for. */
  #page<Read>(after: Position, size: PageSize, read: (key: string, stored: string) => Read | undefined): Page<Read> {
    const items: Read[] = [];
    let last = after;
    let characters = 0;
    for (let count = 0; count < size.items && characters < size.characters; ) {
      const most = Math.min(characters < count * LONG_TEXT ? MANY_ROWS : FEW_ROWS, size.items - count);
      const rows = this.#ask(({ page }) => page.all(last, most));
      for (const { position, key, value } of rows) {
        last = Number(position);
        characters += String(value).length;
        const item = read(String(key), String(value));
        if (item !== undefined) items.push(item);
      }
      if (rows.length < most) return { items, last, isEnd: true };
      count += most;
    }
    return { items, last, isEnd: false };
  }

  #ask<Result>(question: (statements: Statements) => Result): Result {
    try {
      return question(this.#file.statements);
    } catch (error) {
      throw this.#fault(error, collectionFull);
    }
  }

  /** Makes a change. While another program holds the file it is tried again, in later turns of the event loop. */
  #change<Result>(
    change: (statements: Statements) => Result,
    full = collectionFull,
    end = performance.now() + MAX_WAIT,
  ): Result | Promise<Result> {
    try {
      if (this.#state.isDamaged) throw unusable();
      const made = change(this.#file.statements);
      this.#assertThere();
      this.#state.found();
      return made;
    } catch (error) {
      if (isBusy(resultCode(error)) && performance.now() < end)
        return setTimeout(RETRY_DELAY).then(() => this.#change(change, full, end));
      throw this.#fault(error, full);
    }
  }

  get #file(): StoreFile {
    if (this.#opened !== undefined) return this.#opened;
    throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
  }

  #assertThere(): void {
    if (this.#file.isThere()) return;
    this.#state.lost('its file was removed, moved or replaced; put it back, or start again with the one that is there');
    throw unusable();
  }

  /** What to throw for an error of a statement: what `full` makes of a full disk, 503 for a file of no use now. */
  #fault(error: unknown, full: (detail: string) => Error): unknown {
    const { message } = error as Error;
    switch (resultCode(error)) {
      case SQLITE.FULL:
        this.#state.full(message);
        return full('The disk of the store is full, or its file has reached its limit');
      case SQLITE.BUSY:
      case SQLITE.LOCKED:
        this.#state.lost('another program locks it');
        return unreachable('Another program is changing the store', 1);
      case SQLITE.CORRUPT:
      case SQLITE.NOT_A_DATABASE:
        this.#state.damaged(`it is damaged (${message}); replace it by a backup, and start again`);
        return unusable();
      case SQLITE.IO_ERROR:
      case SQLITE.CANNOT_OPEN:
      case SQLITE.READONLY:
        this.#state.lost(message);
        return unusable();
      default:
        return error;
    }
  }
}

const isDone = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) > 0;

/** Does another program hold the file? */
const isBusy = (code: number | undefined): boolean => code === SQLITE.BUSY || code === SQLITE.LOCKED;

const collectionFull = (detail: string): Error => new CollectionFull(detail);

/** A 503 for a file that is damaged, gone, or not to be read or written. */
const unusable = (): HttpProblem => unreachable('The store cannot be read or written now', 5);
