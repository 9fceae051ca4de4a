/**
 * Creates, opens and locks the SQLite file of a store, reads its items page by page, and copies them.
 *
 * The lock is an open transaction on a second file, such as `todo.db-lock`. The system releases the lock when the
 * process ends, even if the process is killed. The file of the store is locked only during a change, so other programs
 * can read it and back it up.
 */
import { closeSync, openSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../core/log/thrown-value.ts';
import {
  type CopiedItem,
  itemsOf,
  type Page,
  type Position,
  pageSize,
  versionMaker,
} from '../collection/lasting-store.ts';
import {
  APPLICATION_ID,
  type Database,
  FORMAT,
  faultOf,
  fileError,
  hasList,
  headerOf,
  isUsed,
  nodeSqlite,
  realPath,
  type SqlValue,
  type Statement,
  sizeAt,
  storeError,
  USED_VERSION,
  usableFile,
} from './database-file.ts';

/**
 * The size to which SQLite truncates the write-ahead log after a checkpoint, in bytes. SQLite runs a checkpoint at
 * about this size. The write-ahead log grows beyond this size only while another program reads the file.
 */
const MAX_WAL = 4 * 2 ** 20;

/** `full`: a power failure loses no confirmed change. `normal`: it may lose the last changes. */
export type Synchronous = 'full' | 'normal';

/**
 * `position` gives the order of creation. A trigger updates the single row of `list` in the transaction of each change.
 * `seeded` is 1 if the list has ever had an item. If an item is added or replaced, the list gets the version of the
 * item, which is unique. If an item is removed, the list gets a random version. After a backup was restored, the same
 * item may be removed again, and the list must then get another version.
 */
const SCHEMA = `
  CREATE TABLE items (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    version TEXT NOT NULL
  ) STRICT;
  CREATE TABLE list (version TEXT NOT NULL, items INTEGER NOT NULL, seeded INTEGER NOT NULL) STRICT;
  INSERT INTO list VALUES ('0', 0, 0);
  CREATE TRIGGER added AFTER INSERT ON items BEGIN
    UPDATE list SET version = NEW.version, items = items + 1, seeded = 1;
  END;
  CREATE TRIGGER replaced AFTER UPDATE ON items BEGIN
    UPDATE list SET version = NEW.version;
  END;
  CREATE TRIGGER removed AFTER DELETE ON items BEGIN
    UPDATE list SET version = lower(hex(randomblob(9))) || '-', items = items - 1;
  END;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
`;

/** Each statement runs in a separate transaction, together with its triggers. */
const STATEMENTS = {
  state: 'SELECT version, items FROM list',
  get: 'SELECT value, version FROM items WHERE key = ?',
  page: 'SELECT position, key, value FROM items WHERE position > ? ORDER BY position LIMIT ?',
  add: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? FROM list WHERE items < ? ON CONFLICT DO NOTHING',
  seed: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? FROM list WHERE NOT seeded',
  replace: 'UPDATE items SET value = ?1, version = ?2 WHERE key = ?3 AND (?4 IS NULL OR version = ?4)',
  probe: 'UPDATE list SET seeded = seeded',
  remove: 'DELETE FROM items WHERE key = ?1 AND (?2 IS NULL OR version = ?2)',
} as const;

/** The prepared statements of an open file. */
export type Statements = Readonly<Record<keyof typeof STATEMENTS, Statement>>;

const preparedOn = (database: Database): Statements =>
  Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)])) as Statements;

export type StoreFile = ReturnType<typeof openStoreFile>;

/**
 * Opens a file, and locks it against other processes of this service. `maxBytes` limits the size of the file together
 * with its write-ahead log. Throws a `StoreError` with the cause and the remedy if the file cannot be used.
 */
export function openStoreFile(path: string, synchronous: Synchronous, maxBytes = Number.POSITIVE_INFINITY) {
  const open: Database[] = [];
  let descriptor: number | undefined;
  const close = (): void => {
    attempt(() => {
      // If a backup has replaced the file, SQLite would write the old write-ahead log into the backup.
      if (descriptor !== undefined && !isUsed(headerOf(descriptor))) truncateSync(`${realPath(path)}-wal`);
      // Ends WAL mode, so that a copy of the closed file is a valid backup. Fails if another program reads the file.
      open[1]?.exec('PRAGMA journal_mode = DELETE');
    }, undefined);
    for (const database of open.splice(0).reverse()) database.close();
    // Closed after the database, because closing any descriptor of the file releases SQLite's locks on the file.
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  try {
    const file = usableFile(path);
    const { DatabaseSync } = nodeSqlite(path);
    open.push(new DatabaseSync(`${file}-lock`));
    lock(open[0]!, path);
    // Without defensive mode, because SQLite then ignores changes of `schema_version`.
    const database = new DatabaseSync(file, { defensive: false });
    open.push(database);
    prepare(database, path, synchronous, maxBytes);
    const wal = `${file}-wal`;
    const inodes = (): string => [file, wal].map((name) => statSync(name, { throwIfNoEntry: false })?.ino).join();
    const opened = inodes();
    const openDescriptor = (descriptor = openSync(file, 'r'));
    const bytes = (): number => sizeAt(file) + sizeAt(wal);
    return {
      database,
      statements: preparedOn(database),
      /** Returns false if the file or its write-ahead log has been replaced, because a change would then be lost. */
      isInPlace: () => inodes() === opened && isUsed(headerOf(openDescriptor)),
      /** The bytes of the file and its write-ahead log. */
      bytes,
      /** Returns the most bytes of the file and its write-ahead log: `maxBytes`, or less if the disk is nearly full. */
      limit() {
        const { bavail, bsize } = statfsSync(dirname(file));
        return Math.min(maxBytes, bytes() + bavail * bsize);
      },
      /** Returns true if there is room for a change. Tries to empty the write-ahead log if the limit is exceeded. */
      hasRoom() {
        if (maxBytes === Number.POSITIVE_INFINITY || bytes() <= maxBytes) return true;
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        // If the log is empty, SQLite itself limits the file (`max_page_count`), and can still remove items.
        return bytes() <= maxBytes || sizeAt(wal) === 0;
      },
      close,
    };
  } catch (error) {
    close();
    throw storeError(error, path);
  }
}

function lock(database: Database, path: string): void {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if (faultOf(error) !== 'locked') throw error;
    throw fileError(path, 'another process uses it; stop that process, or name another file', {
      isTemporary: true,
      cause: error,
    });
  }
}

