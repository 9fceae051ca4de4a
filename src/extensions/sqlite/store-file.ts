/**
 * Opens the SQLite file of a store: locks it for this process, refuses what is not its own, creates what is missing.
 *
 * The lock is a transaction in a file beside it, `todo.db-lock`. The system ends it with the process, however that
 * ends. Other programs can still read the file and back it up.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statfsSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../../core/log/thrown-value.ts';
import { StoreError } from '../collection/collection.ts';
import {
  type CopiedItem,
  itemsOf,
  type Page,
  type Position,
  pageSize,
  versionMaker,
} from '../collection/lasting-store.ts';
import type { StoreFault } from '../collection/store-error.ts';

// The types of this project are those of Node 20, which has no SQLite.
type SqlValue = string | number | null;
type Row = Readonly<Record<string, SqlValue>>;
interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  iterate(...values: SqlValue[]): Iterable<Row>;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
type NodeSqlite = { readonly DatabaseSync: new (path: string, options?: object) => Database };

/** What an error of SQLite says of the file, by its result code (https://sqlite.org/rescode.html). */
const FAULTS = {
  5: 'locked',
  6: 'locked',
  8: 'forbidden',
  10: 'unreadable',
  11: 'damaged',
  13: 'full',
  14: 'forbidden',
  26: 'damaged',
} as const;

/**
 * SQLite cuts the log to so many bytes once its changes are in the file. It writes them there when the log has about
 * this size; the log grows longer only while another program reads the file.
 */
const MAX_LOG = 4 * 2 ** 20;

/** What is kept of a power failure: each change that was answered, or a state that was, some changes ago. */
export type Synchronous = 'full' | 'normal';

/** Names this kind of file in its header: `todo` in ASCII. */
const APPLICATION_ID = 0x746f646f;
const FORMAT = 1;

/**
 * The least `schema_version` of a file that a service uses. A backup has another one, or is not in WAL mode: the backup
 * API of SQLite counts from the version of its target, and `VACUUM INTO` and `close` leave WAL mode.
 */
const USED_VERSION = 0x746f646f;
/** That of a file of an earlier version of this service. */
const EARLIER_VERSION = 5;

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

/** An open file that no other process of this service can open. */
export interface StoreFile {
  readonly database: Database;
  readonly statements: Statements;
  /** Are the file and its log still at their paths, and no backup in their place? Otherwise a change would be lost. */
  isThere(): boolean;
  /** Bytes of the file and its log. */
  bytes(): number;
  /** Most bytes of both: `maxBytes`, or what the disk has room for if that is less. */
  limit(): number;
  /** Is there room for a change? Empties the log if both exceed `maxBytes`, unless another program reads the file. */
  hasRoom(): boolean;
  close(): void;
}

