/**
 * Finds the files of one folder and their precompressed variants, and caches them in memory until they change.
 *
 * A cached script of 1.7 MB costs a sixth of one that is read from the disk. Absent names are cached too, by their
 * shortest absent prefix, so an API request that passes a static folder at `/` does not touch the disk. An entry is
 * valid for `STAT_TTL_MS`; then one request checks the disk again, and others wait for the same check. The cache is
 * bounded in bytes and names: what nobody has asked for leaves it first.
 */
import type { Stats } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Coding } from '../../http.ts';
import { openFile, segmentEnd, statIfPresent } from './disk-file.ts';
import { mediaTypeOf } from './file-headers.ts';
import { type ServedFile, servedFile, type Variant, variant } from './file-reply.ts';

/** How a folder is cached and answered. */
export interface FolderOptions {
  /** Further headers of every reply, as a flat list. */
  readonly headers?: readonly string[] | undefined;
  /** Takes precompressed files of any age. The files of a checkout have arbitrary times. */
  readonly ignoreAge?: boolean | undefined;
  /** The largest file that is cached in memory, in bytes: 4 MiB unless given. */
  readonly maxCachedFileBytes?: number | undefined;
  /** Most bytes in memory, all files together: 64 MiB unless given. */
  readonly maxCachedBytes?: number | undefined;
  /** Most cached names, those of absent files included: 1000 unless given. */
  readonly maxFiles?: number | undefined;
}

interface Entry {
  /** The name of the file, or the absent prefix of one. */
  readonly name: string;
  /** Undefined where it is absent. */
  readonly file: ServedFile | undefined;
  /** Those of the file and of its variants, in the order of `SUFFIXES`. */
  readonly states: readonly State[];
  /** Bytes in memory. */
  readonly bytes: number;
  /** Was it read so long after its last change that a later change shows in its times? */
  readonly isSettled: boolean;
  /** When the disk was last asked, by `performance.now()`. */
  checked: number;
  /** The check that is running. */
  checking?: Promise<boolean> | undefined;
}

/** Names the file and its content, as far as the disk can tell; undefined where it is absent. */
type State = string | undefined;
const stateOf = (stats: Stats | undefined): State =>
  stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;

/** The content of a file or of a variant; `bytes` is undefined for one that is too large to be cached. */
interface Content {
  readonly name: string;
  readonly coding: Coding | undefined;
  readonly stats: Stats;
  readonly bytes: Uint8Array | undefined;
}

const MIB = 2 ** 20;
/** What the names of the file itself and of its variants end in, the preferred one first. */
const SUFFIXES = ['', '.br', '.gz'];
const CODINGS = [undefined, 'br', 'gzip'] as const;
/** Milliseconds for which the result of a `stat` call is reused. */
const STAT_TTL_MS = 20;
/** Another change within this time of the last one may leave the times of the file as they are. */
const CTIME_GRANULARITY_MS = 100;
/** Milliseconds by which a variant may be older than its file, since copying sets their times one after the other. */
const AGE_TOLERANCE_MS = 1000;
/** A file that changes while it is read is read so often at most; the last result counts. */
const MAX_READS = 3;
/** Longer absent prefixes, in path segments and in characters, are not cached. */
const MAX_DEPTH = 4;
const MAX_PREFIX_LENGTH = 255;

/** A folder on the disk, whose files are found by their names. */
export class Folder {
  /** An absolute path, or one relative to the working directory. */
  readonly root: string;
  readonly #options: FolderOptions;
  /** Those that were found, or found unchanged, last are at the end. */
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<ServedFile | undefined>>();
  #cachedBytes = 0;

  constructor(root: string | URL, options: FolderOptions = {}) {
    this.root = root instanceof URL ? fileURLToPath(root) : root;
    this.#options = options;
  }

