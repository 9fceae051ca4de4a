/** Copies the items of a list to a file, and from a file. */
import { lstatSync, rmSync } from 'node:fs';
import { attempt } from '../../extending.ts';
import { type CopiedItem, versionMaker } from '../../plugins/collection/lasting-store.ts';
import {
  type Database,
  fileError,
  hasList,
  nodeSqlite,
  realPath,
  sizeAt,
  storeError,
  usableFile,
} from './database-file.ts';
import { setChanges } from './file-identity.ts';
import { ADD } from './item-table.ts';
import { asOwner, beginFile, PRIVATE } from './new-file.ts';
import { limitPages, lock, newStore } from './store-file.ts';

/**
 * Yields the stored items of a file from one consistent snapshot, while a service may keep changing the file. Changes
 * no byte of the file. Throws a `StoreError` if the file does not contain a list.
 */
export async function* itemsOfFile(path: string): AsyncGenerator<CopiedItem, void> {
  let database: Database | undefined;
  try {
    const file = realPath(path);
    if (!hasList(file, path)) throw fileError(path, 'it does not contain a list; name the file with the items');
    database = new (nodeSqlite(path).DatabaseSync)(file, { readOnly: true });
    database.exec('PRAGMA busy_timeout = 500; BEGIN');
    const rows = database.prepare('SELECT key, value FROM items ORDER BY position').iterate();
    yield* rows as Iterable<Readonly<Record<keyof CopiedItem, string>>>;
  } catch (error) {
    throw storeError(error, path);
  } finally {
    database?.close();
  }
}

/** The limits of a copy. */
interface CopyLimits {
  readonly maxItems: number;
  readonly maxBytes: number | undefined;
}

/**
 * Copies items to a file that is missing, or has no items, and resolves to their number. Writes a new file beside it,
 * and replaces the file in one step. Rejects with a `StoreError` if the file has items, or if the copy would have more
 * than `maxItems` items or `maxBytes` bytes. If the copy is refused, fails or is killed, the file is unchanged. The
 * superuser copies with the rights of the owner of the file or of its folder.
 */
export async function fillFile(path: string, limits: CopyLimits, items: AsyncIterable<CopiedItem>): Promise<number> {
  try {
    const file = usableFile(path);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw fileError(path, `it is a symbolic link; name the file "${file}" instead`);
    return await asOwner(file, () => replaceFile(file, path, limits, items));
  } catch (error) {
    throw storeError(error, path);
  }
}

async function replaceFile(file: string, path: string, limits: CopyLimits, items: AsyncIterable<CopiedItem>) {
  const locked = lock(file, path, PRIVATE);
  try {
    if (sizeAt(file) > 0 && (await hasItems(path))) throw fileError(path, 'it already has items; name an empty store');
    const copy = beginFile(file, '', PRIVATE);
    try {
      const count = await addAll(newStore(copy, path), path, limits, items);
      setChanges(copy.descriptor);
      copy.publish();
      // They belong to the empty store that the copy has replaced. If one remains, the next start names it.
      for (const end of ['-wal', '-shm', '-id', '-journal'])
        attempt(() => rmSync(file + end, { force: true }), undefined);
      return count;
    } catch (error) {
      copy.discard();
      throw error;
    }
  } finally {
    locked.close();
  }
}

async function hasItems(path: string): Promise<boolean> {
  for await (const _ of itemsOfFile(path)) return true;
  return false;
}

/** Adds the items in one transaction, closes the database, and resolves to their number. */
async function addAll(
  database: Database,
  path: string,
  { maxItems, maxBytes = Number.POSITIVE_INFINITY }: CopyLimits,
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  try {
    limitPages(database, maxBytes);
    const add = database.prepare(ADD);
    const newVersion = versionMaker();
    let count = 0;
    database.exec('BEGIN');
    for await (const { key, value } of items) {
      if (count++ >= maxItems)
        throw fileError(path, `it is limited to ${maxItems} items; raise maxItems`, { code: 'TOO_MANY_ITEMS' });
      add.run(key, value, newVersion());
    }
    // Without this row, the service would add its first item to the copy of an empty list.
    if (count === 0) database.exec("INSERT INTO sqlite_sequence VALUES ('items', 0)");
    database.exec('COMMIT');
    return count;
  } finally {
    database.close();
  }
}
