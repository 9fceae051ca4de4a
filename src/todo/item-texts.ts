/**
 * How the items of a store are written, and measured without being written.
 *
 * The length of a text is wanted at once – by the limit of the store, and by the list – and is known without writing for nearly
 * every name: JSON keeps printable ASCII as it is, but for the quote and the backslash. Any other name is written to be measured.
 */
import type { StoredItem } from './stored-item.ts';
import type { TodoItem } from './todo-item.ts';

const AS_IT_IS = /^[ !#-[\]-~]*$/;
const ANY_KEY = '00000000-0000-4000-8000-000000000000';

/** The text of an item around its key and its name. */
interface TextFrame {
  readonly beforeKey: string;
  readonly beforeName: string;
  readonly behind: string;
  /** In bytes, that of the key included. */
  readonly length: number;
}

/** Cuts the text of an item with an empty name. */
function frameOf(text: string): TextFrame {
  const keyAt = text.indexOf(ANY_KEY),
    keyEnd = keyAt + ANY_KEY.length,
    nameAt = text.indexOf('""', keyEnd) + 1;
  return {
    beforeKey: text.slice(0, keyAt),
    beforeName: text.slice(keyEnd, nameAt),
    behind: text.slice(nameAt),
    length: text.length,
  };
}

/** How items are written and measured. Every key has the length of a GUID. */
export class ItemTexts {
  readonly #write: (item: TodoItem) => string;
  readonly #ofTrue: TextFrame;
  readonly #ofFalse: TextFrame;

  /** `write` makes the text of an item: its key in front of its name. */
  constructor(write: (item: TodoItem) => string) {
    this.#write = write;
    this.#ofTrue = frameOf(write({ key: ANY_KEY, name: '', isComplete: true }));
    this.#ofFalse = frameOf(write({ key: ANY_KEY, name: '', isComplete: false }));
  }

  /** The text of an item that cannot be measured without it. */
  toMeasure(key: string, { name, isComplete }: TodoItem): string | undefined {
    return typeof name === 'string' && AS_IT_IS.test(name) ? undefined : this.#write({ key, name, isComplete });
  }

  /** Bytes of the text; `text` is what `toMeasure` gave for this item. */
  lengthOf({ name, isComplete }: TodoItem, text: string | undefined): number {
    if (text !== undefined) return Buffer.byteLength(text);
    return (isComplete ? this.#ofTrue : this.#ofFalse).length + name!.length;
  }

  /**
   * Is this text, from which the stored item was read, also the text that is written for it? An item that is not written yet is not
   * written for that (7 % of a PUT); the frame is compared, which takes 1 %. In a text of this length the frame leaves room for key and
   * name exactly, and no shorter text stands for either, so nothing else can be between.
   */
  isBodyOf({ key, length, name, isComplete, body }: StoredItem, text: string): boolean {
    if (body !== undefined) return body === text;
    if (text.length !== length) return false;
    const { beforeKey, beforeName, behind } = isComplete ? this.#ofTrue : this.#ofFalse;
    const keyAt = beforeKey.length,
      keyEnd = keyAt + key.length,
      nameAt = keyEnd + beforeName.length,
      nameEnd = nameAt + name!.length;
    return (
      text.slice(0, keyAt) === beforeKey && text.slice(keyEnd, nameAt) === beforeName && text.slice(nameEnd) === behind
    );
  }

  /** The text of a stored item, kept until it changes. */
  bodyOf(stored: StoredItem): string {
    if (stored.body === undefined) {
      stored.body = this.once(stored);
      stored.name = null;
    }
    return stored.body;
  }

  /** The text of a stored item; one that is written now is not kept. */
  once({ key, length, name, isComplete, body }: StoredItem): string {
    if (body !== undefined) return body;
    const text = this.#write({ key, name, isComplete });
    // Also joins the pieces that V8 leaves a text in, which take thrice the memory.
    if (Buffer.byteLength(text) !== length)
      throw new Error(`The item ${key} was measured as ${length} bytes, but it is not`);
    return text;
  }
}

/** Bytes of memory that a text takes, if it was to be measured: a letter takes one where all are Latin, else two. */
export const memoryOf = (text: string | undefined, length: number): number =>
  text === undefined || text.length === length ? length : 2 * text.length;
