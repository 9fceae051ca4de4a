/**
 * Names that a folder does not have.
 *
 * With a static folder at `/`, `GET /api/todo/{id}` asks for another name each time, and none of them is there. What *is*
 * known is that the folder has no `api`: so the shortest missing beginning is remembered, and one line answers for all the
 * names below it. Believed as long as a file that is there, and of bounded number: the oldest is forgotten.
 */
import { look, TRUSTED } from './disk-file.ts';

const MOST = 1000;
/** Beginnings of at most this many pieces and this many characters are remembered; what is longer is asked of the disk. */
const DEEPEST = 4,
  LONGEST = 255;

interface Absence {
  looked: number;
  looking: Promise<boolean> | undefined;
}

export class AbsentNames {
  readonly #root: string;
  readonly #names = new Map<string, Absence>();

  constructor(root: string) {
    this.#root = root;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#names.size;
  }

  /** Is this name known not to be there? A promise when what is known has aged and the disk is being asked. */
  has(name: string): boolean | Promise<boolean> {
    if (this.#names.size === 0) return false;
    for (let depth = 0, end = 0; depth < DEEPEST && end < name.length; depth++) {
      end = endOfPiece(name, end);
      const absence = this.#names.get(name.slice(0, end));
      if (absence === undefined) continue;
      if (performance.now() - absence.looked < TRUSTED) return true;
      return (absence.looking ??= this.#lookAgain(name.slice(0, end), absence).finally(() => {
        absence.looking = undefined;
      }));
    }
    return false;
  }

  /** Remembers the shortest beginning that is missing, if any is. */
  async learn(name: string): Promise<void> {
    for (let depth = 0, end = 0; depth < DEEPEST && end < name.length; depth++) {
      end = endOfPiece(name, end);
      if (end > LONGEST) return;
      const beginning = name.slice(0, end),
        looked = performance.now();
      if ((await look(`${this.#root}/${beginning}`)) !== undefined) continue;
      this.#names.delete(beginning);
      this.#names.set(beginning, { looked, looking: undefined });
      if (this.#names.size > MOST) this.#names.delete(this.#names.keys().next().value!);
      return;
    }
  }

  async #lookAgain(beginning: string, absence: Absence): Promise<boolean> {
    const looked = performance.now();
    if ((await look(`${this.#root}/${beginning}`)) === undefined) {
      absence.looked = looked;
      return true;
    }
    this.#names.delete(beginning);
    return false;
  }
}

/** Where the piece that begins at `start`, or at the slash there, ends. */
function endOfPiece(name: string, start: number): number {
  const slash = name.indexOf('/', start + 1);
  return slash < 0 ? name.length : slash;
}
