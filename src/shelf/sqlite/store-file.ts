/**
 * Creates, opens and locks the SQLite file of a store, reads its items page by page, and copies them.
 *
 * The lock is an open transaction on a second file, such as `todo.db-lock`. The system releases the lock when the
 * process ends, even if the process is killed. The file of the store is locked only during a change, so other programs
 * can read it and back it up.
 */
import { closeSync, lstatSync, openSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { logWarning } from '../../core/log/log-line.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import {
  type CopiedItem,
  itemsOf,
  type Page,
  type Position,
  pageSize,
  versionMaker,
} from '../../plugins/collection/lasting-store.ts';
import {
  APPLICATION_ID,
  type Database,
  FORMAT,
  faultOf,
  fileError,
  hasList,
  nodeSqlite,
  realPath,
  type SqlValue,
  type Statement,
  sizeAt,
  storeError,
  usableFile,
} from './database-file.ts';
import {
  headerOf,
  type Identity,
  identityIn,
  isIdentified,
  newNumber,
  ownersOfLog,
  setChanges,
  storeIdentities,
} from './file-identity.ts';
import { asOwner, beginFile, createBeside, emptyFile, type NewFile, PRIVATE, SHARED } from './new-file.ts';

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
  const closeAll = (): void => {
    for (const database of open.splice(0).reverse()) database.close();
    // Closed after the database, because closing any descriptor of the file releases SQLite's locks on the file.
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  try {
    const file = usableFile(path);
    const { DatabaseSync } = nodeSqlite(path);
    open.push(lock(file, path, SHARED));
    if (sizeAt(file) === 0) createStore(file, path);
    // Without defensive mode, because SQLite then ignores changes of `schema_version`.
    const database = new DatabaseSync(file, { defensive: false });
    open.push(database);
    const openDescriptor = (descriptor = openSync(file, 'r'));
    const identity = prepare(database, openDescriptor, file, path);
    setLimits(database, synchronous, maxBytes);
    const wal = `${file}-wal`;
    const inode = (name: string) => lstatSync(name, { throwIfNoEntry: false })?.ino;
    const [fileInode, logInode] = [inode(file), inode(wal)];
    const bytes = (): number => sizeAt(file) + sizeAt(wal);
    const isIntact = (): boolean => isIdentified(headerOf(openDescriptor), identity);
    const isInPlace = (): boolean => inode(file) === fileInode && inode(wal) === logInode && isIntact();
    return {
      database,
      statements: preparedOn(database),
      /** Returns false if the file or its write-ahead log has been replaced, because a change would then be lost. */
      isInPlace,
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
        pragma(database, CHECKPOINT);
        // If the log is empty, SQLite itself limits the file (`max_page_count`), and can still remove items.
        return bytes() <= maxBytes || sizeAt(wal) === 0;
      },
      close() {
        if (open.length === 0) return;
        if (isInPlace()) endLog(database, file);
        // The file was moved. SQLite writes the log to it, but deletes no file, because another file may have its name.
        else if (isIntact()) attempt(() => pragma(database, CHECKPOINT), undefined);
        // A backup was copied over the file. SQLite would write the old write-ahead log into the backup.
        else if (inode(wal) === logInode) emptyFile(wal);
        else abandoned.push(open.pop()!);
        closeAll();
      },
    };
  } catch (error) {
    closeAll();
    throw storeError(error, path);
  }
}

/** The open files that were overwritten, and whose logs were moved. They stay open until the process ends. */
const abandoned: Database[] = [];

/**
 * Locks the file against other processes of this service, until the returned lock is closed. `mode` is the mode of a
 * new lock file, if the file does not exist.
 */
function lock(file: string, path: string, mode: number): Database {
  const name = `${file}-lock`;
  const found = lstatSync(name, { throwIfNoEntry: false });
  if (found === undefined) closeSync(createBeside(file, '-lock', mode));
  // SQLite would follow a link, and create a file of this user at its end.
  else if (!found.isFile()) throw fileError(path, `"${name}" is a link or a folder; delete it`);
  const database = new (nodeSqlite(path).DatabaseSync)(name);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (faultOf(error) !== 'locked') throw error;
    throw fileError(path, 'another process uses it; stop that process, or name another file', {
      isTemporary: true,
      cause: error,
    });
  }
}

