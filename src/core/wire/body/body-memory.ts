/** The memory of request bodies (D44, D49): chunks count as they come in and are decoded, until the reply begins. */
import { HttpProblem } from '../../message/problem.ts';

/** Memory of a chunk beside its bytes: a body of single bytes takes two hundred times its length. */
const CHUNK_OVERHEAD = 200;

export class BodyMemory {
  bytes = 0;
  readonly #max: number;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
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
