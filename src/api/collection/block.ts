/**
 * Joins the texts of neighbouring items into one buffer and keeps it until one of them changes.
 *
 * The buffer is never modified, so replies that are still being sent can share it with later lists.
 */

/** The size at which a block is full: small enough to build again after a change, large enough for one write. */
const FULL_BYTES = 48 * 1024;
const FULL_ITEMS = 512;

const COMMA = 0x2c;

/** Items that follow one another in a list; `length` is that of the text of an item, in bytes of UTF-8. */
export class Block<Item extends { readonly length: number }> {
  readonly #items: Item[] = [];
  readonly #textOf: (item: Item) => string;
  #length = 0;
  #bytes: Buffer | undefined;

  constructor(textOf: (item: Item) => string) {
    this.#textOf = textOf;
  }

  get isFull(): boolean {
    return this.#length >= FULL_BYTES || this.#items.length >= FULL_ITEMS;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.resize(item.length);
  }

  remove(item: Item): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    this.resize(-item.length);
  }

  /** Records that the text of an item has become `growth` bytes longer, and drops the buffer. */
  resize(growth: number): void {
    this.#length += growth;
    this.#bytes = undefined;
  }

  /** The texts with commas between them. */
  text(): string {
    let text = '';
    for (const item of this.#items) text += (text === '' ? '' : ',') + this.#textOf(item);
    return text;
  }

  /** The texts in UTF-8, each with a comma in front. */
  bytes(): Buffer {
    if (this.#bytes !== undefined) return this.#bytes;
    // Writes each text alone: a string of the whole list does not fit into a heap that the items nearly fill.
    const bytes = Buffer.allocUnsafeSlow(this.#length + this.#items.length);
    let at = 0;
    for (const item of this.#items) {
      bytes[at++] = COMMA;
      at += bytes.write(this.#textOf(item), at);
    }
    return (this.#bytes = bytes);
  }
}
