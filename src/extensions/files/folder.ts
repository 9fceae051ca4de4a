/** Finds the files of one folder and their precompressed variants, and caches them in memory until they change. */
import type { Stats } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Coding } from '../../core/message/headers/content-type.ts';
import { openFile, readBytes, statIfPresent } from './disk-file.ts';
import { mediaTypeOf } from './file-headers.ts';
import { isSettled, type ServedFile, variant } from './file-reply.ts';

/** How a folder is answered. */
export interface FolderOptions {
  /** Further headers of every reply, as a flat list. */
  readonly headers: readonly string[];
  /** Takes precompressed files of any age. The files of a checkout have arbitrary times. */
  readonly ignoreAge?: boolean | undefined;
}

interface Entry {
  readonly file: ServedFile;
  /** The state on the disk of the file and of its variants. */
  readonly state: string;
  /** When the disk was last asked, by `performance.now()`. */
  checked: number;
}

const MIB = 2 ** 20;
/** The largest file that is cached: a script of 1.7 MB from memory costs a sixth of one from the disk. */
const MAX_CACHED_FILE_BYTES = 4 * MIB;
/** Most bytes in memory, all files together. */
const MAX_CACHED_BYTES = 64 * MIB;
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
  readonly #entries = new Map<string, Entry>();
  /** The searches that have not ended: requests for one file share one. */
  readonly #searches = new Map<string, Promise<ServedFile | undefined>>();
  /** When each of these first segments of names was last absent: the requests of an API do not touch the disk. */
  readonly #absent = new Map<string, number>();
  #cachedBytes = 0;

  constructor(root: string | URL, options: FolderOptions) {
    this.root = root instanceof URL ? fileURLToPath(root) : root;
    this.#options = options;
  }

  /**
   * Resolves to the file with a name from `fileName`, or to undefined if the file does not exist. Returns undefined at
   * once if the first segment of the name was absent a moment ago. Rejects with a 503 `HttpProblem` if the disk fails.
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
    if (entry !== undefined && checked - entry.checked < STAT_TTL_MS) return entry.file;
    const stats = await Promise.all(CODINGS.map(([ending]) => statIfPresent(`${this.root}/${name}${ending}`)));
    // Before the files are read: the next check sees a change during the reading, and a time that has become settled.
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
    // A file that has just changed is read anew.
    if (file !== undefined && stats.every((one) => one === undefined || one.ctimeMs < settled))
      this.#keep(name, { file, state, checked });
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
    const { headers, ignoreAge = false } = this.#options;
    // A variant that is older than its file was made from another file.
    const oldest = ignoreAge ? -Infinity : original.mtimeMs - AGE_TOLERANCE_MS;
    const usable = others.filter((one) => one !== undefined).filter(({ mtimeMs }) => mtimeMs >= oldest);
    const shared = { mediaType: mediaTypeOf(name), varies: usable.length > 0, headers };
    const [identity, ...encoded] = [original, ...usable].map((content) => variant({ ...shared, ...content }));
    return { identity: identity!, encoded };
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

  #keep(name: string, entry: Entry): void {
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
  [identity, ...encoded].reduce((sum, one) => sum + (one.bytes?.length ?? 0), ENTRY_BYTES);

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
 * A folder of files that a program carries inside itself, which answers as `Folder` does. The first request for a file
 * that is compressed with Brotli decompresses it and compresses it with gzip: over a connection that is not encrypted,
 * browsers take no Brotli.
 */
export class EmbeddedFolder {
  /** What messages name in the place of a path. */
  readonly root = 'the files in this program';
  readonly #embedded: EmbeddedFiles;
  readonly #headers: readonly string[];
  readonly #found = new Map<string, Promise<ServedFile>>();

  /** `headers` are further ones of every reply, as a flat list. */
  constructor(embedded: EmbeddedFiles, { headers }: { readonly headers: readonly string[] }) {
    this.#embedded = embedded;
    this.#headers = headers;
  }

  /** Returns the file with this name, or undefined if the file does not exist. Rejects if its bytes are not Brotli. */
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
    const made = (bytes: Uint8Array, coding?: Coding) =>
      variant({ ...shared, name, bytes, length: bytes.length, coding, varies: brotli });
    if (!brotli) return { identity: made(content), encoded: [] };
    // Loaded here: it takes a start as long as the whole description.
    const { brotliDecompress, gzip } = await import('node:zlib');
    const identity = await promisify(brotliDecompress)(content);
    return { identity: made(identity), encoded: [made(content, 'br'), made(await promisify(gzip)(identity), 'gzip')] };
  }
}
