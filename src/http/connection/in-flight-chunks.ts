/**
 * The chunks of large bodies that are still being sent, each counted once however many replies share it.
 *
 * Forty slow readers of one list hold one copy. But sixty that each began after another change held sixty: what had been
 * replaced in the store lived on in the replies, from 131 to 1,048 MB. So a reply whose chunks do not fit among those on the
 * way is refused for the moment, unless it is the only one of its size.
 */

/** Bytes that may be on the way, and how many bodies of the size at hand even if that is more. */
const MOST_BYTES = 64 * 1024 * 1024,
  BODIES = 4;

/** Counts the chunks of bodies that are being sent, up to a limit. */
export class ChunksOnTheWay {
  readonly #holders = new Map<Uint8Array, number>();
  #bytes = 0;

  /** Counts these chunks in, if they fit; says whether they did. */
  take(chunks: readonly Uint8Array[]): boolean {
    const before = this.#bytes;
    let all = 0;
    for (const chunk of chunks) {
      const holders = this.#holders.get(chunk) ?? 0;
      if (holders === 0) this.#bytes += chunk.length;
      this.#holders.set(chunk, holders + 1);
      all += chunk.length;
    }
    if (this.#bytes === before || this.#bytes <= Math.max(MOST_BYTES, BODIES * all)) return true;
    this.release(chunks);
    return false;
  }

  /** Counts them out again. */
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
