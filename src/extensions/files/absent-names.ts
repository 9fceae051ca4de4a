/**
 * Caches the names that a folder does not have (a negative cache).
 *
 * With a static folder at `/`, every `GET /api/todo/{id}` asks for another name that is absent. The folder has no `api`
 * either, so the cache stores the shortest absent prefix, and one entry answers for all names below it. The number of
 * entries is bounded; the oldest is evicted first.
 */
import { STAT_TTL_MS, statIfPresent } from './disk-file.ts';

const MAX_NAMES = 1000;
/** Longer prefixes, in path segments and in characters, are not cached. */
const MAX_DEPTH = 4;
const MAX_LENGTH = 255;

interface Absence {
  /** When the disk was last asked, by `performance.now()`. */
  checked: number;
  /** The check that is running. */
  checking: Promise<boolean> | undefined;
}

export class AbsentNames {
  readonly #root: string;
  readonly #names = new Map<string, Absence>();

  constructor(root: string) {
    this.#root = root;
  }

  /** How many names are cached. */
  get size(): number {
    return this.#names.size;
  }

  /** Is this name known to be absent? A promise while the disk is asked again because the entry has expired. */
  has(name: string): boolean | Promise<boolean> {
    if (this.#names.size === 0) return false;
    for (let depth = 0, end = 0; depth < MAX_DEPTH && end < name.length; depth++) {
      end = segmentEnd(name, end);
      const absence = this.#names.get(name.slice(0, end));
      if (absence === undefined) continue;
      if (performance.now() - absence.checked < STAT_TTL_MS) return true;
      return (absence.checking ??= this.#checkAgain(name.slice(0, end), absence).finally(() => {
        absence.checking = undefined;
      }));
    }
    return false;
  }

  /** Caches the shortest prefix of the name that is absent, if one is. Rejects as `statIfPresent` does. */
  async learn(name: string): Promise<void> {
    for (let depth = 0, end = 0; depth < MAX_DEPTH && end < name.length; depth++) {
      end = segmentEnd(name, end);
      if (end > MAX_LENGTH) return;
      const prefix = name.slice(0, end);
      const checked = performance.now();
      if ((await statIfPresent(`${this.#root}/${prefix}`)) !== undefined) continue;
      this.#names.delete(prefix);
      this.#names.set(prefix, { checked, checking: undefined });
      if (this.#names.size > MAX_NAMES) this.#names.delete(this.#names.keys().next().value!);
      return;
    }
  }

  async #checkAgain(prefix: string, absence: Absence): Promise<boolean> {
    const checked = performance.now();
    if ((await statIfPresent(`${this.#root}/${prefix}`)) === undefined) {
      absence.checked = checked;
      return true;
    }
    this.#names.delete(prefix);
    return false;
  }
}

/** The end of the path segment that begins at `start`, or behind the slash at `start`. */
function segmentEnd(name: string, start: number): number {
  const slash = name.indexOf('/', start + 1);
  return slash < 0 ? name.length : slash;
}
