/**
 * The files of one folder: asked of the disk, and kept in memory for as long as the disk has not changed.
 *
 * A page's script of 1.7 MB costs six times as much from the disk as from memory, and an API request that passes by a static
 * folder at `/` would cost a look at the disk each. Both are remembered – what is there, and what is not – and trusted for
 * 20 ms after the last look; then the first who asks looks again, and whoever comes meanwhile waits for that one look.
 * What is remembered is bounded, however many names a client thinks of.
 */
import type { Stats } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AbsentNames } from './absent-names.ts';
import { look, TRUSTED } from './disk-file.ts';
import type { ServedFile } from './file-variant.ts';
import { type LoadedFile, type LoadOptions, loadFile, SUFFIXES, sameState } from './load-file.ts';

/** What a folder may be told beside its root. */
export interface FolderOptions extends Partial<LoadOptions> {
  /** Bytes held in memory in all. */
  readonly held?: number;
  /** Files remembered in all. */
  readonly files?: number;
}

const MIB = 2 ** 20;

/** Milliseconds that a file must have rested before its content was read; a change within the clock's grain shows nowhere. */
const RESTED = 100;

/** A file remembered. */
interface Entry extends LoadedFile {
  looked: number;
  /** Asked for since the last clearance. */
  wanted: boolean;
  /** The look under way. */
  looking: Promise<ServedFile | undefined> | undefined;
  /** Was it read long enough after its last change? */
  readonly rested: boolean;
}

export class Folder {
  /** An absolute path, or one relative to the working directory. */
  readonly root: string;
  readonly #options: LoadOptions;
  readonly #mostHeld: number;
  readonly #mostFiles: number;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<ServedFile | undefined>>();
  readonly #absent: AbsentNames;
  #held = 0;

  constructor(root: string | URL, options: FolderOptions = {}) {
    const { largestHeld = 4 * MIB, lines = [], anyAge = false, held = 64 * MIB, files = 1000 } = options;
    this.root = root instanceof URL ? fileURLToPath(root) : root;
    this.#options = { largestHeld, lines, anyAge };
    this.#mostHeld = held;
    this.#mostFiles = files;
    this.#absent = new AbsentNames(this.root);
  }

  /** Bytes held at the moment. */
  get held(): number {
    return this.#held;
  }

  /**
   * The file of a name that `fileName` gave, undefined where there is none to serve. At once while the last look at the disk
   * is fresh. A promise rejects with a 503 `HttpProblem` when the disk cannot tell at the moment.
   */
  find(name: string): ServedFile | undefined | Promise<ServedFile | undefined> {
    const entry = this.#entries.get(name);
    if (entry !== undefined) {
      entry.wanted = true;
      if (performance.now() - entry.looked < TRUSTED) return entry.file;
      return (entry.looking ??= this.#lookAgain(name, entry).finally(() => {
        entry.looking = undefined;
      }));
    }
    const absent = this.#absent.has(name);
    if (absent === true) return undefined;
    return absent === false ? this.#load(name) : absent.then((still) => (still ? undefined : this.find(name)));
  }

  async #lookAgain(name: string, entry: Entry): Promise<ServedFile | undefined> {
    const looked = performance.now();
    const states = await Promise.all(SUFFIXES.map((suffix) => look(`${this.root}/${name}${suffix}`)));
    if (entry.rested && states.every((state, at) => sameState(state, entry.states[at]))) {
      entry.looked = looked;
      return entry.file;
    }
    return this.#load(name);
  }

  #load(name: string): Promise<ServedFile | undefined> {
    const under = this.#loading.get(name);
    if (under !== undefined) return under;
    const loading = this.#loadNow(name).finally(() => {
      this.#loading.delete(name);
    });
    this.#loading.set(name, loading);
    return loading;
  }

  async #loadNow(name: string): Promise<ServedFile | undefined> {
    const looked = performance.now(),
      started = Date.now();
    const loaded =
      (await look(`${this.root}/${name}`)) === undefined ? undefined : await loadFile(this.root, name, this.#options);
    this.#forget(name);
    if (loaded === undefined) {
      await this.#absent.learn(name);
      return undefined;
    }
    const rested = loaded.states.every((state) => state === undefined || restedAt(started, state));
    this.#entries.set(name, { ...loaded, looked, rested, wanted: false, looking: undefined });
    this.#held += loaded.held;
    this.#makeRoom();
    return loaded.file;
  }

  #forget(name: string): void {
    this.#held -= this.#entries.get(name)?.held ?? 0;
    this.#entries.delete(name);
  }

  /** The oldest go first; one that was asked for since the last clearance is spared once. */
  #makeRoom(): void {
    for (const [name, entry] of this.#entries) {
      if (this.#held <= this.#mostHeld && this.#entries.size <= this.#mostFiles) return;
      this.#forget(name);
      if (!entry.wanted) continue;
      entry.wanted = false;
      this.#entries.set(name, entry);
      this.#held += entry.held;
    }
  }
}

/** A change in the future, by a clock that was set back, is as old as it is ahead. */
const restedAt = (time: number, state: Stats): boolean => Math.abs(time - state.ctimeMs) > RESTED;
