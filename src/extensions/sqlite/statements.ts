/**
 * Declares the statements on the file of a store, prepared once. The format of the file is in `store-file.ts`.
 *
 * Each is a transaction of its own: it does all that it does, the change of the list included, or nothing.
 */
import type { Database, Statement } from './node-sqlite.ts';

const SQL = {
  state: 'SELECT version, items FROM list',
  get: 'SELECT value, version FROM items WHERE key = ?',
  page: 'SELECT position, key, value FROM items WHERE position > ? ORDER BY position LIMIT ?',
  add: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? FROM list WHERE items < ?',
  seed: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? FROM list WHERE NOT seeded',
  replace: 'UPDATE items SET value = ?1, version = ?2 WHERE key = ?3 AND (?4 IS NULL OR version = ?4)',
  probe: 'UPDATE list SET seeded = seeded',
  remove: 'DELETE FROM items WHERE key = ?1 AND (?2 IS NULL OR version = ?2)',
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, Statement>>;

export const statementsOf = (database: Database): Statements =>
  Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)])) as Statements;