/** `maxBytes` limits the file with its log. Throws a `StoreError` that names the cause and the remedy. */
export function openStoreFile(path: string, synchronous: Synchronous, maxBytes = Number.POSITIVE_INFINITY): StoreFile {
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
    const file = realPath(path);
    assertOwn(file, path);
    assertWritable(file);
    const { DatabaseSync } = nodeSqlite(path);
    open.push(new DatabaseSync(`${file}-lock`));
    lock(open[0]!, path);
    // In defensive mode, SQLite does not change `schema_version`.
    const database = new DatabaseSync(file, { defensive: false });
    open.push(database);
    prepare(database, path, synchronous, maxBytes);
    const log = `${file}-wal`;
    const inodes = (): string => [inode(file), inode(log)].join();
    const opened = inodes();
    const used = (descriptor = openSync(file, 'r'));
    const bytes = (): number => sizeAt(file) + sizeAt(log);
    return {
      database,
      statements: preparedOn(database),
      isThere: () => inodes() === opened && isUsed(headerOf(used)),
      bytes,
      limit() {
        const { bavail, bsize } = statfsSync(dirname(file));
        return Math.min(maxBytes, bytes() + bavail * bsize);
      },
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

/** Throws a `StoreError` for a file that cannot be opened, as far as can be told without making or writing one. */
export function assertStoreFile(path: string): void {
  try {
    const file = realPath(path);
    assertOwn(file, path);
    assertWritable(file);
    nodeSqlite(path);
  } catch (error) {
    throw storeError(error, path);
  }
}

/** The error for a file that has to be changed, or another one named, before a start can help. */
const refusal = (path: string, cause: string, fault?: StoreFault): StoreError =>
  new StoreError(`"${path}"`, cause, fault);

/**
 * Throws the error of the system where this user may not write the file, what is beside it, or its folder. SQLite opens
 * such a file for reading alone, and locks nothing with such a lock.
 */
function assertWritable(file: string): void {
  accessSync(dirname(file), constants.W_OK | constants.X_OK);
  for (const end of ['', '-lock', '-wal', '-shm', '-journal'])
    if (existsSync(file + end)) accessSync(file + end, constants.W_OK);
}

/** Where a link leads, also one whose file is not there yet. */
const targetOf = (path: string): string => attempt(() => resolve(dirname(path), readlinkSync(path)), path);

/** The path without links, so that each process locks the same file. */
function realPath(path: string): string {
  try {
    // Not asked first whether it exists: without the right to read it, Node says that it does not.
    return realpathSync(path);
  } catch {
    // A file that is to be created has a folder.
    const target = targetOf(path);
    return join(realpathSync(dirname(target)), basename(target));
  }
}

const inode = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The first 100 bytes of an open file, zeros if it is shorter. Their format: https://sqlite.org/fileformat.html. */
function headerOf(descriptor: number): Buffer {
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, header.length, 0);
  return header;
}

/** Is the file with this header in use by a service? A backup is not. */
function isUsed(header: Buffer): boolean {
  const version = header.readUInt32BE(40);
  return header[18] === 2 && (version >= USED_VERSION || version === EARLIER_VERSION);
}

/** How to put a backup in the place of a file, for messages. */
export function restoring(path: string): string {
  const file = realPath(path);
  return `move "${file}", "${file}-wal" and "${file}-shm" away, and copy a backup to "${path}"`;
}

/**
 * Throws for a file of another program, of a newer version of this service, and for one that can be opened by another
 * path: each path has a lock and a log of its own. Returns whether there is a list: a file may be missing or empty. It
 * is read without SQLite, which may write.
 */
function assertOwn(file: string, path: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // To open a pipe would wait for ever.
  if (!found.isFile()) throw refusal(path, 'it is a folder, a pipe or a device; name a file');
  const { size } = found;
  const descriptor = openSync(file, 'r');
  let header: Buffer;
  try {
    header = headerOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const format = header.readUInt32BE(60);
  if (size > 0 && (size < header.length || header.toString('latin1', 0, 16) !== 'SQLite format 3\0'))
    throw refusal(path, 'it is no SQLite file; name another, or one that does not exist yet');
  if (size > 0 && header.readUInt32BE(68) !== APPLICATION_ID)
    throw refusal(path, 'it is the SQLite file of another program; name another file');
  if (format > FORMAT) {
    const remedy = 'run that version, or name another file';
    throw refusal(path, `a newer version of this service has made it (format ${format}); ${remedy}`);
  }
  if (size > 0 && !isUsed(header) && sizeAt(`${file}-wal`) > 0) {
    const cause = `the log "${file}-wal" does not belong to it, as after a backup was copied to its place`;
    throw refusal(path, `${cause}; delete "${file}-wal" and "${file}-shm"`);
  }
  if (found.nlink > 1) {
    const cause = `it has ${found.nlink} names (hard links), and changes by one are lost for another`;
    throw refusal(path, `${cause}; leave it one name, and copy it where a copy is needed`);
  }
  if (found.dev !== statSync(dirname(file)).dev)
    throw refusal(path, 'it is mounted without its folder, where the newest changes are kept; mount the folder');
  return size > 0;
}

function nodeSqlite(path: string): NodeSqlite {
  const { emitWarning } = process;
  // While the module is loaded, Node warns that it may change. A user of the service cannot act on that.
  process.emitWarning = () => {};
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  process.emitWarning = emitWarning;
  if (sqlite !== undefined) return sqlite;
  const cause = `Node ${process.versions.node} has no SQLite; run Node 22.13 or later, or take another store`;
  throw refusal(path, cause, { code: 'NO_SQLITE' });
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

/** What an error says of the file; undefined for an error that is none of SQLite, or none of a file. */
export function faultOf(error: unknown): (typeof FAULTS)[keyof typeof FAULTS] | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  // The lowest byte is the primary code.
  return typeof errcode === 'number' ? FAULTS[(errcode & 0xff) as keyof typeof FAULTS] : undefined;
}

/** The error of the system, of SQLite or of this file as one line for the user. */
function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const refused = (fault: string, more?: StoreFault): StoreError => refusal(path, fault, { ...more, cause: error });
  const { message, code } = error as NodeJS.ErrnoException;
  switch (faultOf(error) ?? code) {
    case 'forbidden':
    case 'EACCES':
    case 'EPERM':
      return refused('this user may not write it; allow the user to write the file and its folder');
    case 'EROFS':
      return refused('its file system cannot be written; mount it for writing, or name another file');
    case 'ERR_ACCESS_DENIED':
      return refused('Node has no right to the file; start it with --allow-fs-read and --allow-fs-write of its folder');
    case 'ENOENT':
    case 'ENOTDIR':
      return refused(`there is no folder "${dirname(targetOf(path))}"; create it, or name another file`);
    case 'damaged':
      return refused(`it is damaged (${message}); ${restoring(path)}`, { code: 'DAMAGED' });
    case 'full':
      return refused('the disk is full; make room', { isTemporary: true });
    case 'locked':
      return refused('another program locks it; stop that one', { isTemporary: true });
    default:
      return refused(`it cannot be opened (${message})`, { isTemporary: true });
  }
}

/**
 * The items of a file as they are stored, all of one moment: a service may go on with it. Throws a `StoreError` for a
 * file that has no list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  let database: Database | undefined;
  try {
    const file = realPath(path);
    if (!assertOwn(file, path)) throw refusal(path, 'there is no list; name the file that has the items');
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
