/**
 * Keeps sites, meters and readings in SQLite. An import is set aside in a temporary table, which SQLite keeps in a file
 * of its own, and copied in one transaction: others write while it comes in, and read all the time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { HttpProblem } from '../../src/index.ts';
import type { Arrival, Import, KeptSite, Meter, MeterStore, Page, Range, Reading, Site } from './store.ts';

// The types of this project are those of Node 20, which has no SQLite.
type Value = string | number | null;
type Row = Readonly<Record<string, any>>;
interface Statement {
  run(...values: Value[]): { readonly changes: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): readonly Row[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Database;
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** `node:sqlite` needs no flag since 22.13. */
export const isSqliteThere = major > 22 || (major === 22 && minor >= 13);

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  CREATE TABLE IF NOT EXISTS sites (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT, version INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS meters (
    serial TEXT PRIMARY KEY, site TEXT NOT NULL REFERENCES sites, kind TEXT NOT NULL, unit TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS readings (
    number INTEGER PRIMARY KEY, meter TEXT NOT NULL REFERENCES meters, at TEXT NOT NULL, value REAL NOT NULL,
    UNIQUE (meter, at)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS arrivals ON readings (meter, number);
  CREATE TABLE IF NOT EXISTS versions (latest INTEGER NOT NULL) STRICT;
  INSERT INTO versions SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM versions);
  CREATE INDEX IF NOT EXISTS meters_of_site ON meters (site);
`;

const STATEMENTS = {
  sites: 'SELECT id, name, city FROM sites ORDER BY id LIMIT ?2 OFFSET ?1',
  site: 'SELECT id, name, city, version FROM sites WHERE id = ?',
  version: 'UPDATE versions SET latest = latest + 1 RETURNING latest',
  addSite: 'INSERT INTO sites VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  replaceSite: 'UPDATE sites SET name = ?2, city = ?3, version = ?4 WHERE id = ?1 AND (?5 IS NULL OR version = ?5)',
  removeSite: 'DELETE FROM sites WHERE id = ?1 AND (?2 IS NULL OR version = ?2)',
  isUsed: 'SELECT 1 FROM meters WHERE site = ? LIMIT 1',
  meters: 'SELECT * FROM meters WHERE site = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY serial LIMIT ?4 OFFSET ?3',
  meter: 'SELECT * FROM meters WHERE serial = ?',
  nextMeter: 'SELECT serial FROM meters WHERE serial > ? ORDER BY serial LIMIT 1',
  addMeter: 'INSERT INTO meters VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  readings: `
    SELECT meter, at, value FROM readings WHERE meter = ?1 AND at >= ?2 AND at < ?3 ORDER BY at LIMIT ?4`,
  addReading: 'INSERT INTO readings (meter, at, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  arrivals: 'SELECT number, meter, at, value FROM readings WHERE meter = ? AND number > ? ORDER BY number LIMIT ?',
  latest: 'SELECT coalesce(max(number), 0) AS latest FROM readings',
} as const;

type Statements = Readonly<Record<keyof typeof STATEMENTS, Statement>>;

/** How many readings an export reads at once: between two pages others read and write. */
const EXPORTED_AT_ONCE = 500;
/** How many readings of an import are copied at once: between two steps others read. */
const COPIED_AT_ONCE = 1000;

export class SqliteMeterStore implements MeterStore {
  readonly #database: Database;
  readonly #ask: Statements;
  readonly #Database: NodeSqlite['DatabaseSync'];
  readonly #file: string;
  readonly #folder: string | undefined;

  /** Without a file it has one of its own, which is removed with it. */
  constructor(file?: string) {
    if (!isSqliteThere)
      throw new Error(
        `Cannot keep readings in SQLite: Node ${process.versions.node} has no SQLite; take 22.13 or newer`,
      );
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as NodeSqlite;
    this.#Database = DatabaseSync;
    this.#folder = file === undefined ? mkdtempSync(join(tmpdir(), 'meters-')) : undefined;
    this.#file = file ?? join(this.#folder!, 'meters.db');
    this.#database = new DatabaseSync(this.#file);
    this.#database.exec(SCHEMA);
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, this.#database.prepare(sql)]);
    this.#ask = Object.fromEntries(prepared) as Statements;
  }

  sites(from: number, size: number): Page<Site> {
    return pageOf(this.#ask.sites.all(from, size + 1).map(siteOf), size);
  }

  site(id: string): KeptSite | undefined {
    const row = this.#ask.site.get(id);
    return row && { site: siteOf(row), version: row['version'] };
  }

  addSite(site: Site): KeptSite | undefined {
    return this.#transaction(() => {
      const version = this.#newVersion();
      const { changes } = this.#ask.addSite.run(site.id, site.name, site.city ?? null, version);
      return changes ? { site, version } : undefined;
    });
  }

  replaceSite(site: Site, former?: number): KeptSite | undefined {
    return this.#transaction(() => {
      const version = this.#newVersion();
      const { changes } = this.#ask.replaceSite.run(site.id, site.name, site.city ?? null, version, former ?? null);
      return changes ? { site, version } : undefined;
    });
  }

  removeSite(id: string, version?: number): boolean | 'used' {
    return this.#transaction(() => {
      const kept = this.site(id);
      if (kept === undefined || (version ?? kept.version) !== kept.version) return false;
      if (this.#ask.isUsed.get(id) !== undefined) return 'used';
      return Boolean(this.#ask.removeSite.run(id, version ?? null).changes);
    });
  }

  meters(site: string, kind: string | undefined, from: number, size: number): Page<Meter> {
    return pageOf(this.#ask.meters.all(site, kind ?? null, from, size + 1) as readonly Row[] as Meter[], size);
  }

  meter(serial: string): Meter | undefined {
    return this.#ask.meter.get(serial) as Row as Meter | undefined;
  }

  addMeter({ serial, site, kind, unit }: Meter): boolean {
    return this.#exclusive(() => Boolean(this.#ask.addMeter.run(serial, site, kind, unit).changes));
  }

  readings({ meter, since = '', until = '\uffff', after }: Range & { readonly meter: string }, size: number) {
    // One lower bound: of two, SQLite looks one up in its index, and reads all from there. A longer text comes later.
    const first = after === undefined || after < since ? since : `${after}+`;
    return pageOf(this.#ask.readings.all(meter, first, until, size + 1) as readonly Row[] as Reading[], size);
  }

  *eachReading(range: Range): Iterable<Reading> {
    let meter = range.meter ?? this.#nextMeter('');
    while (meter !== undefined) {
      let { after } = range;
      for (let hasMore = true; hasMore; ) {
        const page = this.readings({ ...range, meter, after }, EXPORTED_AT_ONCE);
        yield* page.items;
        hasMore = page.hasMore;
        after = page.items.at(-1)?.at;
      }
      meter = range.meter === undefined ? this.#nextMeter(meter) : undefined;
    }
  }

  addReading({ meter, at, value }: Reading): boolean {
    return this.#exclusive(() => Boolean(this.#ask.addReading.run(meter, at, value).changes));
  }

  /** On a connection of its own: what others write meanwhile is no part of its transaction. */
  beginImport(): Import {
    const own = new this.#Database(this.#file);
    own.exec('PRAGMA temp_store = FILE; PRAGMA foreign_keys = ON');
    own.exec('CREATE TEMP TABLE aside (place INTEGER PRIMARY KEY, meter TEXT, at TEXT, value REAL) STRICT');
    const insert = own.prepare('INSERT INTO aside (meter, at, value) VALUES (?, ?, ?)');
    const copy = own.prepare(`
      INSERT INTO readings (meter, at, value) SELECT meter, at, value FROM aside WHERE place > ?1 AND place <= ?2
      ON CONFLICT DO NOTHING`);
    let count = 0;
    return {
      add(readings) {
        own.exec('BEGIN');
        for (const { meter, at, value } of readings) insert.run(meter, at, value);
        own.exec('COMMIT');
        count += readings.length;
      },
      async keep() {
        while (isBusy(() => own.exec('BEGIN IMMEDIATE'))) await setTimeout(20);
        let added = 0;
        for (let place = 0; place < count; place += COPIED_AT_ONCE) {
          added += Number(copy.run(place, place + COPIED_AT_ONCE).changes);
          await setImmediate();
        }
        own.exec('COMMIT');
        return added;
      },
      // What is not committed is undone.
      close: () => own.close(),
    };
  }

  arrivals(meter: string, after: number, size: number): readonly Arrival[] {
    return this.#ask.arrivals
      .all(meter, after, size)
      .map(({ number, ...reading }) => ({ number, reading: reading as Row as Reading }));
  }

  latest(): number {
    return this.#ask.latest.get()!['latest'];
  }

  close(): void {
    this.#database.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true });
  }

  #newVersion(): number {
    return this.#ask.version.get()!['latest'];
  }

  #nextMeter(serial: string): string | undefined {
    return this.#ask.nextMeter.get(serial)?.['serial'];
  }

  #transaction<Result>(change: () => Result): Result {
    this.#exclusive(() => this.#database.exec('BEGIN IMMEDIATE'));
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Does what takes the lock of the file, which an import has while it is kept: a second or a few. */
  #exclusive<Result>(change: () => Result): Result {
    let result: Result | undefined;
    if (isBusy(() => (result = change())))
      throw new HttpProblem(503, 'An import is being kept; try again', { headers: { 'Retry-After': '1' } });
    return result as Result;
  }
}

const SQLITE_BUSY = 5;

/** True if another connection has the lock; whatever else fails is thrown. */
function isBusy(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return true;
  }
}

const siteOf = ({ id, name, city }: Row): Site => ({ id, name, ...(city !== null && { city }) });

const pageOf = <Item>(found: readonly Item[], size: number): Page<Item> => ({
  items: found.slice(0, size),
  hasMore: found.length > size,
});
