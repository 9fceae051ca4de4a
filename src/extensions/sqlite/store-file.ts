/**
 * Opens the SQLite file of a store: locks it for this process, refuses what is not its own, creates what is missing.
 *
 * The lock is a transaction in a file beside it, `todo.db-lock`. The system ends it with the process, however that
 * ends. Other programs can still read the file and back it up.
 */
import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type CopiedItem,
  itemsOf,
  type Page,
  type Position,
  pageSize,
  StoreError,
  versionMaker,
} from '../collection/collection.ts';

// The types of this project are those of Node 20, which has no SQLite.
type SqlValue = string | number | null;
type Row = Readonly<Record<string, SqlValue>>;
interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): readonly Row[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
type NodeSqlite = { readonly DatabaseSync: new (path: string) => Database };

/** How many rows are read at once: of short texts many, which takes half the time of one by one. */
const FEW_ROWS = 16;
const MANY_ROWS = 250;
/** In characters. */
const LONG_TEXT = 4096;

/** The result codes that mean something here (https://sqlite.org/rescode.html). */
export const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IO_ERROR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANNOT_OPEN: 14,
  NOT_A_DATABASE: 26,
} as const;

/** What is kept of a power failure: each change that was answered, or a state that was, some changes ago. */
export type Synchronous = 'full' | 'normal';

/** Names this kind of file in its header: `todo` in ASCII. */
const APPLICATION_ID = 0x746f646f;
const FORMAT = 1;
/** Where the header of a file has its format and its kind (https://sqlite.org/fileformat.html). */
const FORMAT_AT = 60;
const APPLICATION_AT = 68;
const MAGIC = 'SQLite format 3\0';

/** A version that never was: a backup may be restored, and the same item be removed from another list. */
const REMOVED = `
  CREATE TRIGGER removed AFTER DELETE ON items BEGIN
    UPDATE list SET version = lower(hex(randomblob(9))) || '-', items = items - 1;
  END;
`;

/**
 * `position` is the order of creation. The one row of `list` follows each change of an item, in the same step; `seeded`
 * tells whether there has ever been one. No two items have one version, so the version of the list is a new one too.
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
  ${REMOVED}
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

/** An open file that no other process of this service can open. */
export interface StoreFile {
  readonly database: Database;
  readonly statements: Statements;
  /** Are the file and its log still at their paths? What is written is lost where they are not. */
  isThere(): boolean;
  close(): void;
}

/** `maxBytes` limits the file. Throws a `StoreError` that names the cause and the remedy. */
export function openStoreFile(path: string, synchronous: Synchronous, maxBytes: number | undefined): StoreFile {
  const what = `"${path}"`;
  const open: Database[] = [];
  const close = (): void => {
    for (const database of open.splice(0).reverse()) database.close();
  };
  try {
    const file = realPath(path, what);
    assertOwn(file, what);
    open.push(openDatabase(`${file}-lock`, what));
    lock(open[0]!, what);
    const database = openDatabase(file, what);
    open.push(database);
    prepare(database, what, synchronous, maxBytes);
    const statements = preparedOn(database);
    const paths = [file, `${file}-wal`];
    const numbers = paths.map(fileNumber);
    const isThere = (): boolean => paths.every((path, at) => fileNumber(path) === numbers[at]);
    return { database, statements, isThere, close };
  } catch (error) {
    close();
    throw openingFault(error, what);
  }
}

const preparedOn = (database: Database): Statements =>
  Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)])) as Statements;

/** Throws a `StoreError` for a file that cannot be opened, as far as can be told without making or writing one. */
export function assertStoreFile(path: string): void {
  const what = `"${path}"`;
  try {
    const file = realPath(path, what);
    assertOwn(file, what);
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    sqliteOf(what);
  } catch (error) {
    throw openingFault(error, what);
  }
}

/** The path without links, so that each process locks the same file. */
function realPath(path: string, what: string): string {
  try {
    // Not asked first whether it exists: without the right to read it, Node says that it does not.
    return realpathSync(path);
  } catch {
    // A file that is to be created has a folder.
  }
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw new StoreError(what, `there is no folder "${dirname(path)}"; create it, or name another file`, 2, error);
  }
}

