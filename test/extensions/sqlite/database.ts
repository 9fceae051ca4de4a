/** Opens a file beside the store, as another program does. Where Node has no SQLite, its users are skipped. */

/** As far as the tests use it: the types of this project are those of Node 20. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { get(): Record<string, unknown> | undefined };
  close(): void;
}

const { emitWarning } = process;
process.emitWarning = () => {};
export const { DatabaseSync, backup } = (process.getBuiltinModule('node:sqlite') ?? {}) as {
  readonly DatabaseSync: new (path: string) => Database;
  /** From Node 22.16 on. */
  readonly backup: (database: object, path: string) => Promise<number>;
};
process.emitWarning = emitWarning;
