/**
 * Finds the files of one folder and their precompressed variants, and caches them in memory until they change.
 *
 * A cached script of 1.7 MB costs a sixth of one that is read from the disk. The result of a `stat` call holds for
 * `STAT_TTL_MS`. So does the absence of a name or of its first segment: an API request that passes a static folder at
 * `/` does not touch the disk.
 */
import type { Stats } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Coding } from '../../core/message/headers/negotiation.ts';
import { openFile, readBytes, statIfPresent } from './disk-file.ts';
import { mediaTypeOf } from './file-headers.ts';
import { isSettled, type ServedFile, variant } from './file-reply.ts';

/** How a folder is cached and answered. */
export interface FolderOptions {
  /** Further headers of every reply, as a flat list. */
  readonly headers?: readonly string[] | undefined;
  /** Takes precompressed files of any age. The files of a checkout have arbitrary times. */
  readonly ignoreAge?: boolean | undefined;
  /** Most bytes in memory, all files together: 64 MiB unless given. */
  readonly maxCachedBytes?: number | undefined;
}

interface Entry {
  readonly file: ServedFile;
  /** The state on the disk of the file and of its variants. */
  readonly state: string;
  /** Bytes in memory. */
  readonly bytes: number;
  /** When the disk was last asked, by `performance.now()`. */
  checked: number;
}

const MIB = 2 ** 20;
/** The largest file that is cached. */
const MAX_CACHED_FILE_BYTES = 4 * MIB;
/** What an entry takes beside the content. It bounds the number of entries, those of empty and of large files too. */
const ENTRY_BYTES = 4096;
const MAX_ABSENT = 100;
/** The codings of a file and of its variants, the preferred one first, with the endings of their names. */
const CODINGS: readonly (readonly [ending: string, coding?: Coding])[] = [[''], ['.br', 'br'], ['.gz', 'gzip']];
/** Milliseconds for which the result of a `stat` call is reused. */
const STAT_TTL_MS = 20;
/** Another change within this time of the last one may leave the times of the file as they are. */
const CTIME_GRANULARITY_MS = 100;
/** Milliseconds by which a variant may be older than its file, since copying sets their times one after the other. */
const AGE_TOLERANCE_MS = 1000;

/** A folder on the disk, whose files are found by their names. */
export class Folder {
  /** An absolute path, or one relative to the working directory. */
  readonly root: string;
  readonly #options: FolderOptions;
  /** The entries that the disk confirmed last are at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<ServedFile | undefined>>();
  /** When each of these names, or of these first segments of names, was last absent. */
  readonly #absent = new Map<string, number>();
  #cachedBytes = 0;

  constructor(root: string | URL, options: FolderOptions = {}) {
    this.root = root instanceof URL ? fileURLToPath(root) : root;
    this.#options = options;
  }

  /**
   * The file with a name from `fileName`; undefined when there is no such file. A promise where the disk has to be
   * asked; it rejects with a 503 `HttpProblem` when the disk fails.
   */
  find(name: string): ServedFile | undefined | Promise<ServedFile | undefined> {
    const now = performance.now();
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      const isAbsent = (asked: string) => now - (this.#absent.get(asked) ?? -Infinity) < STAT_TTL_MS;
      return isAbsent(topOf(name)) || isAbsent(name) ? undefined : this.#load(name);
    }
    if (now - entry.checked < STAT_TTL_MS) return entry.file;
    // Requests that arrive during this check get the cached file.
    entry.checked = now;
    return this.#checked(name, entry);
  }

