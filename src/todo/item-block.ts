/** A stretch of the list: some items that follow one another, and their bytes until one of them changes. */

/** A block takes items until it has this many bytes or items: small enough to make anew, large enough to be one good write. */
const FULL_BYTES = 48 * 1024,
  FULL_ITEMS = 512;

const COMMA = 44;

/** Some items that follow one another in the list. */
export class ItemBlock<Item extends { readonly length: number }> {
  readonly #items: Item[] = [];
  readonly #bodyOf: (item: Item) => string;
  #length = 0;
  #bytes: Buffer | undefined;

  /** `bodyOf` gives the text of an item, of which `length` is the length in bytes. */
  constructor(bodyOf: (item: Item) => string) {
    this.#bodyOf = bodyOf;
  }

  get full(): boolean {
    return this.#length >= FULL_BYTES || this.#items.length >= FULL_ITEMS;
  }

  get empty(): boolean {
    return this.#items.length === 0;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.changed(item.length);
  }

  remove(item: Item): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    this.changed(-item.length);
  }

  /** An item's text has grown by so many bytes. */
  changed(growth: number): void {
    this.#length += growth;
    this.#bytes = undefined;
  }

  /** The items' texts with commas between them. */
  text(): string {
    let text = '';
    for (const item of this.#items) text += (text === '' ? '' : ',') + this.#bodyOf(item);
    return text;
  }

  /**
   * The same in UTF-8, with a comma in front. Written item by item: joined to one text first, the whole list at once was
   * more than a small heap that the items fill has left.
   */
  bytes(): Buffer {
    if (this.#bytes !== undefined) return this.#bytes;
    const bytes = Buffer.allocUnsafeSlow(this.#length + this.#items.length);
    let at = 0;
    for (const item of this.#items) {
      bytes[at++] = COMMA;
      at += bytes.write(this.#bodyOf(item), at);
    }
    return (this.#bytes = bytes);
  }
}
