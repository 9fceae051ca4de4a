/**
 * Bounds the memory of the chunks that are being sent, each counted once for all replies that share it.
 *
 * Slow readers of a list that changes hold a copy each: sixty held 1,048 MB, forty readers of one copy 131 MB.
 */

/** Bytes that may be in flight, and bodies of the size at hand that may be in flight even if they are more. */
const MAX_BYTES = 64 * 1024 * 1024;
const MIN_BODIES = 4;

export class InFlightChunks {
  readonly #holders = new Map<Uint8Array, number>();
  #bytes = 0;

  /** Counts the chunks of a body and returns true; returns false where they do not fit. */
  take(chunks: readonly Uint8Array[]): boolean {
    const before = this.#bytes;
    let bodyBytes = 0;
    for (const chunk of chunks) {
      const holders = this.#holders.get(chunk) ?? 0;
      if (holders === 0) this.#bytes += chunk.length;
      this.#holders.set(chunk, holders + 1);
      bodyBytes += chunk.length;
    }
    if (this.#bytes === before || this.#bytes <= Math.max(MAX_BYTES, MIN_BODIES * bodyBytes)) return true;
    this.release(chunks);
    return false;
  }

  /** Gives back what `take` has counted for these chunks. */
  release(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      const holders = this.#holders.get(chunk)! - 1;
      if (holders > 0) this.#holders.set(chunk, holders);
      else {
        this.#holders.delete(chunk);
        this.#bytes -= chunk.length;
      }
    }
  }
}
