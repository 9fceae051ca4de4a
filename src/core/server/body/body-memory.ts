/** Limits the memory of request bodies (D44, D49). Counts received and decoded chunks until the reply begins. */
import { HttpProblem } from '../../http/problem.ts';

/** The memory that a chunk takes in addition to its bytes. A body in one-byte chunks takes 200 times its length. */
const CHUNK_OVERHEAD = 200;

export class BodyMemory {
  bytes = 0;
  readonly #max: number;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  /** True if not even an empty chunk fits. */
  get full(): boolean {
    return this.bytes + CHUNK_OVERHEAD >= this.#max;
  }

  /** Counts a chunk for `holder`. Returns false if it does not fit, and once the reply has released the memory. */
  take(holder: { bodyMemory: number; readonly replyStarted?: boolean }, length: number): boolean {
    const bytes = length + CHUNK_OVERHEAD;
    if (this.bytes + bytes > this.#max || holder.replyStarted === true) return false;
    this.bytes += bytes;
    holder.bodyMemory += bytes;
    return true;
  }

  /** Releases the memory of `holder`. */
  release(holder: { bodyMemory: number }): void {
    this.bytes -= holder.bodyMemory;
    holder.bodyMemory = 0;
  }
}

/** Returns the problem for a body that does not fit (D44). It belongs to no operation, so no operation declares it. */
export function bodyMemoryFull(exchange: {
  readonly replyStarted: boolean;
  refusedBy(reason: string): void;
}): HttpProblem {
  if (!exchange.replyStarted) exchange.refusedBy('maxBodyMemory');
  const detail = 'The service is reading too many request bodies; send the request again';
  return new HttpProblem(503, detail, { headers: { 'Retry-After': '1' } });
}
