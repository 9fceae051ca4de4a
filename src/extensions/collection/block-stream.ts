/**
 * Streams a large list as it was when the stream was opened, while its items change.
 *
 * A stream makes the bytes of a block when its client has taken the ones before, so a list of any size takes the memory
 * of a few blocks. Before a block changes, the streams that still need it keep its bytes.
 */
import { Readable } from 'node:stream';

/** The bytes of a part of the list, each item with a comma in front. */
interface Part {
  bytes(isKept: boolean): Buffer;
}

/** Bytes that all streams may keep together. Beyond it, the one that keeps most is destroyed. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** The streams of one list that are open. */
export class BlockStreams {
  readonly #open = new Set<BlockStream>();
  readonly #maxKept: number;

  constructor(maxKept = MAX_KEPT_BYTES) {
    this.#maxKept = maxKept;
  }

  /** The JSON array of these parts, as they are now. */
  open(parts: Iterable<Part>): Readable {
    const stream = new BlockStream(parts, () => this.#open.delete(stream));
    this.#open.add(stream);
    return stream;
  }

  /** Is called before a part changes. */
  keep(part: Part): void {
    if (this.#open.size === 0) return;
    let bytes: Buffer | undefined;
    let sum = 0;
    for (const stream of this.#open) {
      if (stream.needs(part)) stream.keep(part, (bytes ??= part.bytes(false)));
      sum += stream.kept;
    }
    while (sum > this.#maxKept) {
      const [most] = [...this.#open].sort((one, other) => other.kept - one.kept);
      sum -= most!.kept;
      this.#open.delete(most!);
      most!.destroy(new Error('Its client reads a large list too slowly while its items change'));
    }
  }
}

class BlockStream extends Readable {
  /** What is still to be sent, in order. */
  readonly #parts: Set<Part>;
  /** Those that have changed since, as they were. */
  readonly #earlier = new Map<Part, Buffer>();
  readonly #release: () => void;
  #isOpening = true;
  kept = 0;

  constructor(parts: Iterable<Part>, release: () => void) {
    super();
    this.#parts = new Set(parts);
    this.#release = release;
  }

  needs(part: Part): boolean {
    return this.#parts.has(part) && !this.#earlier.has(part);
  }

  keep(part: Part, bytes: Buffer): void {
    this.#earlier.set(part, bytes);
    this.kept += bytes.length;
  }

  override _read(): void {
    const [part] = this.#parts;
    if (this.#isOpening) this.push('[');
    if (part === undefined) {
      this.push(']');
      this.push(null);
      return;
    }
    const earlier = this.#earlier.get(part);
    const bytes = earlier ?? part.bytes(false);
    this.#parts.delete(part);
    this.#earlier.delete(part);
    this.kept -= earlier?.length ?? 0;
    const isFirst = this.#isOpening;
    this.#isOpening = false;
    this.push(isFirst ? bytes.subarray(1) : bytes);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#release();
    this.#parts.clear();
    this.#earlier.clear();
    done(error);
  }
}
