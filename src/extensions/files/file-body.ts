/**
 * Streams a range of an open file as a body of exactly the announced length.
 *
 * A file can grow or shrink while it is sent. The body never sends more bytes than announced; with fewer it fails, so
 * that the connection is closed and the next reply is not read as part of this one (RFC 9112 §6.3). The handle is
 * closed after the last byte and when the client leaves, but never during a read: the system could reuse its
 * descriptor.
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ByteRange } from '../../http.ts';

/** Bytes read at a time. */
const CHUNK_SIZE = 64 * 1024;

export class FileBody extends Readable {
  readonly #handle: FileHandle;
  readonly #end: number;
  #position: number;
  #reading: Promise<void> = Promise.resolve();

  /** Takes ownership of the handle and closes it. */
  constructor(handle: FileHandle, { first, last }: ByteRange) {
    super({ highWaterMark: CHUNK_SIZE });
    this.#handle = handle;
    this.#position = first;
    this.#end = last + 1;
  }

  override _read(): void {
    if (this.#position === this.#end) this.push(null);
    else this.#reading = this.#readChunk().catch((error: Error) => void this.destroy(error));
  }

  async #readChunk(): Promise<void> {
    const length = Math.min(CHUNK_SIZE, this.#end - this.#position);
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, this.#position);
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent');
    this.#position += bytesRead;
    this.push(buffer.subarray(0, bytesRead));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const finish = (): void => done(error);
    void this.#reading.then(() => this.#handle.close().then(finish, finish));
  }
}
