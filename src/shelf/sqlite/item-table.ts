/**
 * The items in an open file: reads, changes, and pages of the list.
 *
 * The number of items and the version of the list are kept in memory, because another program rarely changes the items.
 * Each start gives the list a new version. If `PRAGMA data_version` says that another program has written, the items
 * are counted again, and the list gets a new version. Each statement is a separate transaction, and the version changes
 * before any other statement runs.
 */
import type { Readable } from 'node:stream';
import { CollectionFull } from '../../plugins/collection/collection.ts';
import {
  type Page,
  pageSize,
  type SentList,
  SentLists,
  type StoredItem,
  versionMaker,
} from '../../plugins/collection/lasting-store.ts';
import { type Database, FORMAT, type SqlValue, type Statement, valueOf } from './database-file.ts';

/**
 * `position` gives the order of creation. SQLite never uses a position again (`AUTOINCREMENT`). Its own table
 * `sqlite_sequence` has a row if the list has ever had an item.
 */
export const TABLE = `
  CREATE TABLE items (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    version TEXT NOT NULL
  ) STRICT;
`;
export const ADD = 'INSERT INTO items (key, value, version) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

const STATEMENTS = {
  written: 'PRAGMA data_version',
  count: 'SELECT count(*) FROM items',
  end: 'SELECT max(position) FROM items',
  get: 'SELECT position, key, value, version FROM items WHERE key = ?',
  rows: 'SELECT position, key, value FROM items WHERE position > ? AND position <= ? ORDER BY position LIMIT ?',
  add: ADD,
  seed: 'INSERT INTO items (key, value, version) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence)',
  replace: 'UPDATE items SET value = ?1, version = ?2 WHERE key = ?3 AND (?4 IS NULL OR version = ?4)',
  remove: 'DELETE FROM items WHERE key = ?1 AND (?2 IS NULL OR version = ?2)',
  probe: `PRAGMA user_version = ${FORMAT}`,
} as const;

/** The number of rows that are read at once. A page may exceed its limits by so many items. */
const ROWS = 16;

interface Row extends StoredItem {
  readonly position: number;
}

/** A list as it was when its first page was read. */
interface Snapshot extends SentList {
  /** The position of its last item. */
  readonly end: number;
  /** The items that have been replaced or removed since, by their positions. */
  readonly former: Map<number, Row>;
}

/** A position in a list. */
interface Place {
  readonly snapshot: Snapshot;
  readonly position: number;
}

type Statements = Readonly<Record<keyof typeof STATEMENTS, Statement>>;

export class ItemTable {
  readonly #statements: Statements;
  readonly #newVersion = versionMaker();
  readonly #sent = new SentLists<Snapshot>();
  #version = this.#newVersion();
  #size: number;
  /** The value of `PRAGMA data_version` before the items were counted. */
  #written: SqlValue | undefined;

  constructor(database: Database) {
    this.#statements = Object.fromEntries(
      Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sql)]),
    ) as Statements;
    this.#written = valueOf(this.#statements.written);
    this.#size = Number(valueOf(this.#statements.count));
  }

  /** Returns the number of items and the version of the list. */
  state(): { readonly size: number; readonly version: string } {
    const written = valueOf(this.#statements.written);
    if (written !== this.#written) {
      this.#size = Number(valueOf(this.#statements.count));
      this.#version = this.#newVersion();
      this.#written = written;
    }
    return { size: this.#size, version: this.#version };
  }

  get(key: string): Row | undefined {
    return this.#statements.get.get(key) as Row | undefined;
  }

  /** Returns the page after a place, or undefined if the list still has the version `known`. */
  page(after?: unknown, known?: string): Page | undefined {
    const { version } = this.state();
    if (after === undefined && version === known) return undefined;
    const { snapshot, position } = (after as Place | undefined) ?? { snapshot: this.#snapshot(), position: 0 };
    const { end, former } = snapshot;
    const most = pageSize(after);
    const rows = new Map<number, Row>();
    let [last, characters] = [position, 0];
    while (last < end && rows.size < most.items && characters < most.characters) {
      const read = this.#statements.rows.all(last, end, ROWS) as unknown as readonly Row[];
      for (const row of read) {
        rows.set(row.position, row);
        characters += row.value.length;
      }
      last = read.length < ROWS ? end : read.at(-1)!.position;
    }
    for (const [at, row] of former) if (at > position && at <= last) rows.set(at, row);
    const items = [...rows.values()];
    if (former.size > 0) items.sort((one, other) => one.position - other.position);
    return { items, version, last: { snapshot, position: last }, isEnd: last >= end };
  }

  /** Keeps the list of a place as it was until the stream that sends it is closed. */
  keep(after: unknown, stream: Readable): void {
    this.#sent.send((after as Place).snapshot, stream);
  }

  /** Returns false if another item has the key. Throws `CollectionFull` if there are `maxItems` items. */
  add({ key, value, version }: StoredItem, maxItems = Number.POSITIVE_INFINITY): boolean {
    if (maxItems < Number.POSITIVE_INFINITY && this.state().size >= maxItems) {
      if (this.get(key) !== undefined) return false;
      throw new CollectionFull(`The store is limited to ${maxItems} items`);
    }
    return this.#change(key, version, 1, () => this.#statements.add.run(key, value, version));
  }

  /** Adds the item if the list has never had an item. */
  seed({ key, value, version }: StoredItem): boolean {
    return this.#change(key, version, 1, () => this.#statements.seed.run(key, value, version));
  }

  /** Returns false if no item has the key, or if the item has another version than `former`. */
  replace({ key, value, version }: StoredItem, former?: string): boolean {
    return this.#change(key, version, 0, () => this.#statements.replace.run(value, version, key, former ?? null));
  }

  /** Returns false in the same cases as `replace`. `next` is the new version of the list. */
  remove(key: string, next: string, former?: string): boolean {
    return this.#change(key, next, -1, () => this.#statements.remove.run(key, former ?? null));
  }

  /** Writes to the file, and changes nothing. */
  probe(): void {
    this.#statements.probe.run();
  }

  #snapshot(): Snapshot {
    return { end: Number(valueOf(this.#statements.end)), former: new Map(), streams: new Set(), oldBytes: 0 };
  }

  /** Runs a statement that changes at most the item with this key. Returns false if it has changed nothing. */
  #change(key: string, version: string, growth: number, run: () => { readonly changes: number }): boolean {
    // Read before the change, for the lists that are being sent.
    const former = this.#sent.size > 0 ? this.get(key) : undefined;
    if (run().changes === 0) return false;
    this.#size += growth;
    this.#version = version;
    if (former !== undefined) this.#keepFormer(former);
    return true;
  }

  #keepFormer(row: Row): void {
    for (const list of this.#sent) {
      if (row.position > list.end || list.former.has(row.position)) continue;
      list.former.set(row.position, row);
      list.oldBytes += 2 * row.value.length;
    }
    this.#sent.cutSlowStreams();
  }
}
