/**
 * Loads Node's own SQLite, which came with Node 22.13. The types of this project are those of Node 20, so the few
 * members that are used are declared here.
 */
import { StoreError } from '../collection/collection.ts';

/** A value of a row, or of a parameter. */
export type SqlValue = string | number | null;

/** A prepared statement. */
export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): Record<string, SqlValue> | undefined;
  all(...values: SqlValue[]): Record<string, SqlValue>[];
}

/** An open database. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Database;
}

/** Opens a file. `what` is the store as messages name it. Throws a `StoreError` where Node has no SQLite. */
export function openDatabase(path: string, what: string): Database {
  const { DatabaseSync } = nodeSqlite(what);
  return new DatabaseSync(path);
}

function nodeSqlite(what: string): NodeSqlite {
  const { emitWarning } = process;
  // Node says that the module may change. Its own users cannot act on that, and the tests here would see a change.
  process.emitWarning = (warning, ...rest) => {
    if (!/SQLite is an experimental feature/.test(String(warning)))
      emitWarning.apply(process, [warning, ...rest] as never);
  };
  try {
    const found = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
    if (found !== undefined) return found;
  } finally {
    process.emitWarning = emitWarning;
  }
  const remedy = 'run Node 22.13 or later, or use --store redis://…';
  throw new StoreError(what, `Node ${process.versions.node} has no SQLite; ${remedy}`, 2);
}
