/**
 * Tells whether a write-ahead log belongs to a file.
 *
 * SQLite finds the log by its name and applies it to every file of that name, also to a backup that was copied over
 * `todo.db`. Neither file has a mark of the other. So each opening draws a number and writes it twice: into the header
 * of the file, as its `schema_version`, and into the file `todo.db-id`, which a copied backup does not replace.
 *
 * `todo.db-id` also has the change counter of the header, because a copy may have nearly the same number. `VACUUM INTO`
 * writes the number plus 1, as `CREATE INDEX` of another program does, but a copy counts its changes from 0.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, readSync, writeSync } from 'node:fs';
import { attempt } from '../../core/log/thrown-value.ts';
import { beginFile, SHARED } from './new-file.ts';

/** The number and the change counter in the header of a file (https://sqlite.org/fileformat.html#the_database_header). */
export interface Identity {
  readonly number: number;
  readonly changes: number;
}

/** The backup API of SQLite counts `schema_version` from 0, so no backup reaches this number. */
const MIN_NUMBER = 2 ** 24;
/** The most changes of the schema by other programs while a store has the file open. */
const MAX_SCHEMA_CHANGES = 2 ** 16;

/** Draws a number for `schema_version`, a signed number of 32 bits. */
export const newNumber = (): number => randomInt(MIN_NUMBER, 2 ** 31 - MAX_SCHEMA_CHANGES);

/** Returns the first 100 bytes of an open file, padded with zeros: the header. */
export function headerOf(descriptor: number): Buffer {
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, header.length, 0);
  return header;
}

/** Returns the identity of the file to which the log of `file` belongs; undefined if `FILE-id` does not tell it. */
export function ownerOfLog(file: string): Identity | undefined {
  const text = attempt(() => readFileSync(`${file}-id`, 'latin1'), '');
  const [, number, changes] = /^(\d+) (\d+)\n$/.exec(text) ?? [];
  return number === undefined ? undefined : { number: Number(number), changes: Number(changes) };
}

/** Returns true if the header is the one of this identity, or a later state of it. */
export function isIdentified(header: Buffer, { number, changes }: Identity): boolean {
  const schemaChanges = header.readUInt32BE(40) - number;
  return schemaChanges >= 0 && schemaChanges < MAX_SCHEMA_CHANGES && header.readUInt32BE(24) >= changes;
}

/** Stores and returns the identity in the header. The log must be empty, or belong to this identity already. */
export function storeIdentity(file: string, header: Buffer): Identity {
  const identity = { number: header.readUInt32BE(40), changes: header.readUInt32BE(24) };
  const stored = beginFile(file, '-id', SHARED);
  writeSync(stored.descriptor, `${identity.number} ${identity.changes}\n`);
  stored.publish();
  return identity;
}
