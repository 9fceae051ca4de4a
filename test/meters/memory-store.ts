/** Keeps sites, meters and readings in memory: for a Node without SQLite. */
import type { Arrival, Import, KeptSite, Meter, MeterStore, Page, Range, Reading, Site } from './store.ts';

export class MemoryStore implements MeterStore {
  readonly #sites = new Map<string, KeptSite>();
  readonly #meters = new Map<string, Meter>();
  readonly #arrivals = new Map<string, Arrival[]>();
  /** The readings of a meter by their time; sorted when they are read and new ones have come. */
  readonly #readings = new Map<string, { byTime: Map<string, Reading>; isSorted: boolean }>();
  #version = 0;
  #latest = 0;

  sites(from: number, size: number): Page<Site> {
    const all = [...this.#sites.values()].map(({ site }) => site);
    return pageOf(all.sort(by('id')), from, size);
  }

  site(id: string): KeptSite | undefined {
    return this.#sites.get(id);
  }

  addSite(site: Site): KeptSite | undefined {
    return this.#sites.has(site.id) ? undefined : this.#keep(site);
  }

  replaceSite(site: Site, version?: number): KeptSite | undefined {
    return this.#has(site.id, version) ? this.#keep(site) : undefined;
  }

  removeSite(id: string, version?: number): boolean | 'used' {
    if (!this.#has(id, version)) return false;
    if ([...this.#meters.values()].some(({ site }) => site === id)) return 'used';
    return this.#sites.delete(id);
  }

  meters(site: string, kind: string | undefined, from: number, size: number): Page<Meter> {
    const found = [...this.#meters.values()].filter((one) => one.site === site && (kind ?? one.kind) === one.kind);
    return pageOf(found.sort(by('serial')), from, size);
  }

  meter(serial: string): Meter | undefined {
    return this.#meters.get(serial);
  }

  addMeter(meter: Meter): boolean {
    if (this.#meters.has(meter.serial)) return false;
    this.#meters.set(meter.serial, meter);
    this.#readings.set(meter.serial, { byTime: new Map(), isSorted: true });
    this.#arrivals.set(meter.serial, []);
    return true;
  }

  readings(range: Range & { readonly meter: string }, size: number): Page<Reading> {
    return pageOf([...this.eachReading(range)], 0, size);
  }

  *eachReading({ meter, since = '', until = '\uffff', after = '' }: Range): Iterable<Reading> {
    const serials = meter === undefined ? [...this.#readings.keys()].sort() : [meter];
    for (const serial of serials)
      for (const reading of this.#sorted(serial))
        if (reading.at >= since && reading.at < until && reading.at > after) yield reading;
  }

  addReading(reading: Reading): boolean {
    const kept = this.#readings.get(reading.meter)!;
    if (kept.byTime.has(reading.at)) return false;
    kept.byTime.set(reading.at, reading);
    kept.isSorted = false;
    this.#arrivals.get(reading.meter)!.push({ number: ++this.#latest, reading });
    return true;
  }

  beginImport(): Import {
    const aside: Reading[] = [];
    return {
      add: (readings) => void aside.push(...readings),
      keep: async () => aside.filter((reading) => this.addReading(reading)).length,
      close() {},
    };
  }

  arrivals(meter: string, after: number, size: number): readonly Arrival[] {
    const all = this.#arrivals.get(meter) ?? [];
    const first = all.findIndex(({ number }) => number > after);
    return first < 0 ? [] : all.slice(first, first + size);
  }

  latest(): number {
    return this.#latest;
  }

  close(): void {}

  #has(id: string, version: number | undefined): boolean {
    const kept = this.#sites.get(id);
    return kept !== undefined && (version ?? kept.version) === kept.version;
  }

  #keep(site: Site): KeptSite {
    const kept = { site, version: ++this.#version };
    this.#sites.set(site.id, kept);
    return kept;
  }

  #sorted(serial: string): Iterable<Reading> {
    const kept = this.#readings.get(serial);
    if (kept === undefined) return [];
    if (!kept.isSorted) {
      kept.byTime = new Map([...kept.byTime].sort(([one], [other]) => (one < other ? -1 : 1)));
      kept.isSorted = true;
    }
    return kept.byTime.values();
  }
}

const by =
  <Name extends string>(name: Name) =>
  (one: Readonly<Record<Name, string>>, other: Readonly<Record<Name, string>>): number =>
    one[name] < other[name] ? -1 : 1;

const pageOf = <Item>(all: readonly Item[], from: number, size: number): Page<Item> => ({
  items: all.slice(from, from + size),
  hasMore: all.length > from + size,
});
