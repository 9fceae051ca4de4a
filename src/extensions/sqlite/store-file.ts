/**
 * Opens the SQLite file of a store: locks it for this process, refuses what is not its own, creates what is missing.
 *
 * The lock is a transaction in a file of its own beside it, `todo.db-lock`. The system ends it with the process,
 * however that ends. The file itself can still be read and backed up by other programs.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type CopiedItem, type Page, type PageSize, type Position, StoreError } from '../collection/collection.ts';

// Node's own SQLite came with Node 22.13. The types of this project are those of Node 20, so the few members that are
// used are declared here.
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

/**
 * `maxBytes` limits the file; `mustExist` refuses one that has no list yet. Throws a `StoreError` that names the cause
 * and the remedy.
 */
export function openStoreFile(
  path: string,
  synchronous: Synchronous,
  maxBytes: number | undefined,
  mustExist = false,
): StoreFile {
  const what = `"${path}"`;
  const file = real(path, what);
  const bytes = header(file, what);
  if (mustExist && bytes.length === 0)
    throw new StoreError(what, 'there is no list; name the file that has the items', 2);
  assertOwn(bytes, what);
  assertOneName(file, what);
  const lock = locked(`${file}-lock`, what);
  let database: Database | undefined;
  const close = (): void => {
    database?.close();
    lock.close();
  };
  try {
    const opened = openDatabase(file, what);
    database = opened;
    prepare(opened, what, synchronous, maxBytes);
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, opened.prepare(sql)]);
    const paths = [file, `${file}-wal`];
    const numbers = paths.map(fileNumber);
    const isThere = (): boolean => paths.every((path, at) => fileNumber(path) === numbers[at]);
    return { database: opened, statements: Object.fromEntries(prepared) as Statements, isThere, close };
  } catch (error) {
    close();
    throw openingFault(error, what);
  }
}

/**
 * The page behind a position; undefined where the list has the `known` version. It reads few rows at a time where texts
 * are long: none is read that memory has no room for.
 */
export function pageOf(
  { state, page }: Statements,
  size: PageSize,
  after: Position = 0,
  known?: string,
): Page | undefined {
  const version = String(state.get()!['version']);
  if (version === known) return undefined;
  const items: CopiedItem[] = [];
  let last = after;
  let isEnd = false;
  for (let characters = 0; !isEnd && items.length < size.items && characters < size.characters; ) {
    const most = Math.min(characters < items.length * LONG_TEXT ? MANY_ROWS : FEW_ROWS, size.items - items.length);
    const rows = page.all(last, most);
    for (const row of rows) {
      const value = String(row['value']);
      items.push({ key: String(row['key']), value });
      characters += value.length;
      last = Number(row['position']);
    }
    isEnd = rows.length < most;
  }
  return { items, version, last, isEnd };
}

/** Throws a `StoreError` where Node has no SQLite. */
function openDatabase(path: string, what: string): Database {
  const { emitWarning } = process;
  // Node says that the module may change. Its own users cannot act on that, and the tests here would see a change.
  process.emitWarning = (warning, ...rest) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      emitWarning.apply(process, [warning, ...rest] as never);
  };
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  process.emitWarning = emitWarning;
  if (sqlite !== undefined) return new sqlite.DatabaseSync(path);
  const remedy = 'run Node 22.13 or later, or use --store redis://…';
  throw new StoreError(what, `Node ${process.versions.node} has no SQLite; ${remedy}`, 2);
}

