/** Sends a request into a server through a pair of in-memory sockets, with parser, validation, stages and writer. */
import { request as clientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The request. `GET` without headers and body by default. */
export interface InjectedRequest {
  readonly method?: string;
  /** A request target, `/api/todo` for example. */
  readonly path: string;
  /** `Host`, `Connection: close` and `Content-Length` are added. */
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is: an object is not converted to JSON. */
  readonly body?: string | Uint8Array;
}

/** The reply. */
export interface InjectedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The bytes as UTF-8 text. */
  readonly body: string;
}

/** One socket of a pair: bytes that are written to it are read at the other. */
class MemorySocket extends Duplex {
  other!: MemorySocket;
  remoteAddress = '127.0.0.1';
  bytesRead = 0;

  override _read(): void {}

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    this.other.bytesRead += chunk.length;
    this.other.push(chunk);
    setImmediate(written);
  }

  override _final(ended: () => void): void {
    this.other.push(null);
    ended();
  }

  /** The client learns that no reply comes. */
  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    if (!this.writableFinished) this.other.push(null);
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

/**
 * Resolves with the reply of the server. Rejects when the server closes the connection without one.
 *
 *     const { server } = new HttpService(application([todo()]).handler);
 *     const { status, body } = await inject(server, { path: '/api/todo' });
 */
export function inject(
  server: Server,
  { method = 'GET', path, headers = {}, body }: InjectedRequest,
): Promise<InjectedReply> {
  const clientSocket = new MemorySocket();
  const serverSocket = new MemorySocket();
  clientSocket.other = serverSocket;
  serverSocket.other = clientSocket;
  server.emit('connection', serverSocket);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = clientRequest(
      {
        method,
        path,
        headers: { Host: 'localhost', Connection: 'close', ...length, ...headers },
        createConnection: () => clientSocket as unknown as Socket,
      },
      (reply) => {
        reply.toArray().then((chunks: Buffer[]) => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: reply.statusCode!, headers: reply.headers, bytes, body: bytes.toString('utf8') });
        }, reject);
      },
    );
    sent.on('error', reject).end(body);
  });
}
