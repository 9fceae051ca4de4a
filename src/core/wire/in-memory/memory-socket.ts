/** Connects a client to a server without a network: a pair of sockets in memory, with the pace of the reader. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** One socket of a pair: bytes that are written to it are read at the other. */
class MemorySocket extends Duplex {
  other!: MemorySocket;
  remoteAddress = '127.0.0.1';
  bytesRead = 0;
  encrypted = false;
  #readOn: (() => void) | undefined = undefined;

  override _read(): void {
    const readOn = this.#readOn;
    this.#readOn = undefined;
    readOn?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    const { other } = this;
    other.bytesRead += chunk.length;
    if (other.push(chunk) || other.destroyed) setImmediate(written);
    else other.#readOn = written;
  }

  override _final(ended: () => void): void {
    this.other.push(null);
    ended();
  }

  /** The other side learns that nothing more comes, and waits for no reader. */
  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    if (!this.writableFinished) this.other.push(null);
    this._read();
    destroyed(error);
  }

  setTimeout = returnSelf;
  setNoDelay = returnSelf;
  setKeepAlive = returnSelf;
  ref = returnSelf;
  unref = returnSelf;

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
}

function returnSelf(this: MemorySocket): MemorySocket {
  return this;
}

/** The socket of a client that is connected to `server`, which takes it for a TLS socket where `encrypted` is true. */
export function connectInMemory(server: Server, encrypted = false): Socket {
  const client = new MemorySocket();
  const accepted = new MemorySocket();
  client.other = accepted;
  accepted.other = client;
  accepted.encrypted = encrypted;
  // A client that leaves reads no more, so what is still written for it is lost.
  client.once('close', () => accepted.destroy());
  server.emit('connection', accepted);
  return client as unknown as Socket;
}
