/**
 * Opens the SQLite file of a store: locks it for this process and creates what is missing. Reads its pages and copies it.
 *
 * The lock is a transaction in a file beside it, `todo.db-lock`. The system ends it with the process, however that
 * ends. Other programs can still read the file and back it up.
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
  hasList,
  headerOf,
  isUsed,
  nodeSqlite,
  realPath,
  refusal,
  type SqlValue,
  type Statement,
  sizeAt,
  storeError,
  USED_VERSION,
  usableFile,
} from './database-file.ts';

/**
 * SQLite cuts the log to so many bytes once its changes are in the file. It writes them there when the log has about
 * this size; the log grows longer only while another program reads the file.
 */
const MAX_LOG = 4 * 2 ** 20;

/** What is kept of a power failure: each change that was answered, or a state that was, some changes ago. */
export type Synchronous = 'full' | 'normal';

/**
 * `position` is the order of creation. The one row of `list` follows each change of an item, in the same step; `seeded`
 * tells whether there has ever been one. No two items have one version, so the version of the list is a new one too. A
 * removal gives the list a random one: a backup may be restored, and the same item be removed from another list.
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

/** Each is a transaction of its own: it does all that it does, the change of the list included, or nothing. */
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

/** The statements on an open file, prepared once. */
export type Statements = Readonly<Record<keyof typeof STATEMENTS, Statement>>;

const preparedOn = (database: Database): Statements =>
  Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)])) as Statements;

export type StoreFile = ReturnType<typeof openStoreFile>;

/**
 * An open file that no other process of this service can open. `maxBytes` limits the file with its log. Throws a
 * `StoreError` that names the cause and the remedy.
 */
export function openStoreFile(path: string, synchronous: Synchronous, maxBytes = Number.POSITIVE_INFINITY) {
  const open: Database[] = [];
  let descriptor: number | undefined;
  const close = (): void => {
    attempt(() => {
      // SQLite would write the log of the file that was there before to the backup.
      if (descriptor !== undefined && !isUsed(headerOf(descriptor))) truncateSync(`${realPath(path)}-wal`);
      // Leaves WAL mode, so that a copy of the closed file counts as a backup. Another program that reads prevents it.
      open[1]?.exec('PRAGMA journal_mode = DELETE');
    }, undefined);
    for (const database of open.splice(0).reverse()) database.close();
    // Closed before the database, it would end the locks of SQLite on the file.
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  try {
    const file = usableFile(path);
    const { DatabaseSync } = nodeSqlite(path);
    open.push(new DatabaseSync(`${file}-lock`));
    lock(open[0]!, path);
    // In defensive mode, SQLite does not change `schema_version`.
    const database = new DatabaseSync(file, { defensive: false });
    open.push(database);
    prepare(database, path, synchronous, maxBytes);
    const log = `${file}-wal`;
    const inodes = (): string => [file, log].map((each) => statSync(each, { throwIfNoEntry: false })?.ino).join();
    const opened = inodes();
    const used = (descriptor = openSync(file, 'r'));
    const bytes = (): number => sizeAt(file) + sizeAt(log);
    return {
      database,
      statements: preparedOn(database),
      /** Are the file and its log still at their paths, and no backup in their place? Otherwise a change would be lost. */
      isThere: () => inodes() === opened && isUsed(headerOf(used)),
      /** Bytes of the file and its log. */
      bytes,
      /** Most bytes of both: `maxBytes`, or what the disk has room for if that is less. */
      limit() {
        const { bavail, bsize } = statfsSync(dirname(file));
        return Math.min(maxBytes, bytes() + bavail * bsize);
      },
      /** Is there room for a change? Empties the log if both exceed `maxBytes`, unless another program reads the file. */
      hasRoom() {
        if (maxBytes === Number.POSITIVE_INFINITY || bytes() <= maxBytes) return true;
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        // The file alone is limited by SQLite, which then still removes items.
        return bytes() <= maxBytes || sizeAt(log) === 0;
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
    throw refusal(path, 'another process uses it; stop that one, or name another file', {
      isTemporary: true,
      cause: error,
    });
  }
}

function prepare(database: Database, path: string, synchronous: Synchronous, maxBytes: number): void {
  const valueOf = (pragma: string): SqlValue | undefined => database.prepare(`PRAGMA ${pragma}`).get()?.[pragma];
  // A program that backs the file up, or changes it by hand, may lock it for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  // One transaction: a file that a crash left half made is empty.
  if (valueOf('page_count') === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  // Written to the file itself: a log beside a file of a lower version counts as the log of another file.
  if (Number(valueOf('schema_version')) < USED_VERSION)
    database.exec(`PRAGMA journal_mode = DELETE; PRAGMA schema_version = ${USED_VERSION}`);
  database.exec('PRAGMA journal_mode = WAL');
  if (valueOf('journal_mode') !== 'wal')
    throw refusal(path, 'its file system keeps no write-ahead log; name a local file');
  // Makes the log, and fails where another program holds the file.
  database.exec('BEGIN IMMEDIATE; SELECT version FROM list; ROLLBACK');
  // From now on nothing waits in the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  database.exec(`PRAGMA journal_size_limit = ${MAX_LOG}`);
  if (maxBytes === Number.POSITIVE_INFINITY) return;
  const pages = Math.max(Math.floor(maxBytes / Number(valueOf('page_size'))), 1);
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

/** The number of items. */
export const sizeOf = ({ state }: Statements): number => Number(state.get()!['items']);

/** The page behind a position; undefined where the list has the `known` version. */
export function pageOf({ state, page }: Statements, after?: Position, known?: string): Page | undefined {
  const version = String(state.get()!['version']);
  if (version === known) return undefined;
  const size = pageSize(after);
  const items: CopiedItem[] = [];
  let last = after ?? 0;
  let characters = 0;
  // Row by row: there may be no memory for so many long texts.
  for (const { position, key, value } of page.iterate(last, size.items)) {
    items.push({ key: String(key), value: String(value) });
    last = Number(position);
    characters += String(value).length;
    if (characters >= size.characters) break;
  }
  return { items, version, last, isEnd: items.length < size.items && characters < size.characters };
}

/**
 * The items of a file as they are stored, all of one moment: a service may go on with it. Throws a `StoreError` for a
 * file that has no list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  let database: Database | undefined;
  try {
    const file = realPath(path);
    if (!hasList(file, path)) throw refusal(path, 'there is no list; name the file that has the items');
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
 * Fills a file with items in one transaction. Rejects with a `StoreError` for a file that has items, and for one that
 * gets full; then nothing has changed.
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
    if (sizeOf(statements) > 0) throw refusal(path, 'it has items already; name a store that has none');
    for await (const { key, value } of items) {
      if (count++ >= maxItems)
        throw refusal(path, `it may have no more than ${maxItems} items; raise maxItems`, { code: 'TOO_MANY_ITEMS' });
      statements.add.run(key, value, newVersion(), Number.MAX_SAFE_INTEGER);
    }
    // What was emptied gets no first item again.
    database.exec('UPDATE list SET seeded = 1; COMMIT');
    return count;
  } catch (error) {
    throw storeError(error, path);
  } finally {
    // A transaction that is open ends as if it had never begun.
    close();
  }
}
