/**
 * Builds the JSON array of a collection from blocks of its items.
 *
 * After a change one block is built again, and the others are shared with lists that are still being sent. A stream
 * makes the bytes of a block when its client has taken the ones before, so it takes the memory of a few blocks. It
 * sends the list as it was when it was opened: before a block changes, the streams that still need it keep its bytes.
 */
import { Readable } from 'node:stream';

/** A list of at most this many bytes is one string, which leaves in one write with the head of its reply. */
const MAX_STRING_LENGTH = 32 * 1024;
/** The size at which a block is full: small enough to build again after a change, large enough for one write. */
const FULL_BYTES = 48 * 1024;
const FULL_ITEMS = 512;
/** Bytes that all streams may keep together. Beyond it, the one that keeps most is destroyed. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Elements of an array that is made in the new space, below 128 KiB. */
const MAX_ARRAY = 8192;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = 0x2c;

/** Items that follow one another in a list. */
export interface Block {
  readonly items: ListItem[];
  /** Of their texts in UTF-8, each with a comma in front. */
  length: number;
  /** Once they are made for a list. They are never modified, so later lists share them. */
  bytes: Buffer | undefined;
}

interface ListItem {
  readonly block: Block;
  readonly body: string;
  /** Bytes of the body in UTF-8. */
  readonly length: number;
}

/** What an open stream needs. */
interface Reading {
  /** What is still to be sent, in order. */
  readonly blocks: Set<Block>;
  /** Those of them that have changed since, as they were. */
  readonly kept: Map<Block, Buffer>;
  keptBytes: number;
}

/** Items in the order of their creation, each with the block that contains it. */
export class BlockList {
  #blocks: Block[] = [];
  readonly #readings = new Map<Readable, Reading>();
  readonly #maxKept: number;
  #bytes = 0;

  constructor(maxKept = MAX_KEPT_BYTES) {
    this.#maxKept = maxKept;
  }

  /** Bytes of the JSON array in UTF-8. The first item has a bracket in the place of its comma. */
  get length(): number {
    return Math.max(this.#bytes, 1) + 1;
  }

  /** The block that the next item belongs to. */
  open(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.length < FULL_BYTES && last.items.length < FULL_ITEMS) return last;
    const block: Block = { items: [], length: 0, bytes: undefined };
    this.#blocks.push(block);
    return block;
  }

  /** Appends an item whose block is `open()`. */
  add(item: ListItem): void {
    this.resize(item, item.length + 1);
    item.block.items.push(item);
  }

  /** Is called before the text of an item becomes `growth` bytes longer. */
  resize({ block }: ListItem, growth: number): void {
    if (this.#readings.size > 0) this.#keep(block);
    block.length += growth;
    block.bytes = undefined;
    this.#bytes += growth;
  }

  remove(item: ListItem): void {
    const { block } = item;
    this.resize(item, -item.length - 1);
    block.items.splice(block.items.indexOf(item), 1);
    if (block.items.length === 0) this.#blocks = this.#blocks.filter((other) => other !== block);
  }

  /** The JSON array: a string, or chunks of UTF-8 that all lists share until one of their items changes. */
  body(): string | Uint8Array[] {
    if (this.length <= MAX_STRING_LENGTH) {
      let texts = '';
      for (const { items } of this.#blocks) for (const { body } of items) texts += texts === '' ? body : `,${body}`;
      const text = `[${texts}]`;
      // The count makes V8 flatten the concatenated string, which saves a seventh of a read of a hundred items.
      Buffer.byteLength(text);
      return text;
    }
    const [first, ...others] = this.#blocks.map((block) => (block.bytes ??= bytesOf(block)));
    return [OPEN, first!.subarray(1), ...others, CLOSE];
  }

  /** A stream of the JSON array as it is now. */
  stream(): Readable {
    const reading: Reading = { blocks: new Set(this.#blocks), kept: new Map(), keptBytes: 0 };
    // Without a water mark no block is made before the one in front is taken: one for each client, and not two.
    const stream = Readable.from(chunks(reading), { objectMode: false, highWaterMark: 0 });
    this.#readings.set(stream, reading);
    return stream.once('close', () => this.#readings.delete(stream));
  }

  /** Keeps the bytes of a block for the streams that still need it. */
  #keep(block: Block): void {
    const bytes = bytesOf(block);
    let sum = 0;
    for (const reading of this.#readings.values()) {
      if (reading.blocks.has(block) && !reading.kept.has(block)) {
        reading.kept.set(block, bytes);
        reading.keptBytes += bytes.length;
      }
      sum += reading.keptBytes;
    }
    while (sum > this.#maxKept) {
      const [most] = [...this.#readings].sort(([, one], [, other]) => other.keptBytes - one.keptBytes);
      const [stream, { keptBytes }] = most!;
      sum -= keptBytes;
      this.#readings.delete(stream);
      stream.destroy(new Error('Its client reads a large list too slowly while its items change'));
    }
  }
}

function* chunks(reading: Reading): Generator<Buffer> {
  const { blocks, kept } = reading;
  yield OPEN;
  let start = 1;
  for (const block of blocks) {
    const bytes = kept.get(block) ?? bytesOf(block);
    blocks.delete(block);
    if (kept.delete(block)) reading.keptBytes -= bytes.length;
    // V8 counts what is outside of its heap late: lists left 80 MB of such buffers. Arrays that nobody keeps make it
    // look sooner; longer ones would be old at once.
    new Array(Math.min(bytes.length >>> 4, MAX_ARRAY));
    yield bytes.subarray(start);
    start = 0;
  }
  yield CLOSE;
}

function bytesOf({ items, length, bytes: made }: Block): Buffer {
  if (made !== undefined) return made;
  // Writes each text alone: a string of the whole list does not fit into a heap that the items nearly fill.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { body } of items) {
    bytes[at++] = COMMA;
    at += bytes.write(body, at);
  }
  return bytes;
}