function prepare(database: Database, path: string, synchronous: Synchronous, maxBytes: number): void {
  const valueOf = (pragma: string): SqlValue | undefined => database.prepare(`PRAGMA ${pragma}`).get()?.[pragma];
  // A backup program or a manual change may lock the file for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  // In one transaction, so that the file is empty after a crash, and not incomplete.
  if (valueOf('page_count') === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  // Sets the version before WAL mode, so that it is written to the file and not to the write-ahead log. Otherwise
  // `assertUsable` would reject the file after a crash, because it has a smaller version and a write-ahead log.
  if (Number(valueOf('schema_version')) < USED_VERSION)
    database.exec(`PRAGMA journal_mode = DELETE; PRAGMA schema_version = ${USED_VERSION}`);
  database.exec('PRAGMA journal_mode = WAL');
  if (valueOf('journal_mode') !== 'wal')
    throw fileError(path, 'its file system does not support a write-ahead log; name a local file');
  // Creates the write-ahead log. Throws if another program locks the file.
  database.exec('BEGIN IMMEDIATE; SELECT version FROM list; ROLLBACK');
  // Without a busy timeout, because the service runs from now on and a wait would block the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  database.exec(`PRAGMA journal_size_limit = ${MAX_WAL}`);
  if (maxBytes === Number.POSITIVE_INFINITY) return;
  const pages = Math.max(Math.floor(maxBytes / Number(valueOf('page_size'))), 1);
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

/** Returns the number of items. */
export const sizeOf = ({ state }: Statements): number => Number(state.get()!['items']);

/** Returns the page after the position `after`, or undefined if the list still has the version `known`. */
export function pageOf({ state, page }: Statements, after?: Position, known?: string): Page | undefined {
  const version = String(state.get()!['version']);
  if (version === known) return undefined;
  const size = pageSize(after);
  const items: CopiedItem[] = [];
  let last = after ?? 0;
  let characters = 0;
  // Reads row by row, and stops at the limit of characters, so that long texts do not fill the memory.
  for (const { position, key, value } of page.iterate(last, size.items)) {
    items.push({ key: String(key), value: String(value) });
    last = Number(position);
    characters += String(value).length;
    if (characters >= size.characters) break;
  }
  return { items, version, last, isEnd: items.length < size.items && characters < size.characters };
}

/**
 * Yields the stored items of a file from one consistent snapshot, while a service may keep changing the file. Throws a
 * `StoreError` if the file does not contain a list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  let database: Database | undefined;
  try {
    const file = realPath(path);
    if (!hasList(file, path)) throw fileError(path, 'it does not contain a list; name the file with the items');
    const { DatabaseSync } = nodeSqlite(path);
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 500; PRAGMA query_only = ON; BEGIN');
    const statements = preparedOn(database);
    yield* itemsOf({ page: (after) => pageOf(statements, after) });
  } catch (error) {
    throw storeError(error, path);
  } finally {
    database?.close();
  }
}

/**
 * Fills an empty file with items in one transaction, and resolves to their number. Rejects with a `StoreError` if the
 * file has items or becomes full; the file is then unchanged.
 */
export async function fillFile(
  path: string,
  { maxItems, maxBytes }: { readonly maxItems: number; readonly maxBytes: number | undefined },
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const { database, statements, close } = openStoreFile(path, 'full', maxBytes);
  const newVersion = versionMaker();
  let count = 0;
  try {
    database.exec('BEGIN IMMEDIATE');
    if (sizeOf(statements) > 0) throw fileError(path, 'it already has items; name an empty store');
    for await (const { key, value } of items) {
      if (count++ >= maxItems)
        throw fileError(path, `it is limited to ${maxItems} items; raise maxItems`, { code: 'TOO_MANY_ITEMS' });
      statements.add.run(key, value, newVersion(), Number.MAX_SAFE_INTEGER);
    }
    // Marks the list as seeded even if no item was copied, so that the service does not add its first item.
    database.exec('UPDATE list SET seeded = 1; COMMIT');
    return count;
  } catch (error) {
    throw storeError(error, path);
  } finally {
    // Rolls back an open transaction.
    close();
  }
}