  async #checked(name: string, entry: Entry): Promise<ServedFile | undefined> {
    const isUnchanged = entry.state === stateOf(await this.#statsOf(name));
    if (this.#entries.get(name) === entry) this.#remove(name, entry);
    if (!isUnchanged) return this.#load(name);
    this.#keep(name, entry);
    return entry.file;
  }

  /** Loads a file once for all requests that wait for it. */
  #load(name: string): Promise<ServedFile | undefined> {
    const running = this.#loading.get(name);
    if (running !== undefined) return running;
    const loading = this.#loadNow(name).finally(() => void this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #loadNow(name: string): Promise<ServedFile | undefined> {
    const checked = performance.now();
    const top = topOf(name);
    if ((await statIfPresent(`${this.root}/${top}`)) === undefined) return this.#keepAbsent(top, checked);
    // Before the files are read: the next check sees a change during the reading, and a time that has become settled.
    const stats = await this.#statsOf(name);
    if (stats[0] === undefined) return this.#keepAbsent(name, checked);
    const state = stateOf(stats);
    const settled = Date.now() - CTIME_GRANULARITY_MS;
    const [original, ...others] = await Promise.all(CODINGS.map((coding) => this.#read(name, ...coding)));
    if (original === undefined) return undefined;
    // A variant that is older than its file was made from another file.
    const oldest = this.#options.ignoreAge ? -Infinity : original.mtimeMs - AGE_TOLERANCE_MS;
    const usable = others.filter((one) => one !== undefined).filter(({ mtimeMs }) => mtimeMs >= oldest);
    const { headers = [] } = this.#options;
    const shared = { mediaType: mediaTypeOf(name), varies: usable.length > 0, headers };
    const [identity, ...encoded] = [original, ...usable].map((content) => variant({ ...shared, ...content }));
    const file = { identity: identity!, encoded };
    const bytes = [original, ...usable].reduce((sum, one) => sum + (one.bytes?.length ?? 0), ENTRY_BYTES);
    // A file that has just changed is read anew for each request.
    if (stats.every((one) => one === undefined || one.ctimeMs < settled))
      this.#keep(name, { file, state, bytes, checked });
    return file;
  }

  /** The states of a file and of its variants. */
  #statsOf(name: string): Promise<(Stats | undefined)[]> {
    return Promise.all(CODINGS.map(([ending]) => statIfPresent(`${this.root}/${name}${ending}`)));
  }

  async #read(original: string, ending: string, coding?: Coding) {
    const name = original + ending;
    const opened = await openFile(this.root, name);
    if (opened === undefined) return undefined;
    const { handle, stats } = opened;
    try {
      const bytes = stats.size > MAX_CACHED_FILE_BYTES ? undefined : await readBytes(handle, stats.size);
      const { mtimeMs, ctimeMs, ino } = stats;
      return { name, coding, length: bytes?.length ?? stats.size, mtimeMs, ctimeMs, ino, bytes };
    } finally {
      await handle.close();
    }
  }

  #keepAbsent(name: string, checked: number): undefined {
    if (this.#absent.size >= MAX_ABSENT) this.#absent.clear();
    this.#absent.set(name, checked);
  }

  #remove(name: string, { bytes }: Entry): void {
    if (this.#entries.delete(name)) this.#cachedBytes -= bytes;
  }

  /** Adds an entry at the end, then removes the first ones while there are too many bytes. */
  #keep(added: string, entry: Entry): void {
    const former = this.#entries.get(added);
    if (former !== undefined) this.#remove(added, former);
    this.#entries.set(added, entry);
    this.#cachedBytes += entry.bytes;
    const { maxCachedBytes = 64 * MIB } = this.#options;
    for (const [name, first] of this.#entries) {
      if (this.#cachedBytes <= maxCachedBytes) return;
      this.#remove(name, first);
    }
  }
}

const topOf = (name: string): string => name.split('/', 1)[0]!;

/**
 * A text that changes with the files, as far as the disk can tell, and once one of their times is settled: the tag may
 * then be strong, and the date may be sent.
 */
const stateOf = (stats: readonly (Stats | undefined)[]): string =>
  stats
    .map((one) => {
      if (one === undefined) return undefined;
      const { dev, ino, size, mtimeMs, ctimeMs } = one;
      return [dev, ino, size, mtimeMs, ctimeMs, isSettled(mtimeMs), isSettled(ctimeMs)].join(' ');
    })
    .join();
