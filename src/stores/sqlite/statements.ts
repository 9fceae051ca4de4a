/** Declares the statements on the file of a store, prepared once. The format of the file is in `store-file.ts`. */
import type { Database, Statement } from './node-sqlite.ts';

const SQL = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  state: 'SELECT version, items, seeded FROM list',
  get: 'SELECT value, version FROM items WHERE key = ?',
  page: 'SELECT position, key, value FROM items WHERE position > ? ORDER BY position LIMIT ?',
  add: 'INSERT INTO items (key, value, version) VALUES (?, ?, ?)',
  seed: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? FROM list WHERE NOT seeded',
  replace: 'UPDATE items SET value = ?1, version = ?2 WHERE key = ?3 AND (?4 IS NULL OR version = ?4)',
  remove: 'DELETE FROM items WHERE key = ?1 AND (?2 IS NULL OR version = ?2)',
  changed: 'UPDATE list SET version = ?, items = items + ?, seeded = 1',
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, Statement>>;

export const statementsOf = (database: Database): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)])) as Statements;

/** Does all that `change` does, or nothing where it throws. */
export function inTransaction<Result>({ begin, commit, rollback }: Statements, change: () => Result): Result {
  begin.run();
  try {
    const result = change();
    commit.run();
    return result;
  } catch (error) {
    try {
      rollback.run();
    } catch {
      // SQLite has rolled back already, as it does after a full disk.
    }
    throw error;
  }
}
