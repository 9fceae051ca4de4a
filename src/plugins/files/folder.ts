/** Finds the files of one folder and their precompressed variants, and caches them in memory until they change. */
import type { Stats } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Coding } from '../../core/http/headers/content-type.ts';
import { contentOf, openFile, statIfPresent } from './disk-file.ts';
import { mediaTypeOf } from './file-headers.ts';
import { isSettled, type ServedFile, variant } from './file-reply.ts';

interface FolderOptions {
  /** More headers of every reply, as a flat list. */
  readonly headers: readonly string[];
  /** Media types by file extension, before the known types. */
  readonly mediaTypes?: Readonly<Record<string, string>> | undefined;
  /** Uses precompressed files even if they are older than their file, because a checkout sets arbitrary times. */
  readonly ignoreAge?: boolean | undefined;
}

interface Entry {
  readonly file: ServedFile;
  /** The result of `stateOf` for the file and its variants on the disk. */
  readonly state: string;
  /** The time of the last check on the disk, from `performance.now()`. */
  checked: number;
}

const MIB = 2 ** 20;
/** The most bytes of a cached file. Sending a script of 1.7 MB from memory takes a sixth of the time from the disk. */
const MAX_CACHED_FILE_BYTES = 4 * MIB;
const MAX_CACHED_BYTES = 64 * MIB;
/** The bytes of an entry without the content. They limit the number of entries whose content is empty or not cached. */
const ENTRY_BYTES = 4096;
const MAX_ABSENT = 100;
/** The endings of a file and its variants, in order of preference, with their codings. */
const CODINGS: readonly (readonly [ending: string, coding?: Coding])[] = [[''], ['.br', 'br'], ['.gz', 'gzip']];
/** The time for which the result of a `stat` call is reused, in milliseconds. */
const STAT_TTL_MS = 20;
/** Two changes within this time, in milliseconds, may give a file the same times. */
const CTIME_GRANULARITY_MS = 100;
/** A variant may be older than its file by this time, in milliseconds, because files are copied one after the other. */
const AGE_TOLERANCE_MS = 1000;

export class Folder {
  /** The path of the folder: absolute, or relative to the working directory. */
  readonly root: string;
  readonly #options: FolderOptions;
  readonly #entries = new Map<string, Entry>();
  /** The running searches by name. Concurrent requests for a file share one search. */
  readonly #searches = new Map<string, Promise<ServedFile | undefined>>();
  /** For each absent first segment, the time of the last check. Saves reading the disk for each request of an API. */
  readonly #absent = new Map<string, number>();
  #cachedBytes = 0;

  constructor(root: string | URL, options: FolderOptions) {
    this.root = root instanceof URL ? fileURLToPath(root) : root;
    this.#options = options;
  }

  /**
   * Resolves to the file with this name, which `fileName` must have returned, or to undefined if the file does not
   * exist. Returns undefined, not a promise, if the first segment of the name was absent a moment ago. Rejects with a
   * 503 `HttpProblem` if the disk fails.
   */
  find(name: string): Promise<ServedFile | undefined> | undefined {
    if (performance.now() - (this.#absent.get(topOf(name)) ?? -Infinity) < STAT_TTL_MS) return undefined;
    const search = this.#searches.get(name) ?? this.#search(name).finally(() => this.#searches.delete(name));
    this.#searches.set(name, search);
    return search;
  }

  async #search(name: string): Promise<ServedFile | undefined> {
    const checked = performance.now();
    const entry = this.#entries.get(name);
    // The bytes of a large file come from the disk for each reply, so its replies can be newer than the entry.
    const isCached = entry?.file.identity.bytes !== undefined;
    if (isCached && checked - entry.checked < STAT_TTL_MS) return entry.file;
    const stats = await Promise.all(CODINGS.map(([ending]) => statIfPresent(`${this.root}/${name}${ending}`)));
    // Computed before the files are read, so that the next check detects a change during the read.
    const state = stateOf(stats);
    if (entry?.state === state) {
      entry.checked = checked;
      return entry.file;
    }
    if (entry !== undefined && this.#entries.delete(name)) this.#cachedBytes -= bytesOf(entry.file);
    if (stats[0] === undefined) {
      await this.#noteAbsent(topOf(name), checked);
      return undefined;
    }
    const settled = Date.now() - CTIME_GRANULARITY_MS;
    const file = await this.#load(name);
    // A file that has just changed is not cached, because its next change may give it the same times.
    if (file !== undefined && stats.every((entry) => entry === undefined || entry.ctimeMs < settled))
      this.#cache(name, { file, state, checked });
    return file;
  }

  async #noteAbsent(top: string, checked: number): Promise<void> {
    if ((await statIfPresent(`${this.root}/${top}`)) !== undefined) return;
    if (this.#absent.size >= MAX_ABSENT) this.#absent.clear();
    this.#absent.set(top, checked);
  }

  async #load(name: string): Promise<ServedFile | undefined> {
    const [original, ...others] = await Promise.all(CODINGS.map((coding) => this.#read(name, ...coding)));
    if (original === undefined) return undefined;
    const { headers, mediaTypes, ignoreAge = false } = this.#options;
    // A variant that is older than its file was made from an earlier version of the file.
    const oldest = ignoreAge ? -Infinity : original.mtimeMs - AGE_TOLERANCE_MS;
    const usable = others.filter((other) => other !== undefined).filter(({ mtimeMs }) => mtimeMs >= oldest);
    const shared = { mediaType: mediaTypeOf(name, mediaTypes), varies: usable.length > 0, headers };
    const [identity, ...encoded] = [original, ...usable].map((content) => variant({ ...shared, ...content }));
    return { identity: identity!, encoded };
  }

  async #read(original: string, ending: string, coding?: Coding) {
    const name = original + ending;
    const opened = await openFile(this.root, name);
    if (opened === undefined) return undefined;
    try {
      return { name, coding, ...(await contentOf(opened, MAX_CACHED_FILE_BYTES)) };
    } finally {
      await opened.handle.close();
    }
  }

  #cache(name: string, entry: Entry): void {
    this.#cachedBytes += bytesOf(entry.file);
    if (this.#cachedBytes > MAX_CACHED_BYTES) {
      this.#entries.clear();
      this.#cachedBytes = bytesOf(entry.file);
    }
    this.#entries.set(name, entry);
  }
}

const topOf = (name: string): string => name.split('/', 1)[0]!;

const bytesOf = ({ identity, encoded }: ServedFile): number =>
  [identity, ...encoded].reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), ENTRY_BYTES);