  /** Bytes of files in memory. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /**
   * The file with a name from `fileName`; undefined when there is no such file. A promise where the disk has to be
   * asked; it rejects with a 503 `HttpProblem` when the disk fails.
   */
  find(name: string): ServedFile | undefined | Promise<ServedFile | undefined> {
    const entry = this.#entries.get(name) ?? this.#absentPrefix(name);
    if (entry === undefined) return this.#load(name);
    if (performance.now() - entry.checked < STAT_TTL_MS) return entry.file;
    entry.checking ??= this.#isUnchanged(entry).finally(() => {
      entry.checking = undefined;
    });
    return entry.checking.then((isUnchanged) => (isUnchanged ? entry.file : this.#load(name)));
  }

  #absentPrefix(name: string): Entry | undefined {
    for (let depth = 0, end = 0; depth < MAX_DEPTH && end < name.length; depth++) {
      end = segmentEnd(name, end);
      const entry = this.#entries.get(name.slice(0, end));
      if (entry !== undefined && entry.file === undefined) return entry;
    }
    return undefined;
  }

  /** Asks the disk whether an entry still holds. One that does not is removed. */
  async #isUnchanged(entry: Entry): Promise<boolean> {
    const { name, states, isSettled } = entry;
    const checked = performance.now();
    const current = await Promise.all(states.map((_, at) => this.#stateOf(name + SUFFIXES[at])));
    const isUnchanged = isSettled && states.every((state, at) => state === current[at]);
    if (isUnchanged) entry.checked = checked;
    if (this.#entries.get(name) === entry) {
      if (isUnchanged) this.#keep(entry);
      else this.#remove(entry);
    }
    return isUnchanged;
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
    const started = Date.now();
    const original = await this.#read(name, 0);
    if (original === undefined) {
      await this.#learnAbsent(name);
      return undefined;
    }
    const contents = [original, ...(await Promise.all([1, 2].map((at) => this.#read(name, at))))];
    const file = this.#served(contents.filter((one) => one !== undefined));
    const states = contents.map((one) => stateOf(one?.stats));
    const bytes = contents.reduce((sum, one) => sum + (one?.bytes?.length ?? 0), 0);
    // A clock that was set back can leave a change in the future.
    const isSettled = contents.every((one) => !one || Math.abs(started - one.stats.ctimeMs) > CTIME_GRANULARITY_MS);
    this.#keep({ name, file, states, bytes, isSettled, checked });
    return file;
  }

  /** A variant that is older than its file was made from another one and is left out. */
  #served([original, ...others]: readonly Content[]): ServedFile {
    const { headers = [], ignoreAge = false } = this.#options;
    const oldest = ignoreAge ? Number.NEGATIVE_INFINITY : original!.stats.mtimeMs - AGE_TOLERANCE_MS;
    const usable = others.filter(({ stats }) => stats.mtimeMs >= oldest);
    const shared = { mediaType: mediaTypeOf(original!.name), varies: usable.length > 0, headers };
    const made = ({ name, coding, stats: { size, mtimeMs }, bytes }: Content): Variant =>
      variant({ ...shared, name, coding, length: bytes?.length ?? size, mtimeMs, bytes });
    return servedFile(made(original!), usable.map(made));
  }

  async #stateOf(name: string): Promise<State> {
    return stateOf(await statIfPresent(`${this.root}/${name}`));
  }

  /** Reads a file, or the variant of it that has this number. */
  async #read(original: string, at: number): Promise<Content | undefined> {
    const { maxCachedFileBytes = 4 * MIB } = this.#options;
    const name = original + SUFFIXES[at];
    const coding = CODINGS[at];
    for (let reads = 1; ; reads++) {
      const opened = await openFile(this.root, name);
      if (opened === undefined) return undefined;
      const { handle, stats: before } = opened;
      try {
        if (before.size > maxCachedFileBytes) return { name, coding, stats: before, bytes: undefined };
        const bytes = await handle.readFile();
        const stats = await handle.stat();
        if (reads === MAX_READS || stateOf(before) === stateOf(stats)) return { name, coding, stats, bytes };
      } finally {
        await handle.close();
      }
    }
  }

  /** Caches the shortest prefix of the name that is absent, if one is. */
  async #learnAbsent(name: string): Promise<void> {
    for (let depth = 0, end = 0; depth < MAX_DEPTH && end < name.length; depth++) {
      end = segmentEnd(name, end);
      if (end > MAX_PREFIX_LENGTH) return;
      const prefix = name.slice(0, end);
      const checked = performance.now();
      if ((await this.#stateOf(prefix)) !== undefined) continue;
      return this.#keep({ name: prefix, file: undefined, states: [undefined], bytes: 0, isSettled: true, checked });
    }
  }

  #remove({ name, bytes }: Entry): void {
    if (this.#entries.delete(name)) this.#cachedBytes -= bytes;
  }

  /** Adds an entry at the end, then removes the first ones while there are too many. */
  #keep(added: Entry): void {
    const former = this.#entries.get(added.name);
    if (former !== undefined) this.#remove(former);
    this.#entries.set(added.name, added);
    this.#cachedBytes += added.bytes;
    const { maxCachedBytes = 64 * MIB, maxFiles = 1000 } = this.#options;
    for (const entry of this.#entries.values()) {
      if (this.#cachedBytes <= maxCachedBytes && this.#entries.size <= maxFiles) return;
      this.#remove(entry);
    }
  }
}

/** The files of a folder as a value: JSON, as a bundler puts it into a program. */
export interface EmbeddedFiles {
  /** When they were last changed, in milliseconds since 1970. */
  readonly modified: number;
  /** By name, each in base64. */
  readonly files: Readonly<Record<string, EmbeddedFile>>;
}

/** One file. */
export interface EmbeddedFile {
  /** Is it compressed with Brotli? A file that does not get shorter is not. */
  readonly brotli: boolean;
  readonly base64: string;
}

/**
 * A folder of files that a program carries inside itself, for one that is bundled into a single file. It answers as
 * `Folder` does. The first request for a file that is compressed with Brotli decompresses it and compresses it with
 * gzip: over a connection that is not encrypted, browsers take no Brotli.
 */
export class EmbeddedFolder {
  /** What messages name in the place of a path. */
  readonly root = 'the files in this program';
  readonly #embedded: EmbeddedFiles;
  readonly #headers: readonly string[];
  readonly #found = new Map<string, ServedFile | Promise<ServedFile>>();

  /** `headers` are further ones of every reply, as a flat list. */
  constructor(embedded: EmbeddedFiles, { headers }: { readonly headers: readonly string[] }) {
    this.#embedded = embedded;
    this.#headers = headers;
  }

  /**
   * The file with this name; undefined when there is none. A promise while it is decompressed, which rejects for bytes
   * that are no Brotli.
   */
  find(name: string): ServedFile | undefined | Promise<ServedFile> {
    const found = this.#found.get(name);
    if (found !== undefined || !Object.hasOwn(this.#embedded.files, name)) return found;
    const unpacking = this.#unpack(name, this.#embedded.files[name]!);
    this.#found.set(name, unpacking);
    // A file that cannot be decompressed fails each request for it.
    unpacking.then(
      (file) => this.#found.set(name, file),
      () => this.#found.delete(name),
    );
    return unpacking;
  }

  async #unpack(name: string, { brotli, base64 }: EmbeddedFile): Promise<ServedFile> {
    const content = Buffer.from(base64, 'base64');
    const shared = { mediaType: mediaTypeOf(name), mtimeMs: this.#embedded.modified, headers: this.#headers };
    const made = (bytes: Uint8Array, coding?: Coding) =>
      variant({ ...shared, name, bytes, length: bytes.length, coding, varies: brotli });
    if (!brotli) return servedFile(made(content), []);
    // Loaded here: it takes a start as long as the whole description.
    const { brotliDecompress, gzip } = await import('node:zlib');
    const identity = await promisify(brotliDecompress)(content);
    return servedFile(made(identity), [made(content, 'br'), made(await promisify(gzip)(identity), 'gzip')]);
  }
}