/**
 * Throws for a file of another program, of a newer version of this service, and for one that can be opened by another
 * path: each path has a lock and a log of its own. Returns whether the file is missing or empty. It is read without
 * SQLite, which may write.
 */
function assertOwn(file: string, what: string): boolean {
  const refused = (cause: string): StoreError => new StoreError(what, cause, 2);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return true;
  const bytes = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  try {
    const length = readSync(descriptor, bytes);
    if (length > 0 && (length < 100 || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC))
      throw refused('it is no SQLite file; name another, or one that does not exist yet');
    if (length > 0 && bytes.readUInt32BE(APPLICATION_AT) !== APPLICATION_ID)
      throw refused('it is the SQLite file of another program; name another file');
  } finally {
    closeSync(descriptor);
  }
  const format = bytes.readUInt32BE(FORMAT_AT);
  if (format > FORMAT) {
    const remedy = 'run that version, or name another file';
    throw refused(`a newer version of this service has made it (format ${format}); ${remedy}`);
  }
  if (found.nlink > 1) {
    const cause = `it has ${found.nlink} names (hard links), and changes by one are lost for another`;
    throw refused(`${cause}; leave it one name, and copy it where a copy is needed`);
  }
  if (found.dev !== statSync(dirname(file)).dev)
    throw refused('it is mounted without its folder, where the newest changes are kept; mount the folder');
  return found.size === 0;
}

/** The number of a file on its disk; undefined where there is none. */
const fileNumber = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Throws a `StoreError` where Node has no SQLite. */
const openDatabase = (path: string, what: string): Database => new (sqliteOf(what).DatabaseSync)(path);

function sqliteOf(what: string): NodeSqlite {
  const { emitWarning } = process;
  // Node says that the module may change. Its own users cannot act on that, and the tests here would see a change.
  process.emitWarning = (warning, ...rest) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      emitWarning.apply(process, [warning, ...rest] as never);
  };
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  process.emitWarning = emitWarning;
  if (sqlite !== undefined) return sqlite;
  const remedy = 'run Node 22.13 or later, or keep the items in Redis';
  throw new StoreError(what, `Node ${process.versions.node} has no SQLite; ${remedy}`, 2);
}

function lock(database: Database, what: string): void {
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if (resultCode(error) !== SQLITE.BUSY) throw error;
    throw new StoreError(what, 'another process uses it; stop that one, or name another file', 1, error);
  }
}

