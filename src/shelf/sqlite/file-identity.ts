/**
 * Tells whether a write-ahead log belongs to a file.
 *
 * SQLite finds the log by its name and applies it to every file of that name, also to a backup that was copied over
 * `todo.db`. Neither file has a mark of the other. So each opening draws a number and writes it twice: into the header
 * of the file, as its `schema_version`, and into the file `todo.db-id`, which a copied backup does not replace.
 *
 * `todo.db-id` also has the change counter of the header, because a copy may have nearly the same number: `VACUUM INTO`
 * adds 1 to it, as `CREATE INDEX` of another program does. The counter of a new file begins with a large random number,
 * and SQLite begins the counter of a copy with 1.
 */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, readSync, writeSync } from 'node:fs';
import { beginFile, SHARED } from './new-file.ts';

/** The number and the change counter in the header of a file (https://sqlite.org/fileformat.html#the_database_header). */
export interface Identity {
  readonly number: number;
  readonly changes: number;
}

/** SQLite counts the `schema_version` and the changes of a backup from 0, so no backup reaches this number. */
const MIN_NUMBER = 2 ** 24;
/** The most changes of the schema by other programs while a store has the file open. */
const MAX_SCHEMA_CHANGES = 2 ** 16;

/** Draws a number for `schema_version`, a signed number of 32 bits, or for the change counter. */
export const newNumber = (): number => randomInt(MIN_NUMBER, 2 ** 31 - MAX_SCHEMA_CHANGES);

/** Returns the first 100 bytes of an open file, padded with zeros: the header. */
export function headerOf(descriptor: number): Buffer {
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, header.length, 0);
  return header;
}

/** Sets the change counter of a new file, which is closed, to a random number (bytes 24 and 92). */
export function setChanges(descriptor: number): void {
  const changes = Buffer.alloc(4);
  changes.writeUInt32BE(newNumber());
  for (const position of [24, 92]) writeSync(descriptor, changes, 0, changes.length, position);
}

/** Returns the identities of the file to which the log of `file` belongs; an empty list if `FILE-id` is missing. */
export function ownersOfLog(file: string): Identity[] {
  const text = existsSync(`${file}-id`) ? readFileSync(`${file}-id`, 'latin1') : '';
  return [...text.matchAll(/^(\d+) (\d+)\b.*\n/gm)].map(([, number, changes]) => ({
    number: Number(number),
    changes: Number(changes),
  }));
}

/** Stores the identities that the header of a file has, or will have when its log is moved into the file. */
export function storeIdentities(file: string, ...identities: readonly Identity[]): void {
  const stored = beginFile(file, '-id', SHARED);
  writeSync(stored.descriptor, identities.map(({ number, changes }) => `${number} ${changes}\n`).join(''));
  stored.publish();
}

export const identityIn = (header: Buffer): Identity => ({
  number: header.readUInt32BE(40),
  changes: header.readUInt32BE(24),
});

/** Returns true if the header has one of the identities, perhaps with later changes. */
export const isIdentified = (header: Buffer, identities: readonly Identity[]): boolean =>
  identities.some(({ number, changes }) => {
    const found = identityIn(header);
    const schemaChanges = found.number - number;
    return schemaChanges >= 0 && schemaChanges < MAX_SCHEMA_CHANGES && found.changes >= changes;
  });
