/** What the service keeps, and what a store of it does: in SQLite where Node has it without a flag, else in memory. */
import { MemoryStore } from './memory-store.ts';
import { isSqliteThere, SqliteMeterStore } from './sqlite-store.ts';

export interface Site {
  readonly id: string;
  readonly name: string;
  readonly city?: string;
}
export interface Meter {
  readonly serial: string;
  readonly site: string;
  readonly kind: 'electricity' | 'gas' | 'heat' | 'water';
  readonly unit: 'kWh' | 'm3';
}
/** `at` is a time in UTC as `Date.toISOString` writes it, so texts are in the order of times. */
export interface Reading {
  readonly meter: string;
  readonly at: string;
  readonly value: number;
}
/** A reading in the order in which readings came. */
export interface Arrival {
  readonly number: number;
  readonly reading: Reading;
}
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}
/** A site, and a number that each change of it makes higher. */
export interface KeptSite {
  readonly site: Site;
  readonly version: number;
}
export interface Range {
  readonly meter?: string | undefined;
  /** This time and later ones. */
  readonly since?: string | undefined;
  /** Times before this one. */
  readonly until?: string | undefined;
  /** Times after this one, of one meter: where the former page ended. */
  readonly after?: string | undefined;
}

/** Readings that are all kept or none. */
export interface Import {
  /** Sets readings aside, in a file where the store is one. */
  add(readings: readonly Reading[]): void;
  /** Keeps them in one transaction; returns how many are new. Those that are there already stay as they are. */
  keep(): Promise<number>;
  /** To be called in the end, whether they were kept or not. */
  close(): void;
}

/** Every method is one transaction, and answers at once; a change throws 503 while an import is being kept. */
export interface MeterStore {
  sites(from: number, size: number): Page<Site>;
  site(id: string): KeptSite | undefined;
  /** Undefined if the id is taken. */
  addSite(site: Site): KeptSite | undefined;
  /** Undefined if there is none, or it has another version than the given one. */
  replaceSite(site: Site, version?: number): KeptSite | undefined;
  /** False in the same cases; "used" if it has meters. */
  removeSite(id: string, version?: number): boolean | 'used';
  meters(site: string, kind: string | undefined, from: number, size: number): Page<Meter>;
  meter(serial: string): Meter | undefined;
  /** False if the serial number is taken. */
  addMeter(meter: Meter): boolean;
  /** In the order of times. */
  readings(range: Range & { readonly meter: string }, size: number): Page<Reading>;
  /** One by one, in the order of meters and times; never all of them in memory. */
  eachReading(range: Range): Iterable<Reading>;
  /** False if the meter has a reading of this time. */
  addReading(reading: Reading): boolean;
  beginImport(): Import;
  /** The readings of a meter that came after one, the oldest first. */
  arrivals(meter: string, after: number, size: number): readonly Arrival[];
  /** The number of the latest arrival. */
  latest(): number;
  close(): void;
}

/** A store in a file, or for as long as the process runs. A file takes a Node that has SQLite. */
export const openStore = (file?: string): MeterStore =>
  file !== undefined || isSqliteThere ? new SqliteMeterStore(file) : new MemoryStore();
