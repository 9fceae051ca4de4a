/**
 * Sends a request into a server without a socket: through the same parser, checks, stages and writer as a real one.
 *
 * Both ends of a pair of in-memory streams are given to Node's own HTTP client and to the server, so nothing of the path
 * is imitated; what a test sees this way is what a client sees.
 */
import { request as clientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** What to ask. `body` is sent as it is; an object is not made JSON for you. */
export interface InjectedRequest {
  readonly method?: string;
  /** A request target, `/api/todo` for example. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** What was answered. */
export interface InjectedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  readonly bytes: Buffer;
  /** The same as text. */
  readonly body: string;
}

/** One end of a pair: what is written to it is read at the other. */
class End extends Duplex {
  other!: End;
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

  /** A connection that is cut at one end is cut at the other: the client learns that no answer comes. */
  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    if (!this.writableFinished) this.other.push(null);
    destroyed(error);
  }

  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

/** Asks the server and resolves with its answer; rejects when the server closes the connection without one. */
export function inject(
  server: Server,
  { method = 'GET', path, headers = {}, body }: InjectedRequest,
): Promise<InjectedReply> {
  const near = new End(),
    far = new End();
  near.other = far;
  far.other = near;
  server.emit('connection', far);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const asked = clientRequest(
      {
        method,
        path,
        headers: { Host: 'localhost', Connection: 'close', ...length, ...headers },
        createConnection: () => near as unknown as Socket,
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({ status: reply.statusCode!, headers: reply.headers, bytes, body: bytes.toString('utf8') });
          });
      },
    );
    asked.on('error', reject).end(body);
  });
}