/** Creates the file of an empty store in one step. */
function createStore(file: string, path: string): void {
  const created = beginFile(file, '', SHARED);
  try {
    newStore(created, path).close();
    setChanges(created.descriptor);
    created.publish();
  } catch (error) {
    created.discard();
    throw error;
  }
}

/** Opens a new file and creates its tables. Needs no journal file, because an incomplete file is never published. */
function newStore({ path: place }: NewFile, path: string): Database {
  const database = new (nodeSqlite(path).DatabaseSync)(place);
  database.exec(`PRAGMA journal_mode = MEMORY; BEGIN; ${SCHEMA} COMMIT`);
  return database;
}

/** Moves the log into the file and empties it. The first column of the result is 0 if no other program prevents it. */
const CHECKPOINT = 'wal_checkpoint(TRUNCATE)';

const pragma = (database: Database, name: string): SqlValue | undefined =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

/** Gives the file a new identity, and begins its write-ahead log. */
function prepare(database: Database, descriptor: number, file: string, path: string): readonly Identity[] {
  // A backup program or a manual change may lock the file for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  try {
    // Moves an older write-ahead log into the file. The journal of the next change is in memory, because a killed
    // process would leave a journal file, which SQLite applies to a restored backup. The changed bytes of the header
    // are in one sector of the disk.
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA schema_version = ${newNumber()}`);
    storeIdentities(file, identityIn(headerOf(descriptor)));
  } catch (error) {
    if (faultOf(error) !== 'locked' || pragma(database, 'journal_mode') !== 'wal') throw error;
    if (!isIdentified(headerOf(descriptor), ownersOfLog(file))) throw error;
    renewThroughLog(database, descriptor, file);
  }
  if (pragma(database, 'journal_mode = WAL') !== 'wal')
    throw fileError(path, 'its file system does not support a write-ahead log; name a local file');
  // Creates the write-ahead log. Throws if another program locks the file.
  database.exec('BEGIN IMMEDIATE; SELECT version FROM list; ROLLBACK');
  return ownersOfLog(file);
}

/** Gives a new identity to a file that another program has open. SQLite then cannot leave WAL mode. */
function renewThroughLog(database: Database, descriptor: number, file: string): void {
  const former = identityIn(headerOf(descriptor));
  const next = { number: newNumber(), changes: former.changes };
  storeIdentities(file, former, next);
  database.exec(`PRAGMA schema_version = ${next.number}`);
  if (pragma(database, CHECKPOINT) === 0) return storeIdentities(file, next);
  const cause = 'another program is reading the file, so the file keeps its identity';
  logWarning(`Do not restore a copy of "${file}" that was made before this start: ${cause}`);
}

function setLimits(database: Database, synchronous: Synchronous, maxBytes: number): void {
  // Without a busy timeout, because the service runs from now on and a wait would block the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  database.exec(`PRAGMA journal_size_limit = ${MAX_WAL}`);
  limitPages(database, maxBytes);
}

function limitPages(database: Database, maxBytes: number): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return;
  const pages = Math.max(Math.floor(maxBytes / Number(pragma(database, 'page_size'))), 1);
  database.exec(`PRAGMA max_page_count = ${pages}`);
}

/** Moves the write-ahead log into the file, so that a copy of the closed file is a valid backup. */
function endLog(database: Database, file: string): void {
  try {
    database.exec('PRAGMA journal_mode = MEMORY');
  } catch {
    // Another program has the file open. The log can still be moved, unless that program is reading.
    if (attempt(() => pragma(database, CHECKPOINT), 1) === 0) return;
    const cause = `another program is reading the file, so its newest changes are still in "${file}-wal"`;
    logWarning(`A copy of "${file}" alone would not be a backup: ${cause}`);
  }
}

/** Returns the number of items. */
export const sizeOf = ({ state }: Statements): number => Number(state.get()!['items']);

/** Returns the page after the position `after`, or undefined if the list still has the version `known`. */
export function pageOf({ state, page }: Statements, after?: Position, known?: string): Page | undefined {
  const version = String(state.get()!['version']);
  if (version === known) return undefined;
  const size = pageSize(after);
  const items: CopiedItem[] = [];
  let last = Number(after ?? 0);
  let characters = 0;
  // Reads row by row, and stops at the limit of characters, so that long texts do not fill the memory.
  for (const { position, key, value } of page.iterate(last, size.items)) {
    items.push({ key: String(key), value: String(value) });
    last = Number(position);
    characters += String(value).length;
    if (characters >= size.characters) break;
  }
  const isEnd = items.length < size.items && characters < size.characters;
  return { items, version: isEnd ? version : undefined, last, isEnd };
}

/**
 * Yields the stored items of a file from one consistent snapshot, while a service may keep changing the file. Changes
 * no byte of the file. Throws a `StoreError` if the file does not contain a list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  let database: Database | undefined;
  try {
    const file = realPath(path);
    if (!hasList(file, path)) throw fileError(path, 'it does not contain a list; name the file with the items');
    const { DatabaseSync } = nodeSqlite(path);
    database = new DatabaseSync(file, { readOnly: true });
    database.exec('PRAGMA busy_timeout = 500; BEGIN');
    const statements = preparedOn(database);
    yield* itemsOf({ page: (after) => pageOf(statements, after) });
  } catch (error) {
    throw storeError(error, path);
  } finally {
    database?.close();
  }
}

/**
 * Copies items to a file that is missing, or has no items, and resolves to their number. Writes a new file beside it,
 * and replaces the file in one step. Rejects with a `StoreError` if the file has items, or if the copy would have more
 * than `maxItems` items or `maxBytes` bytes. If the copy is refused, fails or is killed, the file is unchanged. The
 * superuser copies with the rights of the owner of the file or of its folder.
 */
export async function fillFile(
  path: string,
  {
    maxItems,
    maxBytes = Number.POSITIVE_INFINITY,
  }: { readonly maxItems: number; readonly maxBytes: number | undefined },
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  try {
    const file = usableFile(path);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw fileError(path, `it is a symbolic link; name the file "${file}" instead`);
    return await asOwner(file, () => replaceFile(file, path, maxItems, maxBytes, items));
  } catch (error) {
    throw storeError(error, path);
  }
}

async function replaceFile(
  file: string,
  path: string,
  maxItems: number,
  maxBytes: number,
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const open = [lock(file, path, PRIVATE)];
  let copy: NewFile | undefined;
  try {
    if (await hasItems(file, path)) throw fileError(path, 'it already has items; name an empty store');
    copy = beginFile(file, '', PRIVATE);
    const database = newStore(copy, path);
    open.push(database);
    limitPages(database, maxBytes);
    const count = await addAll(database, path, maxItems, items);
    open.pop()!.close();
    setChanges(copy.descriptor);
    copy.publish();
    copy = undefined;
    // They belong to the empty store that the copy has replaced. If one remains, the next start names it.
    for (const end of ['-wal', '-shm', '-id', '-journal'])
      attempt(() => rmSync(file + end, { force: true }), undefined);
    return count;
  } finally {
    for (const database of open.reverse()) database.close();
    copy?.discard();
  }
}

async function hasItems(file: string, path: string): Promise<boolean> {
  if (sizeAt(file) === 0) return false;
  for await (const _ of itemsOfFile(path)) return true;
  return false;
}

/** Adds the items in one transaction, and resolves to their number. Rejects with a `StoreError` above `maxItems`. */
async function addAll(
  database: Database,
  path: string,
  maxItems: number,
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const { add } = preparedOn(database);
  const newVersion = versionMaker();
  let count = 0;
  database.exec('BEGIN');
  for await (const { key, value } of items) {
    if (count++ >= maxItems)
      throw fileError(path, `it is limited to ${maxItems} items; raise maxItems`, { code: 'TOO_MANY_ITEMS' });
    add.run(key, value, newVersion(), Number.MAX_SAFE_INTEGER);
  }
  // Marks the list as seeded even if no item was copied, so that the service does not add its first item.
  database.exec('UPDATE list SET seeded = 1; COMMIT');
  return count;
}
