/**
 * Keeps items in an SQLite file, through Node's own `node:sqlite`.
 *
 * One process writes the file, and answers at once: a statement takes less time than a turn of the event loop. Only
 * where another program holds the file, a change waits, and nothing else waits with it. Each change is one transaction,
 * so a process that is killed loses nothing that was answered.
 */
import { setTimeout } from 'node:timers/promises';
import type { HttpProblem } from '../../core/message/problem.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { CollectionFull } from '../collection/collection.ts';
import { LastingStore, type Place, type StoreWatch } from '../collection/lasting-store.ts';
import { NO_ROOM, StoreState, UNREACHABLE, unreachable } from '../collection/store-error.ts';
import { faultOf, restoring } from './database-file.ts';
import { openStoreFile, pageOf, type Statements, type StoreFile, type Synchronous, sizeOf } from './store-file.ts';

/** Where the items are, and how much may be there. */
interface SqliteStoreOptions {
  /** The path of the file. It is created if it is missing; its folder is not. */
  readonly file: string;
  /** The names of properties in JSON; `camelCase` unless given. The file has those of the schema. */
  readonly naming?: PropertyNaming | undefined;
  /** `full`: a power failure loses nothing that was answered. `normal`: it may lose the last changes. Default: full. */
  readonly synchronous?: Synchronous | undefined;
  /** Without limit unless given. */
  readonly maxItems?: number | undefined;
  /** Bytes of the file and its log, which one change may exceed; without limit unless given. */
  readonly maxBytes?: number | undefined;
  /** Is told of each operation once it has ended, to measure it. */
  readonly watch?: StoreWatch | undefined;
}

/** How long a change waits for another program that holds the file, and how often it is tried; in milliseconds. */
const MAX_WAIT = 500;
const RETRY_DELAY = 20;

/**
 * The store of one file. `open` throws a `StoreError` for a file that cannot be used, and where Node has no SQLite:
 * before 22.13. The constructor throws a `TypeError` for a file that is named as a URL, or as `:memory:`.
 *
 *     application([todo({ store: new SqliteStore(todoSchema(), { file: 'todo.db' }) })]);
 */
export class SqliteStore<S extends Schema & { readonly type: 'object' }> extends LastingStore<S> {
  /** A full disk also keeps items from being removed, and another program can lock the file. */
  readonly responses = (method: string) => (method === 'DELETE' ? { ...UNREACHABLE, ...NO_ROOM } : UNREACHABLE);
  readonly #place: ReturnType<typeof sqlitePlace>;

  constructor(schema: S, options: SqliteStoreOptions) {
    assertOptions('keep items in a file', options, ['file', 'naming', 'synchronous', 'maxItems', 'maxBytes', 'watch']);
    // The text is not shown: that of another store may have a password (D85).
    if (/^[^/\\]{2,}:|:\/\//.test(options.file))
      throw new TypeError('Cannot keep items in a file: its name is a URL, or has a colon; give todo.db, or ./a:b.db');
    const place = sqlitePlace(options);
    super(place, schema, options.naming ?? 'camelCase', `"${options.file}"`, options.watch);
    this.#place = place;
  }

  /** The number of items. */
  get size(): number {
    return this.#place.size();
  }

  /** Bytes of the file and its log. */
  get bytes(): number {
    return this.#place.file().bytes();
  }

  /** Most bytes of both: the option `maxBytes`, or what the disk has room for if that is less. */
  get limit(): number {
    return this.#place.file().limit();
  }
}

function sqlitePlace({ file: path, synchronous = 'full', maxItems = Infinity, maxBytes }: SqliteStoreOptions) {
  const state = new StoreState(`"${path}"`);
  let opened: StoreFile | undefined;
  /** What is damaged stays lost until the file is opened anew. */
  let isDamaged = false;

  function file(): StoreFile {
    if (opened !== undefined) return opened;
    throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
  }

  function assertThere(): void {
    if (file().isThere()) return;
    state.lost('its file was removed, moved or replaced; put it back, or start again with the one that is there');
    throw unusable();
  }

  function ask<Result>(question: (statements: Statements) => Result): Result {
    try {
      return question(file().statements);
    } catch (error) {
      throw failure(error);
    }
  }

  /** Makes a change. While another program holds the file it is tried again, in later turns of the event loop. */
  async function change<Result>(make: (statements: Statements) => Result): Promise<Result> {
    const end = performance.now() + MAX_WAIT;
    for (;;) {
      try {
        if (isDamaged) throw unusable();
        if (!file().hasRoom()) {
          state.full('its log has reached the limit, and another program that reads the file keeps it');
          throw new CollectionFull('The file of the store and its log have reached their limit');
        }
        const made = make(file().statements);
        assertThere();
        state.found();
        return made;
      } catch (error) {
        if (faultOf(error) !== 'locked' || performance.now() >= end) throw failure(error);
      }
      await setTimeout(RETRY_DELAY);
    }
  }

  /** What to throw for an error of a statement. */
  function failure(error: unknown): unknown {
    const { message } = error as Error;
    switch (faultOf(error)) {
      case 'full':
        state.full(message);
        if (state.isLost) return unusable();
        return new CollectionFull('The disk of the store is full, or its file has reached its limit');
      case 'locked':
        state.lost('another program locks it');
        return unreachable('Another program is changing the store', 1);
      case 'damaged':
        state.lost(`it is damaged (${message}); stop the service, ${restoring(path)}, and start again`);
        isDamaged = true;
        return unusable();
      case 'unreadable':
      case 'forbidden':
        state.lost(message);
        return unusable();
      default:
        return error;
    }
  }

  const size = (): number => ask(sizeOf);
  return {
    size,
    file,
    state: () => state,
    open() {
      if (opened !== undefined) return;
      opened = openStoreFile(path, synchronous, maxBytes);
      isDamaged = false;
      state.found();
    },
    close() {
      opened?.close();
      opened = undefined;
    },
    /** Asks for a change only where one has failed, for it may wait. */
    check() {
      if (state.isLost) return change(({ probe }) => void probe.run());
      size();
      assertThere();
    },
    page: (after, known) => ask((statements) => pageOf(statements, after, known)),
    get(key) {
      const row = ask(({ get }) => get.get(key));
      return row && { key, version: String(row['version']), value: String(row['value']) };
    },
    add: ({ key, version, value }) =>
      change(({ add, get }) => {
        // SQLite has no infinity.
        if (isDone(add.run(key, value, version, Math.min(maxItems, Number.MAX_SAFE_INTEGER)))) return true;
        if (get.get(key) !== undefined) return false;
        throw new CollectionFull(`The store holds its ${maxItems} items`);
      }),
    replace: ({ key, version, value }, former) =>
      change(({ replace }) => isDone(replace.run(value, version, key, former ?? null))),
    remove: (key, _, former) => change(({ remove }) => isDone(remove.run(key, former ?? null))),
    seed: ({ key, version, value }) => change(({ seed }) => seed.run(key, value, version)),
  } satisfies Place & { readonly size: () => number; readonly file: () => StoreFile };
}

const isDone = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) > 0;

/** A 503 for a file that is damaged, gone, or not to be read or written. */
const unusable = (): HttpProblem => unreachable('The store cannot be read or written now', 5);
