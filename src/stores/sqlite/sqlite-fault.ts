/** Turns the errors of SQLite into what a client is told, by their result codes (https://sqlite.org/rescode.html). */
import { CollectionFull } from '../../api/collection/collection-full.ts';
import { logWarning } from '../../log/log-line.ts';
import { unreachable } from '../store-problems.ts';

export const BUSY = 5;
export const READONLY = 8;
export const CORRUPT = 11;
const LOCKED = 6;
const IO_ERROR = 10;
export const FULL = 13;
export const CANNOT_OPEN = 14;
export const NOT_A_DATABASE = 26;
const CONSTRAINT_UNIQUE = 2067;

/** The primary result code of an error; undefined for an error that is none of SQLite. */
export function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

export const isDuplicate = (error: unknown): boolean =>
  (error as { readonly errcode?: unknown }).errcode === CONSTRAINT_UNIQUE;

/** What to throw for an error of a statement: 507 for a full disk, 503 for a file that cannot be reached now. */
export function sqliteFault(error: unknown): unknown {
  const code = resultCode(error);
  if (code === FULL) return new CollectionFull('The disk of the store is full, or its file has reached its limit');
  if (code === BUSY || code === LOCKED) return unreachable('Another program is changing the store', 1);
  if (code !== IO_ERROR && code !== CANNOT_OPEN && code !== READONLY) return error;
  logWarning(`The file of the store cannot be read or written: ${(error as Error).message}`);
  return unreachable('The store cannot be read or written now', 5);
}
