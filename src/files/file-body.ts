/**
 * A part of an open file as a body of exactly the length that was announced.
 *
 * A log grows while it is sent, a file being rewritten shrinks: whatever happens, no byte more than announced leaves, and
 * where fewer are left the connection is broken off rather than another answer's bytes put in their place (RFC 9112 §6.3).
 * The descriptor is closed when the last byte was read and when the client leaves, but never under a read that is going on:
 * its number might by then be somebody else's.
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ByteRange } from '../http/headers/byte-range.ts';

/** Bytes read at a time. */
const CHUNK = 64 * 1024;

export class FileBody extends Readable {
  readonly #handle: FileHandle;
  readonly #end: number;
  #at: number;
  #reading: Promise<void> = Promise.resolve();

  /** Takes the handle over: it is closed with this body. */
  constructor(handle: FileHandle, { first, last }: ByteRange) {
    super({ highWaterMark: CHUNK });
    this.#handle = handle;
    this.#at = first;
    this.#end = last + 1;
  }

  override _read(): void {
    if (this.#at === this.#end) this.push(null);
    else
      this.#reading = this.#readOn().catch((error: Error) => {
        this.destroy(error);
      });
  }

  async #readOn(): Promise<void> {
    const length = Math.min(CHUNK, this.#end - this.#at);
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, this.#at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent');
    this.#at += bytesRead;
    this.push(buffer.subarray(0, bytesRead));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const close = (): void => {
      this.#handle.close().then(
        () => {
          done(error);
        },
        () => {
          done(error);
        },
      );
    };
    void this.#reading.then(close);
  }
}
