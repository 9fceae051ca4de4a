/** Opens a file of a store as another program does. Tests that import this are skipped if Node has no SQLite. */

/** Declared here, because the project uses the types of Node 20. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { get(): Record<string, unknown> | undefined };
  close(): void;
}

const { emitWarning } = process;
process.emitWarning = () => {};
export const { DatabaseSync, backup } = (process.getBuiltinModule('node:sqlite') ?? {}) as {
  readonly DatabaseSync: new (path: string) => Database;
  /** Since Node 22.16. */
  readonly backup: (database: object, path: string) => Promise<number>;
};
process.emitWarning = emitWarning;
