/**
 * An item of the store, and its text, which is written when it is first read after a change.
 *
 * Whoever replaces an item is not sent it, so writing the text at once is for nobody: measured, 3 % of a PUT. Its length is wanted
 * at once – by the limit of the store, and by the list – and is known without writing for nearly every name: JSON keeps
 * printable ASCII as it is, but for the quote and the backslash. Any other name is written to be measured.
 */
import type { Representation } from '../api/representation.ts';
import type { Reply } from '../http/context.ts';
import type { ItemBlock } from './item-block.ts';
import type { TodoItem } from './todo-item.ts';

/** Makes the text of an item. */
export type WriteItem = (item: TodoItem) => string;

/** One state of an item, measured and perhaps not written yet. */
class ItemState {
  /** Until the text is there, which holds it too. */
  name: string | null;
  readonly isComplete: boolean;
  text: string | undefined;
  /** Of the text, in bytes. */
  readonly length: number;
  /** Memory that the text takes, in bytes: a letter takes one where all are Latin, else two. */
  readonly memory: number;

  constructor(name: string | null, isComplete: boolean, text: string | undefined, length: number, memory: number) {
    this.name = name;
    this.isComplete = isComplete;
    this.text = text;
    this.length = length;
    this.memory = memory;
  }
}

/** Measures an item under a key. */
export type MeasureItem = (key: string, item: TodoItem) => ItemState;

const AS_IT_IS = /^[ !#-[\]-~]*$/;
const ANY_KEY = '00000000-0000-4000-8000-000000000000';

/** How items are measured whose texts are made by `write`. Every key has the length of a GUID. */
export function measuring(write: WriteItem): MeasureItem {
  const around = (isComplete: boolean): number => write({ key: ANY_KEY, name: '', isComplete }).length;
  const aroundTrue = around(true), aroundFalse = around(false);
  return (key, { name, isComplete }) => {
    if (typeof name === 'string' && AS_IT_IS.test(name)) {
      const length = (isComplete ? aroundTrue : aroundFalse) + name.length;
      return new ItemState(name, isComplete, undefined, length, length);
    }
    const text = write({ key, name, isComplete }), length = Buffer.byteLength(text);
    return new ItemState(null, isComplete, text, length, length === text.length ? length : 2 * text.length);
  };
}

/** What is sent for an item, and where it stands in the list. */
export class StoredItem implements Representation<TodoItem> {
  readonly key: string;
  readonly block: ItemBlock;
  state: ItemState;
  version: number;
  replies: Reply[] | undefined = undefined;
  readonly #write: WriteItem;

  constructor(key: string, block: ItemBlock, state: ItemState, version: number, write: WriteItem) {
    this.key = key;
    this.block = block;
    this.state = state;
    this.version = version;
    this.#write = write;
  }

  get body(): string {
    const { state } = this;
    if (state.text === undefined) {
      state.text = this.#written();
      state.name = null;
    }
    return state.text;
  }

  /** For one answer: a text that is written now is not kept. Of a million items that are created, few are read soon. */
  once(): Representation<TodoItem> {
    return { body: this.state.text ?? this.#written(), length: this.length, version: this.version, replies: undefined };
  }

  #written(): string {
    const { key, state: { name, isComplete, length } } = this;
    const text = this.#write({ key, name, isComplete });
    // Also joins the pieces that V8 leaves a text in, which take thrice the memory.
    if (Buffer.byteLength(text) !== length) throw new Error(`The item ${key} was measured as ${length} bytes, but it is not`);
    return text;
  }

  get length(): number {
    return this.state.length;
  }
}
