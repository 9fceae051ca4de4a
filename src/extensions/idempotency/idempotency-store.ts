/**
 * Declares what is kept of the requests that have a key, and keeps it in memory (D97).
 *
 * A key is taken before its handler runs, in one step, so that of two requests with one key only one does. A store for
 * several processes has the same three methods: in Redis `SET … NX`, `SET` and `DEL`, with a time to live.
 */
import { HttpProblem } from '../../index.ts';

/** A reply as it was sent. */
export interface KeptReply {
  readonly status: number;
  /** Names and values, one behind the other. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | undefined;
}

/** What is known of a key. */
export interface KeyRecord {
  /** Tells the request that took the key from others. */
  readonly fingerprint: string;
  /** Undefined while that request runs; `not kept` where it has been answered with a reply that cannot be kept. */
  readonly reply: KeptReply | 'not kept' | undefined;
}

/** Keeps keys and replies, at once or with a promise. */
export interface IdempotencyStore {
  /** Takes a free key in one atomic step and returns undefined; of a key that is taken, returns what is known. */
  begin(key: string, fingerprint: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  /** Keeps what became of the request that took the key. */
  finish(key: string, record: KeyRecord): void | Promise<void>;
  /** Frees the key. */
  release(key: string): void | Promise<void>;
}

/** How long replies are kept in memory, and how many. */
export interface KeptInMemory {
  /** Milliseconds from the reply on. */
  readonly ttl: number;
  readonly maxKeys: number;
  readonly maxBytes: number;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Finished {
  readonly record: KeyRecord;
  readonly bytes: number;
  readonly end: number;
}

/** What an entry takes beside its texts, in bytes. */
const ENTRY_BYTES = 500;

/** Past a bound the reply that was kept first is forgotten, and never a request that runs. */
export class MemoryStore implements IdempotencyStore {
  readonly #options: KeptInMemory;
  readonly #running = new Map<string, KeyRecord>();
  /** All are kept for the same time, so the map has them in the order in which they end. */
  readonly #finished = new Map<string, Finished>();
  #bytes = 0;

  constructor(options: KeptInMemory) {
    this.#options = options;
  }

  /** Throws an `HttpProblem` 503 where requests that run have all the keys. */
  begin(key: string, fingerprint: string): KeyRecord | undefined {
    const { now, maxKeys } = this.#options;
    this.#forget(({ end }) => end <= now());
    const known = this.#running.get(key) ?? this.#finished.get(key)?.record;
    if (known !== undefined) return known;
    this.#forget(() => this.#running.size + this.#finished.size >= maxKeys);
    if (this.#running.size >= maxKeys)
      throw new HttpProblem(503, 'Too many requests with an Idempotency-Key run', { headers: { 'Retry-After': '1' } });
    this.#running.set(key, { fingerprint, reply: undefined });
    return undefined;
  }

  finish(key: string, record: KeyRecord): void {
    const { now, ttl, maxBytes } = this.#options;
    this.#running.delete(key);
    const bytes = bytesOf(key, record);
    if (bytes > maxBytes && record.reply !== 'not kept') return this.finish(key, { ...record, reply: 'not kept' });
    this.#bytes += bytes;
    this.#forget(() => this.#bytes > maxBytes);
    this.#finished.set(key, { record, bytes, end: now() + ttl });
  }

  release(key: string): void {
    this.#running.delete(key);
  }

  /** Forgets the oldest one as long as `isDue` says so. */
  #forget(isDue: (oldest: Finished) => boolean): void {
    for (const [key, oldest] of this.#finished) {
      if (!isDue(oldest)) return;
      this.#finished.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }
}

function bytesOf(key: string, { fingerprint, reply }: KeyRecord): number {
  const texts = key.length + fingerprint.length + ENTRY_BYTES;
  if (typeof reply !== 'object') return texts;
  const { headers, body = '' } = reply;
  return texts + headers.reduce((sum, text) => sum + text.length, 0) + Buffer.byteLength(body);
}
