/** Limits the memory of request bodies (D44, D49): the bytes that are allocated for them until the reply begins. */
import { HttpProblem } from '../../http/problem.ts';

export class BodyMemory {
  bytes = 0;
  readonly max: number;

  constructor(maxBytes: number) {
    this.max = maxBytes;
  }

  /** Counts bytes for `holder`. Returns false if they do not fit, and once the reply has released the memory. */
  take(holder: { bodyMemory: number; readonly replyStarted?: boolean }, bytes: number): boolean {
    if (this.bytes + bytes > this.max || holder.replyStarted === true) return false;
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
