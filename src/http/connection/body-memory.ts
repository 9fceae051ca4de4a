/**
 * The memory that request bodies take, all requests together.
 *
 * A limit for one body bounds nothing: ten thousand connections that each send a megabyte and wait would be ten gigabytes. So what
 * is held is counted, as it comes in and as it is decoded, until its request is answered. What is only announced is not
 * counted: who announces much and sends nothing takes no room from others.
 */
import { HttpProblem } from '../message/problem.ts';

/** Memory of a piece of a body beside its bytes, measured: a body that comes in byte by byte takes two hundred times its length. */
const PIECE = 200;

/** Counts the bytes of bodies up to a limit. */
export class BodyMemory {
  readonly #max: number;
  #bytes = 0;

  /** `max` is in bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counted at the moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Is there no room for a piece of a further body? */
  get full(): boolean {
    return this.#bytes + PIECE >= this.#max;
  }

  /** Counts a piece of a body in for its holder, if it fits; says whether it did. */
  take(holder: { bodyMemory: number }, length: number): boolean {
    const bytes = length + PIECE;
    if (this.#bytes + bytes > this.#max) return false;
    this.#bytes += bytes;
    holder.bodyMemory += bytes;
    return true;
  }

  /** Counts out what the holder has. */
  release(holder: { bodyMemory: number }): void {
    this.#bytes -= holder.bodyMemory;
    holder.bodyMemory = 0;
  }
}

/** What the sender of a body is told for which there is no room (D44). */
export const noRoom = (): HttpProblem =>
  new HttpProblem(503, 'Too many bodies of requests are being read; send this one again', {
    headers: { 'Retry-After': '1' },
  });
