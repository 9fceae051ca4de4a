/**
 * Bounds the memory of request bodies, all requests together (D44, D49).
 *
 * Chunks count as they come in and as they are decoded, until the request is answered. An announced length does not
 * count.
 */
import { HttpProblem } from '../../message/problem.ts';

/** Memory of a chunk beside its bytes: a body of single bytes takes two hundred times its length. */
const CHUNK_OVERHEAD = 200;

export class BodyMemory {
  /** Bytes that are taken. */
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

  /**
   * Counts a chunk of `length` bytes for `holder` and returns true; returns false where it does not fit, and once the
   * holder is answered: nobody would give it back.
   */
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
export const bodyMemoryFull = (): HttpProblem =>
  new HttpProblem(503, 'Too many bodies of requests are being read; send this one again', {
    headers: { 'Retry-After': '1' },
  });
