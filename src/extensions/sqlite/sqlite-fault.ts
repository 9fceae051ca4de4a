/** Turns the errors of SQLite into what a client is told, by their result codes (https://sqlite.org/rescode.html). */
import type { HttpProblem } from '../../index.ts';
import { type StoreState, unreachable } from '../collection/collection.ts';

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

/** Does another program hold the file? */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/**
 * What to throw for an error of a statement: what `full` makes for a full disk, 503 for a file that cannot be used now.
 * The state of the store follows.
 */
export function sqliteFault(error: unknown, state: StoreState, full: (detail: string) => Error): unknown {
  const { message } = error as Error;
  switch (resultCode(error)) {
    case FULL:
      state.full(message);
      return full('The disk of the store is full, or its file has reached its limit');
    case BUSY:
    case LOCKED:
      state.lost('another program locks it');
      return unreachable('Another program is changing the store', 1);
    case CORRUPT:
    case NOT_A_DATABASE:
      state.damaged(`it is damaged (${message}); replace it by a backup, and start again`);
      return unusable();
    case IO_ERROR:
    case CANNOT_OPEN:
    case READONLY:
      state.lost(message);
      return unusable();
    default:
      return error;
  }
}

/** A 503 for a file that is damaged, gone, or not to be read or written. */
export const unusable = (): HttpProblem => unreachable('The store cannot be read or written now', 5);
