/**
 * Joins chunks into one buffer that doubles, because a chunk of one byte would take more than 200 bytes of memory. The
 * first chunk is not copied, so a body in one chunk is never copied.
 */
export class GrowingBytes {
  length = 0;
  readonly #max: number;
  #memory: Buffer = Buffer.alloc(0);

  /** `max` is the length that the bytes never exceed. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Appends a chunk. Returns the number of bytes by which the buffer has grown. */
  append(chunk: Buffer): number {
    const { length } = this;
    const size = this.#memory.length;
    this.length += chunk.length;
    if (length === 0) this.#memory = chunk;
    else {
      if (this.length > size) {
        const grown = Buffer.allocUnsafeSlow(Math.max(this.length, Math.min(2 * size, this.#max)));
        grown.set(this.#memory);
        this.#memory = grown;
      }
      this.#memory.set(chunk, length);
    }
    return this.#memory.length - size;
  }

  /** Removes all bytes and returns them. */
  take(): Buffer {
    const bytes = this.#memory.subarray(0, this.length);
    this.#memory = Buffer.alloc(0);
    this.length = 0;
    return bytes;
  }
}