function prepare(database: Database, what: string, synchronous: Synchronous, maxBytes: number | undefined): void {
  const valueOf = (sql: string): SqlValue | undefined => Object.values(database.prepare(sql).get() ?? {})[0];
  // A program that backs the file up, or changes it by hand, may lock it for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  // One transaction: a file that a crash left half made is empty.
  if (valueOf('PRAGMA page_count') === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  // An earlier version made a trigger whose versions of the list came back.
  if (!String(valueOf("SELECT sql FROM sqlite_schema WHERE name = 'removed'")).includes('randomblob'))
    database.exec(`BEGIN IMMEDIATE; DROP TRIGGER IF EXISTS removed; ${REMOVED} COMMIT`);
  if (valueOf('PRAGMA journal_mode = WAL') !== 'wal')
    throw new StoreError(what, 'its file system keeps no write-ahead log; name a local file', 2);
  // Makes the log, and fails where another program holds the file.
  database.exec('BEGIN IMMEDIATE; SELECT version FROM list; ROLLBACK');
  // From now on nothing waits in the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  if (maxBytes === undefined) return;
  const pages = Math.max(Math.floor(maxBytes / Number(valueOf('PRAGMA page_size'))), 1);
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

/**
 * The page behind a position; undefined where the list has the `known` version. It reads few rows at a time where texts
 * are long: none is read that memory has no room for.
 */
export function pageOf({ state, page }: Statements, after?: Position, known?: string): Page | undefined {
  const version = String(state.get()!['version']);
  if (version === known) return undefined;
  const size = pageSize(after);
  const items: CopiedItem[] = [];
  let last = after ?? 0;
  let isEnd = false;
  for (let characters = 0; !isEnd && items.length < size.items && characters < size.characters; ) {
    const most = Math.min(characters < items.length * LONG_TEXT ? MANY_ROWS : FEW_ROWS, size.items - items.length);
    const rows = page.all(last, most) as unknown as readonly (CopiedItem & { readonly position: number })[];
    for (const row of rows) {
      items.push(row);
      characters += row.value.length;
      last = row.position;
    }
    isEnd = rows.length < most;
  }
  return { items, version, last, isEnd };
}

/** The primary result code of an error; undefined for an error that is none of SQLite. */
export function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

const NO_RIGHT = 'this user may not write it; allow the user to write the file and its folder';
/** What to tell the user, by the code of SQLite or of the system, and whether a restart may help. */
const CAUSES: Readonly<Record<number | string, readonly [cause: string, exitCode: 1 | 2]>> = {
  [SQLITE.CANNOT_OPEN]: [NO_RIGHT, 2],
  [SQLITE.READONLY]: [NO_RIGHT, 2],
  EACCES: [NO_RIGHT, 2],
  EPERM: [NO_RIGHT, 2],
  ERR_ACCESS_DENIED: [
    'Node has no right to the file; start it with --allow-fs-read and --allow-fs-write of its folder',
    2,
  ],
  EISDIR: ['it is a folder; name a file', 2],
  [SQLITE.FULL]: ['the disk is full; make room', 1],
  [SQLITE.BUSY]: ['another program locks it; stop that one', 1],
};

/** The `StoreError` for an error of the system or of SQLite. */
function openingFault(error: unknown, what: string): unknown {
  if (error instanceof StoreError) return error;
  const { message, code: systemCode } = error as NodeJS.ErrnoException;
  const code = resultCode(error) ?? systemCode ?? '';
  const isDamaged = code === SQLITE.CORRUPT || code === SQLITE.NOT_A_DATABASE;
  const [cause, exitCode] = isDamaged
    ? [`it is damaged (${message}); replace it by a backup`, 2 as const]
    : (CAUSES[code] ?? [`it cannot be opened (${message})`, 1 as const]);
  return new StoreError(what, cause, exitCode, error);
}

/**
 * The items of a file as they are stored, all of one moment: a service may go on with it. Throws a `StoreError` for a
 * file that has no list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  const what = `"${path}"`;
  let database: Database | undefined;
  try {
    const file = realPath(path, what);
    if (assertOwn(file, what)) throw new StoreError(what, 'there is no list; name the file that has the items', 2);
    database = openDatabase(file, what);
    database.exec('PRAGMA busy_timeout = 500; PRAGMA query_only = ON; BEGIN');
    const statements = preparedOn(database);
    yield* itemsOf({ page: (after) => pageOf(statements, after) });
  } catch (error) {
    throw openingFault(error, what);
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
  const what = `"${path}"`;
  const file = openStoreFile(path, 'full', maxBytes);
  const newVersion = versionMaker();
  let count = 0;
  try {
    const { state, add } = file.statements;
    file.database.exec('BEGIN IMMEDIATE');
    if (Number(state.get()!['items']) > 0)
      throw new StoreError(what, 'it has items already; name a store that has none', 2);
    const most = Math.min(maxItems, Number.MAX_SAFE_INTEGER);
    for await (const { key, value } of items) {
      if (Number(add.run(key, value, newVersion(), most).changes) === 0)
        throw new StoreError(what, `it may have no more than ${maxItems} items; raise maxItems`, 2);
      count++;
    }
    // What was emptied gets no first item again.
    file.database.exec('UPDATE list SET seeded = 1; COMMIT');
    return count;
  } catch (error) {
    throw openingFault(error, what);
  } finally {
    // A transaction that is open ends as if it had never begun.
    file.close();
  }
}