/** The path without links, so that each process locks the same file. */
function real(path: string, what: string): string {
  try {
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

/** The first bytes of a file, none for one that is missing or empty. It is read without SQLite, which may write. */
function header(file: string, what: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const bytes = Buffer.alloc(100);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw openingFault(error, what);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Throws for a file of another program, and for one of a newer version of this service. */
function assertOwn(bytes: Buffer, what: string): void {
  if (bytes.length === 0) return;
  if (bytes.length < 100 || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new StoreError(what, 'it is no SQLite file; name another, or one that does not exist yet', 2);
  if (bytes.readUInt32BE(APPLICATION_AT) !== APPLICATION_ID)
    throw new StoreError(what, 'it is the SQLite file of another program; name another file', 2);
  const format = bytes.readUInt32BE(FORMAT_AT);
  if (format <= FORMAT) return;
  const remedy = 'run that version, or name another file';
  throw new StoreError(what, `a newer version of this service has made it (format ${format}); ${remedy}`, 2);
}

/** The number of a file on its disk; undefined where there is none. */
const fileNumber = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** Throws for a file that another process could open by another path: each path has a lock and a log of its own. */
function assertOneName(file: string, what: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.nlink > 1) {
    const cause = `it has ${found.nlink} names (hard links), and changes by one are lost for another`;
    throw new StoreError(what, `${cause}; leave it one name, and copy it where a copy is needed`, 2);
  }
  if (found.dev !== statSync(dirname(file)).dev) {
    const cause = 'it is mounted without its folder, where the newest changes are kept';
    throw new StoreError(what, `${cause}; mount the folder`, 2);
  }
}

function locked(path: string, what: string): Database {
  let lock: Database | undefined;
  try {
    lock = openDatabase(path, what);
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (resultCode(error) !== SQLITE.BUSY) throw openingFault(error, what);
    throw new StoreError(what, 'another process uses it; stop that one, or name another file', 1, error);
  }
}

function prepare(database: Database, what: string, synchronous: Synchronous, maxBytes: number | undefined): void {
  // A program that backs the file up, or changes it by hand, may lock it for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  const isNew = database.prepare('PRAGMA page_count').get()?.['page_count'] === 0;
  // One transaction: a file that a crash left half made is empty.
  if (isNew) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  const removed = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'removed'").get()?.['sql'];
  // An earlier version made it, whose versions of the list came back.
  if (!String(removed).includes('randomblob'))
    database.exec(`BEGIN IMMEDIATE; DROP TRIGGER IF EXISTS removed; ${REMOVED} COMMIT`);
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal') throw new StoreError(what, 'its file system keeps no write-ahead log; name a local file', 2);
  // Makes the log, and fails where another program holds the file.
  database.exec('BEGIN IMMEDIATE; SELECT version FROM list; ROLLBACK');
  // From now on nothing waits in the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  if (maxBytes === undefined) return;
  const pageSize = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
  database.exec(`PRAGMA max_page_count = ${Math.max(Math.floor(maxBytes / pageSize), 1)}`);
}

/** The primary result code of an error; undefined for an error that is none of SQLite. */
export function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** The `StoreError` for an error of the system or of SQLite. */
export function openingFault(error: unknown, what: string): unknown {
  if (error instanceof StoreError) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  const [cause, exitCode = 2] = openingCause(resultCode(error) ?? code, message);
  return new StoreError(what, cause, exitCode, error);
}

/** `code` is that of SQLite or of the system. */
function openingCause(code: number | string | undefined, message: string): readonly [cause: string, exitCode?: 1] {
  switch (code) {
    case SQLITE.CANNOT_OPEN:
    case SQLITE.READONLY:
    case 'EACCES':
    case 'EPERM':
      return ['this user may not write it; allow the user to write the file and its folder'];
    case 'EISDIR':
      return ['it is a folder; name a file'];
    case SQLITE.FULL:
      return ['the disk is full; make room', 1];
    case SQLITE.BUSY:
      return ['another program locks it; stop that one', 1];
    case SQLITE.CORRUPT:
    case SQLITE.NOT_A_DATABASE:
      return [`it is damaged (${message}); replace it by a backup`];
    case 'ERR_ACCESS_DENIED':
      return ['Node has no right to the file; start it with --allow-fs-read and --allow-fs-write of its folder'];
    default:
      return [`it cannot be opened (${message})`, 1];
  }
}