/** Returns a text that changes when a file changes, or when its entity tag or `Last-Modified` becomes reliable. */
const stateOf = (stats: readonly (Stats | undefined)[]): string =>
  stats
    .map((file) => {
      if (file === undefined) return undefined;
      const { dev, ino, size, mtimeMs, ctimeMs } = file;
      return [dev, ino, size, mtimeMs, ctimeMs, isSettled(mtimeMs), isSettled(ctimeMs)].join(' ');
    })
    .join();

/** The files of a folder as JSON, so that a bundler can embed them in a program. */
export interface EmbeddedFiles {
  /** The time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  /** The files by name. */
  readonly files: Readonly<Record<string, EmbeddedFile>>;
}

export interface EmbeddedFile {
  /** True if the content is compressed with Brotli. False if compression would not make the file shorter. */
  readonly brotli: boolean;
  readonly base64: string;
}

/**
 * A folder that is embedded in a program, with the same methods as `Folder`. The first request for a Brotli file
 * decompresses it. It also compresses the file with gzip, because browsers do not accept Brotli over an unencrypted
 * connection.
 */
export class EmbeddedFolder {
  /** The name of the folder in messages; it has no path. */
  readonly root = 'the files in this program';
  readonly #embedded: EmbeddedFiles;
  readonly #headers: readonly string[];
  readonly #found = new Map<string, Promise<ServedFile>>();

  /** `headers` are more headers of every reply, as a flat list. */
  constructor(embedded: EmbeddedFiles, { headers }: { readonly headers: readonly string[] }) {
    this.#embedded = embedded;
    this.#headers = headers;
  }

  /** Resolves to the file with this name. Returns undefined if it does not exist. Rejects if its Brotli is invalid. */
  find(name: string): Promise<ServedFile> | undefined {
    const { files } = this.#embedded;
    if (!Object.hasOwn(files, name)) return undefined;
    const found = this.#found.get(name) ?? this.#unpack(name, files[name]!);
    this.#found.set(name, found);
    return found;
  }

  async #unpack(name: string, { brotli, base64 }: EmbeddedFile): Promise<ServedFile> {
    const content = Buffer.from(base64, 'base64');
    const shared = { mediaType: mediaTypeOf(name), mtimeMs: this.#embedded.modified, headers: this.#headers };
    const variantOf = (bytes: Uint8Array, coding?: Coding) =>
      variant({ ...shared, name, bytes, length: bytes.length, coding, varies: brotli });
    if (!brotli) return { identity: variantOf(content), encoded: [] };
    // Loaded only when it is needed, because loading it takes as long as making the whole description.
    const { brotliDecompress, gzip } = await import('node:zlib');
    const identity = await promisify(brotliDecompress)(content);
    const gzipped = await promisify(gzip)(identity);
    return { identity: variantOf(identity), encoded: [variantOf(content, 'br'), variantOf(gzipped, 'gzip')] };
  }
}
