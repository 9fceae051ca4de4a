/**
 * Creates, opens, locks and closes the SQLite file of a store.
 *
 * The lock is an open transaction on a second file, such as `todo.db-lock`. The system releases the lock when the
 * process ends, even if the process is killed. The file of the store is locked only during a change, so other programs
 * can read it and back it up.
 */
import { closeSync, constants, ftruncateSync, lstatSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../extending.ts';
import {
  APPLICATION_ID,
  type Database,
  FORMAT,
  faultOf,
  fileError,
  nodeSqlite,
  pragma,
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
import { ItemTable, TABLE } from './item-table.ts';
import { beginFile, createBeside, type NewFile, SHARED } from './new-file.ts';

/**
 * The size to which SQLite truncates the write-ahead log after a checkpoint, in bytes. SQLite runs a checkpoint at
 * about this size. The write-ahead log grows beyond this size only while another program reads the file.
 */
const MAX_WAL = 4 * 2 ** 20;

/** Moves the log into the file and empties it. The first column of the result is 0 if no other program prevents it. */
const CHECKPOINT = 'wal_checkpoint(TRUNCATE)';

/** `full`: a power failure loses no confirmed change. `normal`: it may lose the last changes. */
export type Synchronous = 'full' | 'normal';

export type StoreFile = ReturnType<typeof openStoreFile>;

/**
 * Opens a file, and locks it against other processes of this service. `maxBytes` limits the size of the file together
 * with its write-ahead log. Throws a `StoreError` with the cause and the remedy if the file cannot be used.
 */
export function openStoreFile(path: string, synchronous: Synchronous, maxBytes = Number.POSITIVE_INFINITY) {
  const open: { close(): void }[] = [];
  const closeAll = (): void => {
    for (const one of open.splice(0).reverse()) one.close();
  };
  const descriptorOf = (name: string, flags: number): number => {
    const descriptor = openSync(name, flags);
    open.push({ close: () => closeSync(descriptor) });
    return descriptor;
  };
  try {
    const file = usableFile(path);
    const wal = `${file}-wal`;
    const { DatabaseSync } = nodeSqlite(path);
    open.push(lock(file, path, SHARED));
    const isNew = sizeAt(file) === 0;
    if (isNew) createStore(file, path);
    // Opened before the database and closed after it, because closing it releases the locks of SQLite on the file.
    const header = descriptorOf(file, constants.O_RDONLY);
    // Without defensive mode, because SQLite then ignores changes of `schema_version`.
    const database = new DatabaseSync(file, { defensive: false });
    open.push(database);
    const identity = prepare(database, header, file, path);
    const log = descriptorOf(wal, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    setLimits(database, synchronous, maxBytes);
    const items = new ItemTable(database);
    const inode = (name: string) => lstatSync(name, { throwIfNoEntry: false })?.ino;
    const [fileInode, logInode] = [inode(file), inode(wal)];
    const bytes = (): number => sizeAt(file) + sizeAt(wal);
    const isIntact = (): boolean => isIdentified(headerOf(header), identity);
    const isInPlace = (): boolean => inode(file) === fileInode && inode(wal) === logInode && isIntact();
    return {
      database,
      items,
      /** True if the file was missing or empty. */
      isNew,
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
        if (isIntact()) {
          // So that a copy of the closed file is a valid backup.
          attempt(() => pragma(database, CHECKPOINT), undefined);
          // If the file was moved, another file may have its name now, and SQLite would delete the log of that file.
          if (isInPlace()) attempt(() => pragma(database, 'journal_mode = MEMORY'), undefined);
        }
        // A backup was copied over the file. SQLite would write the log into the backup.
        else ftruncateSync(log);
        closeAll();
      },
    };
  } catch (error) {
    closeAll();
    throw storeError(error, path);
  }
}

/**
 * Locks the file against other processes of this service, until the returned lock is closed. `mode` is the mode of a
 * new lock file, if the file does not exist.
 */
export function lock(file: string, path: string, mode: number): Database {
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
export function newStore({ path: place }: NewFile, path: string): Database {
  const database = new (nodeSqlite(path).DatabaseSync)(place);
  database.exec(`PRAGMA journal_mode = MEMORY; BEGIN; ${TABLE}`);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}; COMMIT`);
  return database;
}

/** Begins the write-ahead log, and gives the file a new identity. */
function prepare(database: Database, descriptor: number, file: string, path: string): readonly Identity[] {
  const former = identityIn(headerOf(descriptor));
  const next = { number: newNumber(), changes: former.changes };
  // Before the first change, so that the log of a killed start belongs to the file.
  storeIdentities(file, former, next);
  // A backup program or a manual change may lock the file for a moment.
  database.exec('PRAGMA busy_timeout = 500');
  if (pragma(database, 'journal_mode = WAL') !== 'wal')
    throw fileError(path, 'its file system does not support a write-ahead log; name a local file');
  database.exec(`PRAGMA schema_version = ${next.number}`);
  // Otherwise another program is reading the file, which keeps its former identity.
  if (pragma(database, CHECKPOINT) === 0) storeIdentities(file, identityIn(headerOf(descriptor)));
  return ownersOfLog(file);
}

function setLimits(database: Database, synchronous: Synchronous, maxBytes: number): void {
  // Without a busy timeout, because the service runs from now on and a wait would block the event loop.
  database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 0`);
  database.exec(`PRAGMA journal_size_limit = ${MAX_WAL}`);
  limitPages(database, maxBytes);
}

export function limitPages(database: Database, maxBytes: number): void {
  if (maxBytes === Number.POSITIVE_INFINITY) return;
  const pages = Math.max(Math.floor(maxBytes / Number(pragma(database, 'page_size'))), 1);
  database.exec(`PRAGMA max_page_count = ${pages}`);
}
