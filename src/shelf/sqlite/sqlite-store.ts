/**
 * Stores items in an SQLite file with Node's `node:sqlite`.
 *
 * Only one process writes the file. It runs each statement synchronously, because a statement takes less time than a
 * turn of the event loop. A change waits while another program locks the file; other requests are served meanwhile.
 * Each change is one transaction that is complete before the reply, so no confirmed change is lost if the process is
 * killed.
 */
import { setTimeout } from 'node:timers/promises';
import { assertOptions } from '../../extending.ts';
import type { HttpProblem, PropertyNaming, Responses, Schema } from '../../index.ts';
import { CollectionFull } from '../../plugins/collection/collection.ts';
import {
  type Backend,
  LastingStore,
  StoreState,
  type StoreWatch,
  unreachable,
} from '../../plugins/collection/lasting-store.ts';
import { faultOf, restoring } from './database-file.ts';
import type { ItemTable } from './item-table.ts';
import { openStoreFile, type StoreFile, type Synchronous } from './store-file.ts';

/** Options of an `SqliteStore`. */
interface SqliteStoreOptions {
  /** The path of the file. The file is created if it is missing; its folder must exist. */
  readonly file: string;
  /** The naming of properties in replies. Default: `camelCase`. The file always contains the names of the schema. */
  readonly naming?: PropertyNaming | undefined;
  /** `full`: a power failure loses no confirmed change. `normal`: it may lose the last changes. Default: `full`. */
  readonly synchronous?: Synchronous | undefined;
  /** The most items. Default: no limit. */
  readonly maxItems?: number | undefined;
  /** The most bytes of the file and its write-ahead log. One change may exceed the limit. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** Called after each access to the file, with its duration. */
  readonly watch?: StoreWatch | undefined;
}

/** The longest wait for another program that locks the file, in milliseconds. */
const MAX_WAIT = 500;
/** The time between two attempts, in milliseconds. */
const RETRY_DELAY = 20;

/**
 * A store in one SQLite file. The constructor throws a `TypeError` if `file` is a URL or `:memory:`. `open` throws a
 * `StoreError` if the file cannot be used, or if Node has no SQLite (before 22.13).
 *
 *     application([todo({ store: new SqliteStore(todoSchema(), { file: 'todo.db' }) })]);
 */
export class SqliteStore<S extends Schema & { readonly type: 'object' }> extends LastingStore<S> {
  readonly #backend: ReturnType<typeof sqliteBackend>;

  /** A DELETE can also answer 507, because the removal of an item needs room on the disk. */
  override responses(method: string): Responses {
    const answers = super.responses(method);
    return method === 'DELETE' ? { ...answers, 507: { ...answers[503], description: 'The store is full' } } : answers;
  }

  constructor(schema: S, options: SqliteStoreOptions) {
    assertOptions('keep items in a file', options, ['file', 'naming', 'synchronous', 'maxItems', 'maxBytes', 'watch']);
    // The message does not show the text, because the URL of another store may have a password (D85).
    if (/^[^/\\]{2,}:|:\/\//.test(options.file))
      throw new TypeError('Cannot keep items in a file: its name is a URL, or has a colon; write todo.db, or ./a:b.db');
    const backend = sqliteBackend(options);
    super(backend, schema, options.naming ?? 'camelCase', `"${options.file}"`, options.watch);
    this.#backend = backend;
  }

  /** The number of items. */
  get size(): number {
    return this.#backend.size();
  }

  /** The bytes of the file and its write-ahead log. */
  get bytes(): number {
    return this.#backend.file().bytes();
  }

  /** The most bytes of the file and its write-ahead log: `maxBytes`, or less if the disk has less free space. */
  get limit(): number {
    return this.#backend.file().limit();
  }
}

function sqliteBackend({ file: path, synchronous = 'full', maxItems = Infinity, maxBytes }: SqliteStoreOptions) {
  const state = new StoreState(`"${path}"`);
  let opened: StoreFile | undefined;
  /** The number of items when the file was opened; undefined if the file was new. */
  let found: number | undefined;
  /** True if the file is damaged. It cannot be changed until it is reopened. */
  let isDamaged = false;

  function file(): StoreFile {
    if (opened !== undefined) return opened;
    throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
  }

  function assertInPlace(): void {
    if (file().isInPlace()) return;
    state.lost('its file was removed, moved or replaced; put it back, or restart with the new file');
    throw unusable();
  }

  function query<Result>(read: (items: ItemTable) => Result): Result {
    try {
      return read(file().items);
    } catch (error) {
      throw failure(error);
    }
  }

  /** Runs a change. Retries it for `MAX_WAIT` milliseconds while another program locks the file. */
  async function change<Result>(run: (items: ItemTable) => Result): Promise<Result> {
    const end = performance.now() + MAX_WAIT;
    for (;;) {
      try {
        if (isDamaged) throw unusable();
        // First, because SQLite writes the log into the file when it makes room.
        assertInPlace();
        if (!file().hasRoom()) {
          state.full('its write-ahead log has reached the limit, and another program keeps reading the file');
          throw new CollectionFull('The file of the store and its write-ahead log have reached their limit');
        }
        const result = run(file().items);
        state.found();
        return result;
      } catch (error) {
        if (faultOf(error) !== 'locked' || performance.now() >= end) throw failure(error);
      }
      await setTimeout(RETRY_DELAY);
    }
  }

  /** Logs the error of a statement, and returns the error to throw. */
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

  const size = (): number => query((items) => items.state().size);
  return {
    size,
    file,
    state: () => state,
    open() {
      if (opened !== undefined) return found;
      opened = openStoreFile(path, synchronous, maxBytes);
      isDamaged = false;
      state.found();
      found = opened.isNew ? undefined : size();
      return found;
    },
    close() {
      opened?.close();
      opened = undefined;
    },
    /** Writes to the file only if it was lost, because a change may have to wait for another program. */
    check() {
      if (state.isLost) return change((items) => items.probe());
      size();
      assertInPlace();
    },
    page: (after, known) => query((items) => items.page(after, known)),
    keep: (after, stream) => file().items.keep(after, stream),
    get: (key) => query((items) => items.get(key)),
    add: (item) => change((items) => items.add(item, maxItems)),
    replace: (item, former) => change((items) => items.replace(item, former)),
    remove: (key, next, former) => change((items) => items.remove(key, next, former)),
    seed: (item) => change((items) => items.seed(item)),
  } satisfies Backend & { readonly size: () => number; readonly file: () => StoreFile };
}

/** Makes a 503 error for a file that is damaged or missing, or cannot be read or written. */
const unusable = (): HttpProblem => unreachable('The store cannot be read or written now', 5);
