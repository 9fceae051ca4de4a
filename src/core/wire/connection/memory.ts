/** Bounds the memory of all requests together: of their bodies, and of the replies that slow readers have not taken. */
import { HttpProblem } from '../../message/problem.ts';

/** Memory of a chunk beside its bytes: a body of single bytes takes two hundred times its length. */
const CHUNK_OVERHEAD = 200;

/** The memory of request bodies (D44, D49). Chunks count as they come in and are decoded, until the reply begins. */
export class BodyMemory {
  bytes = 0;
  readonly #max: number;

  /** `max` is in bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether no chunk of a further body fits. */
  get full(): boolean {
    return this.bytes + CHUNK_OVERHEAD >= this.#max;
  }

  /** Counts a chunk for `holder`; false where it does not fit. Once the holder is answered, nobody would release it. */
  take(holder: { bodyMemory: number; readonly replyStarted?: boolean }, length: number): boolean {
    const bytes = length + CHUNK_OVERHEAD;
    if (this.bytes + bytes > this.#max || holder.replyStarted === true) return false;
    this.bytes += bytes;
    holder.bodyMemory += bytes;
    return true;
  }

  /** Gives back everything that `holder` has taken. */
  release(holder: { bodyMemory: number }): void {
    this.bytes -= holder.bodyMemory;
    holder.bodyMemory = 0;
  }
}

/** The reply to a body that does not fit (D44). */
export function bodyMemoryFull(exchange: {
  readonly replyStarted: boolean;
  refusedBy(reason: string): void;
}): HttpProblem {
  if (!exchange.replyStarted) exchange.refusedBy('maxBodyMemory');
  const detail = 'Too many bodies of requests are being read; send this one again';
  return new HttpProblem(503, detail, { headers: { 'Retry-After': '1' } });
}

/** Bytes that may be in flight, and bodies of the size at hand that may be in flight even if they are more. */
const MAX_BYTES = 64 * 1024 * 1024;
const MIN_BODIES = 4;

/** The chunks being sent, once for all replies that share one. Sixty slow readers of a copy each held 1,048 MB. */
export class InFlightChunks {
  readonly #holders = new Map<Uint8Array, number>();
  #bytes = 0;

  /** Counts the chunks of a body; false where they do not fit. */
  take(chunks: readonly Uint8Array[]): boolean {
    const before = this.#bytes;
    this.#count(chunks, 1);
    const bodyBytes = chunks.reduce((sum, { length }) => sum + length, 0);
    if (this.#bytes === before || this.#bytes <= Math.max(MAX_BYTES, MIN_BODIES * bodyBytes)) return true;
    this.release(chunks);
    return false;
  }

  /** Gives back what `take` has counted for these chunks. */
  release(chunks: readonly Uint8Array[]): void {
    this.#count(chunks, -1);
  }

  #count(chunks: readonly Uint8Array[], change: 1 | -1): void {
    for (const chunk of chunks) {
      const before = this.#holders.get(chunk) ?? 0;
      const holders = before + change;
      if (before === 0) this.#bytes += chunk.length;
      if (holders > 0) this.#holders.set(chunk, holders);
      else if (this.#holders.delete(chunk)) this.#bytes -= chunk.length;
    }
  }
}
