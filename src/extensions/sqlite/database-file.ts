/**
 * Refuses a file that a store cannot use, and says in one line why. It reads the file without SQLite, which may write.
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
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../../core/log/thrown-value.ts';
import { StoreError } from '../collection/collection.ts';
import type { StoreFault } from '../collection/store-error.ts';

// The types of this project are those of Node 20, which has no SQLite.
export type SqlValue = string | number | null;
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  iterate(...values: SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
}
export interface Database {
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

/** Names this kind of file in its header: `todo` in ASCII. */
export const APPLICATION_ID = 0x746f646f;
export const FORMAT = 1;

/**
 * The least `schema_version` of a file that a service uses. A backup has another one, or is not in WAL mode: the backup
 * API of SQLite counts from the version of its target, and `VACUUM INTO` and `close` leave WAL mode.
 */
export const USED_VERSION = 0x746f646f;
/** That of a file of an earlier version of this service. */
const EARLIER_VERSION = 5;

/** The error for a file that has to be changed, or another one named, before a start can help. */
export const refusal = (path: string, cause: string, fault?: StoreFault): StoreError =>
  new StoreError(`"${path}"`, cause, fault);

/** Throws a `StoreError` for a file that cannot be opened, as far as can be told without making or writing one. */
export function assertStoreFile(path: string): void {
  try {
    usableFile(path);
    nodeSqlite(path);
  } catch (error) {
    throw storeError(error, path);
  }
}

/**
 * The file without links. Throws for a file that is not a store, and the error of the system where this user may not
 * write the file, what is beside it, or its folder: SQLite opens such a file for reading alone, and locks nothing with
 * such a lock.
 */
export function usableFile(path: string): string {
  const file = realPath(path);
  hasList(file, path);
  accessSync(dirname(file), constants.W_OK | constants.X_OK);
  for (const end of ['', '-lock', '-wal', '-shm', '-journal'])
    if (existsSync(file + end)) accessSync(file + end, constants.W_OK);
  return file;
}

/** Where a link leads, also one whose file is not there yet. */
const targetOf = (path: string): string => attempt(() => resolve(dirname(path), readlinkSync(path)), path);

/** The path without links, so that each process locks the same file. */
export function realPath(path: string): string {
  try {
    // Not asked first whether it exists: without the right to read it, Node says that it does not.
    return realpathSync(path);
  } catch {
    // A file that is to be created has a folder.
    const target = targetOf(path);
    return join(realpathSync(dirname(target)), basename(target));
  }
}

export const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The first 100 bytes of an open file, zeros if it is shorter. Their format: https://sqlite.org/fileformat.html. */
export function headerOf(descriptor: number): Buffer {
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, header.length, 0);
  return header;
}

/** Is the file with this header in use by a service? A backup is not. */
export function isUsed(header: Buffer): boolean {
  const version = header.readUInt32BE(40);
  return header[18] === 2 && (version >= USED_VERSION || version === EARLIER_VERSION);
}

/** How to put a backup in the place of a file, for messages. */
export function restoring(path: string): string {
  const file = realPath(path);
  return `move "${file}", "${file}-wal" and "${file}-shm" away, and copy a backup to "${path}"`;
}

/**
 * Is there a list? A file may be missing or empty. Throws for a file of another program, of a newer version of this
 * service, and for one that can be opened by another path: each path has a lock and a log of its own.
 */
export function hasList(file: string, path: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // To open a pipe would wait for ever.
  if (!found.isFile()) throw refusal(path, 'it is a folder, a pipe or a device; name a file');
  const descriptor = openSync(file, 'r');
  try {
    if (found.size > 0) assertOwn(headerOf(descriptor), found.size, file, path);
  } finally {
    closeSync(descriptor);
  }
  if (found.nlink > 1) {
    const cause = `it has ${found.nlink} names (hard links), and changes by one are lost for another`;
    throw refusal(path, `${cause}; leave it one name, and copy it where a copy is needed`);
  }
  if (found.dev !== statSync(dirname(file)).dev)
    throw refusal(path, 'it is mounted without its folder, where the newest changes are kept; mount the folder');
  return found.size > 0;
}

function assertOwn(header: Buffer, size: number, file: string, path: string): void {
  if (size < header.length || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw refusal(path, 'it is no SQLite file; name another, or one that does not exist yet');
  if (header.readUInt32BE(68) !== APPLICATION_ID)
    throw refusal(path, 'it is the SQLite file of another program; name another file');
  const format = header.readUInt32BE(60);
  if (format > FORMAT) {
    const remedy = 'run that version, or name another file';
    throw refusal(path, `a newer version of this service has made it (format ${format}); ${remedy}`);
  }
  if (!isUsed(header) && sizeAt(`${file}-wal`) > 0) {
    const cause = `the log "${file}-wal" does not belong to it, as after a backup was copied to its place`;
    throw refusal(path, `${cause}; delete "${file}-wal" and "${file}-shm"`);
  }
}

export function nodeSqlite(path: string): NodeSqlite {
  const { emitWarning } = process;
  // While the module is loaded, Node warns that it may change. A user of the service cannot act on that.
  process.emitWarning = () => {};
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  process.emitWarning = emitWarning;
  if (sqlite !== undefined) return sqlite;
  const cause = `Node ${process.versions.node} has no SQLite; run Node 22.13 or later, or take another store`;
  throw refusal(path, cause, { code: 'NO_SQLITE' });
}

/** What an error says of the file; undefined for an error that is none of SQLite, or none of a file. */
export function faultOf(error: unknown): (typeof FAULTS)[keyof typeof FAULTS] | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  // The lowest byte is the primary code.
  return typeof errcode === 'number' ? FAULTS[(errcode & 0xff) as keyof typeof FAULTS] : undefined;
}

/** The error of the system, of SQLite or of this file as one line for the user. */
export function storeError(error: unknown, path: string): StoreError {
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
