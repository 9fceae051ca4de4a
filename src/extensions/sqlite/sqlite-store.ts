/**
 * Keeps items in an SQLite file, through Node's own `node:sqlite`.
 *
 * One process writes the file, and answers at once: a statement takes less time than a turn of the event loop. Only
 * where another program holds the file, a change waits, and nothing else waits with it. Each change is one transaction,
 * so a process that is killed loses nothing that was answered.
 */
import { setTimeout } from 'node:timers/promises';
import { assertOptions } from '../../extending.ts';
import type { HttpProblem, Schema } from '../../index.ts';
import type { PropertyNaming } from '../../operations.ts';
import {
  CollectionFull,
  LastingStore,
  NO_ROOM,
  noRoom,
  type Page,
  type Place,
  type Position,
  type StoredItem,
  StoreState,
  UNREACHABLE,
  unreachable,
} from '../collection/collection.ts';
import {
  openStoreFile,
  pageOf,
  resultCode,
  SQLITE,
  type Statements,
  type StoreFile,
  type Synchronous,
} from './store-file.ts';

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

/** How long a change waits for another program that holds the file, and how often it is tried; in milliseconds. */
const MAX_WAIT = 500;
const RETRY_DELAY = 20;

/**
 * The store of one file. `open` throws a `StoreError` for a file that cannot be used, and where Node has no SQLite:
 * before 22.13.
 *
 *     application([todo({ store: new SqliteStore(todoSchema(), { file: 'todo.db' }) })]);
 */
export class SqliteStore<S extends Schema & { readonly type: 'object' }> extends LastingStore<S> {
  /** A full disk also keeps items from being removed, and another program can lock the file. */
  readonly responses = (method: string) => (method === 'DELETE' ? { ...UNREACHABLE, ...NO_ROOM } : UNREACHABLE);
  readonly #place: SqlitePlace;

  constructor(schema: S, options: SqliteStoreOptions) {
    assertOptions('keep items in a file', options, ['file', 'naming', 'synchronous', 'maxItems', 'maxBytes']);
    const place = new SqlitePlace(options);
    super(place, schema, options.naming ?? 'camelCase', `"${options.file}"`);
    this.#place = place;
  }

  /** The number of items. */
  get size(): number {
    return this.#place.size;
  }
}

class SqlitePlace implements Place {
  readonly #options: SqliteStoreOptions;
  #state: StoreState;
  #opened: StoreFile | undefined;
  /** What is damaged stays lost until the file is opened anew. */
  #isDamaged = false;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.#state = new StoreState(`"${options.file}"`);
  }

  open(): void {
    const { file: path, synchronous = 'full', maxBytes } = this.#options;
    this.#opened ??= openStoreFile(path, synchronous, maxBytes);
  }

  close(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#state = new StoreState(`"${this.#options.file}"`);
    this.#isDamaged = false;
  }

  /** Asks for a change only where one has failed, for it may wait. */
  check(): void | Promise<void> {
    if (this.#state.isLost) return this.#change(({ probe }) => void probe.run(), unusable);
    void this.size;
    this.#assertThere();
  }

  get size(): number {
    return this.#ask(({ state }) => Number(state.get()!['items']));
  }

  page(after?: Position, known?: string): Page | undefined {
    return this.#ask((statements) => pageOf(statements, after, known));
  }

  get(key: string): StoredItem | undefined {
    const row = this.#ask(({ get }) => get.get(key));
    return row && { key, version: String(row['version']), value: String(row['value']) };
  }

  add({ key, version, value }: StoredItem): boolean | Promise<boolean> {
    const { maxItems = Number.POSITIVE_INFINITY } = this.#options;
    return this.#change(({ add, get }) => {
      // SQLite has no infinity.
      if (isDone(add.run(key, value, version, Math.min(maxItems, Number.MAX_SAFE_INTEGER)))) return true;
      if (get.get(key) !== undefined) return false;
      throw new CollectionFull(`The store holds its ${maxItems} items`);
    });
  }

  replace({ key, version, value }: StoredItem, former: string | undefined): boolean | Promise<boolean> {
    return this.#change(({ replace }) => isDone(replace.run(value, version, key, former ?? null)));
  }

  /** Fails with an `HttpProblem` of 507 where the disk has no room for the log of the removal. */
  remove(key: string, _next: string, former: string | undefined): boolean | Promise<boolean> {
    return this.#change(({ remove }) => isDone(remove.run(key, former ?? null)), noRoom);
  }

  seed({ key, version, value }: StoredItem): unknown {
    return this.#change(({ seed }) => seed.run(key, value, version));
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
      if (this.#isDamaged) throw unusable();
      const made = change(this.#file.statements);
      this.#assertThere();
      this.#state.found();
      return made;
    } catch (error) {
      const code = resultCode(error);
      if ((code === SQLITE.BUSY || code === SQLITE.LOCKED) && performance.now() < end)
        return setTimeout(RETRY_DELAY).then(() => this.#change(change, full, end));
      throw this.#fault(error, full);
    }
  }

  get #file(): StoreFile {
    if (this.#opened === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    return this.#opened;
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
        this.#state.lost(`it is damaged (${message}); replace it by a backup, and start again`);
        this.#isDamaged = true;
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

const collectionFull = (detail: string): Error => new CollectionFull(detail);

/** A 503 for a file that is damaged, gone, or not to be read or written. */
const unusable = (): HttpProblem => unreachable('The store cannot be read or written now', 5);
