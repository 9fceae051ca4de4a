/**
 * Checks a file before a store opens it, and explains each error in one line. Reads the file without SQLite, because
 * SQLite may write to a file that it opens.
 */
import { accessSync, closeSync, constants, existsSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../../extending.ts';
import { StoreError } from '../../plugins/collection/collection.ts';
import { headerOf, isIdentified, ownersOfLog } from './file-identity.ts';

// Declared here, because the project uses the types of Node 20, which has no SQLite.
export type SqlValue = string | number | null;
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number };
  get(...values: SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  all(...values: SqlValue[]): readonly Readonly<Record<string, SqlValue>>[];
  iterate(...values: SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
}
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
type NodeSqlite = { readonly DatabaseSync: new (path: string, options?: object) => Database };

/** The causes of errors, by the result code of SQLite (https://sqlite.org/rescode.html). */
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

/** The `application_id` in the header of a store's file: `todo` in ASCII. */
export const APPLICATION_ID = 0x746f646f;
export const FORMAT = 2;

type StoreFault = ConstructorParameters<typeof StoreError>[2];

/** Makes the error for a file that the store cannot use. */
export const fileError = (path: string, cause: string, fault?: StoreFault): StoreError =>
  new StoreError(`"${path}"`, cause, fault);

/** Throws a `StoreError` if the file cannot be opened. Misses some errors, because it neither creates nor writes it. */
export function assertStoreFile(path: string): void {
  try {
    usableFile(path);
    nodeSqlite(path);
  } catch (error) {
    throw storeError(error, path);
  }
}

/**
 * Resolves the links in a path. Throws a `StoreError` if the file is not a store. Throws the system's error if this
 * user may not write the file, its folder, or the files that SQLite creates beside it. SQLite would open such a file
 * read-only, and a lock file that is opened read-only locks nothing.
 */
export function usableFile(path: string): string {
  const file = realPath(path);
  hasList(file, path);
  accessSync(dirname(file), constants.W_OK | constants.X_OK);
  for (const end of ['', '-lock', '-id', '-wal', '-shm', '-journal'])
    if (existsSync(file + end)) accessSync(file + end, constants.R_OK | constants.W_OK);
  return file;
}

/** Resolves the links in a path, so that all processes lock the same file. */
export function realPath(path: string): string {
  try {
    // `existsSync` is not called first, because it returns false for a file that Node may not read.
    return realpathSync(path);
  } catch {
    // The file does not exist yet, but its folder does.
    const target = attempt(() => resolve(dirname(path), readlinkSync(path)), path);
    return join(realpathSync(dirname(target)), basename(target));
  }
}

export const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Returns the remedy of a message that asks the user to replace a file by a backup. */
export function restoring(path: string): string {
  const file = realPath(path);
  return `move "${file}", "${file}-wal" and "${file}-shm" away, and copy a backup to "${path}"`;
}

/**
 * Returns true if the file contains a list, false if the file is missing or empty. Throws a `StoreError` for a file of
 * another program or of another version of this service, and for a write-ahead log of another file. Also throws for a
 * pipe, which would block, and for a file with several paths: a hard link, or a file that is mounted without its folder.
 * SQLite would use a separate lock and write-ahead log for each path.
 */
export function hasList(file: string, path: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !(found.isFile() && found.nlink <= 1 && found.dev === statSync(dirname(file)).dev))
    throw fileError(
      path,
      'it is not a plain file, has hard links, or is mounted without its folder; name another file',
    );
  const size = found?.size ?? 0;
  const header = size > 0 ? readHeader(file) : Buffer.alloc(100);
  const isList = header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header.readUInt32BE(68) === APPLICATION_ID;
  if (size > 0 && !(isList && header.readUInt32BE(60) === FORMAT))
    throw fileError(path, 'it is not a list of this version of the service; name another file, or a new one');
  assertOwnLog(header, file, path);
  return size > 0;
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    return headerOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws a `StoreError` if the file has a log that may belong to another file. SQLite would apply it to this file. */
function assertOwnLog(header: Buffer, file: string, path: string): void {
  const logs = ['-wal', '-journal'].map((end) => file + end).filter((name) => sizeAt(name) > 0);
  if (logs.length === 0 || isIdentified(header, ownersOfLog(file))) return;
  const cause = `the log "${logs[0]}" does not belong to it, perhaps because it is a restored backup`;
  const remedy = `end other programs that have it open, and delete "${file}-wal", "${file}-shm" and "${file}-journal"`;
  throw fileError(path, `${cause}; put back "${file}" and "${file}-id", or ${remedy}`);
}

export function nodeSqlite(path: string): NodeSqlite {
  const { emitWarning } = process;
  // Hides the warning of Node that its SQLite module is experimental. A user of the service cannot act on it.
  process.emitWarning = () => {};
  const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  process.emitWarning = emitWarning;
  if (sqlite !== undefined) return sqlite;
  const cause = `Node ${process.versions.node} has no SQLite; run Node 22.13 or later, or use another store`;
  throw fileError(path, cause, { code: 'NO_SQLITE' });
}

/** Returns the first column of the first row. */
export const valueOf = (statement: Statement): SqlValue | undefined => Object.values(statement.get() ?? {})[0];

/** Runs a pragma and returns its value. */
export const pragma = (database: Database, text: string): SqlValue | undefined =>
  valueOf(database.prepare(`PRAGMA ${text}`));

/** Returns the cause of an SQLite error, or undefined for any other error. */
export function faultOf(error: unknown): (typeof FAULTS)[keyof typeof FAULTS] | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  // The lowest byte is the primary result code; the others give details.
  return typeof errcode === 'number' ? FAULTS[(errcode & 0xff) as keyof typeof FAULTS] : undefined;
}

/** Converts an error of the system or of SQLite to a `StoreError` with a message of one line for the user. */
export function storeError(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const explained = (text: string, more?: StoreFault): StoreError => fileError(path, text, { ...more, cause: error });
  const { message, code } = error as NodeJS.ErrnoException;
  switch (faultOf(error) ?? code) {
    case 'forbidden':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
      return explained(`${message}; create its folder, and let this user write the folder and the files "${path}*"`);
    case 'ERR_ACCESS_DENIED':
      return explained('Node has no permission for its folder; allow it with --allow-fs-read and --allow-fs-write');
    case 'damaged':
      return explained(`it is damaged (${message}); ${restoring(path)}`, { code: 'DAMAGED' });
    case 'full':
    case 'ENOSPC':
      return explained('the disk is full; free space on it', { isTemporary: true });
    case 'locked':
      return explained('another program locks it; stop that program', { isTemporary: true });
    default:
      return explained(`it cannot be opened (${message})`, { isTemporary: true });
  }
}
