/**
 * Reads the body of one request: counts its bytes, limits them, and joins its chunks into one buffer that doubles,
 * because a chunk of one byte takes more than 200 bytes of memory. `read-body.ts` reads a body into memory,
 * `body-stream.ts` passes it on as a stream.
 *
 * The event `readable` is used, because the bytes can be put back when the body is whole. So the framework that has
 * mounted the listener can read a body that a stage has read (D78). After `end` it could not.
 */
import type { IncomingMessage } from 'node:http';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { HttpProblem } from '../../http/problem.ts';
import { tooLarge } from '../../http/request-body.ts';
import type { Connection, Exchange, IncomingBody } from '../connection/connection.ts';

/** The bytes that a body may have besides its content: the framing of some chunks, and two packets after the body. */
const FRAMING_ALLOWANCE = 128 * 1024;

const NOTHING = Buffer.alloc(0);

export abstract class BodyReader implements IncomingBody {
  abstract readonly isStream: boolean;
  readonly exchange: Exchange;
  /** The bytes that have arrived. */
  protected total = 0;
  /** The bytes that have arrived and are not taken yet. They begin `#memory`. */
  protected held = 0;
  #memory: Buffer = NOTHING;
  readonly #maxBody: number;
  readonly #maxHeld: number;
  /** The number of bytes that the socket had read before the body. */
  readonly #readBefore: number;

  /** The reader fails beyond `maxBody` bytes. The buffer never grows beyond `maxHeld` bytes. */
  constructor(exchange: Exchange, maxBody: number, maxHeld: number) {
    this.exchange = exchange;
    this.#maxBody = maxBody;
    this.#maxHeld = maxHeld;
    this.#readBefore = exchange.connection.socket.bytesRead;
  }

  get waitsForHandler(): boolean {
    return false;
  }

  /** Called when bytes have arrived, with the bytes by which the buffer has grown. Returns a problem to refuse them. */
  protected abstract more(growth: number): HttpProblem | undefined;
  /** Called when the whole body has arrived. */
  protected abstract end(): void;
  /** Ends the reading with an error. */
  abstract fail(error: Error): void;

  protected get isReading(): boolean {
    return this.exchange.connection.reading === this;
  }

  protected start(): void {
    const { request, connection } = this.exchange;
    connection.reading = this;
    if (request.complete) this.#read();
    else request.on('readable', this.#read);
  }

  protected continueIfAsked(): void {
    if (this.exchange.expectsContinue) this.exchange.response.writeContinue();
    this.exchange.expectsContinue = false;
  }

  protected stop(): void {
    const { request, connection } = this.exchange;
    connection.reading = undefined;
    request.off('readable', this.#read);
    if (!request.complete) leaveUnread(request, connection);
  }

  /** Removes the held bytes and returns them. */
  protected take(): Buffer {
    const bytes = this.#memory.subarray(0, this.held);
    this.#memory = NOTHING;
    this.held = 0;
    return bytes;
  }

  readonly #read = (): void => {
    const { request } = this.exchange;
    // Without the length, Node 26 returns only the first chunk.
    const chunk = request.read(request.readableLength) as Buffer | null;
    const fault = chunk === null ? undefined : this.#add(chunk);
    if (fault !== undefined) this.fail(fault);
    else if (request.complete) {
      this.stop();
      this.end();
    }
  };

  /** Adds a chunk. Returns a problem for a body that is too long, or mostly framing, which takes seconds to parse. */
  #add(chunk: Buffer): HttpProblem | undefined {
    const growth = this.#hold(chunk);
    this.total += chunk.length;
    if (this.total > this.#maxBody) return tooLarge(this.#maxBody);
    const framing = this.exchange.connection.socket.bytesRead - this.#readBefore - this.total;
    if (this.exchange.bodyLength !== 'chunked' || framing <= FRAMING_ALLOWANCE + this.total / 4)
      return this.more(growth);
    return new HttpProblem(413, 'The chunks of the body are too small: most bytes are framing; send larger chunks');
  }

  /** Appends a chunk to the buffer. The first chunk is not copied, so a body in one chunk is never copied. */
  #hold(chunk: Buffer): number {
    const { held } = this;
    const size = this.#memory.length;
    this.held += chunk.length;
    if (held === 0) this.#memory = chunk;
    else {
      if (this.held > size) {
        const grown = Buffer.allocUnsafeSlow(Math.max(this.held, Math.min(2 * size, this.#maxHeld)));
        this.#memory.copy(grown, 0, 0, held);
        this.#memory = grown;
      }
      this.#memory.set(chunk, held);
    }
    return this.#memory.length - size;
  }
}

/** Leaves the rest of a body in the socket until a stage reads it or the reply begins. */
export function leaveUnread(request: IncomingMessage, connection: Connection): void {
  connection.pauseReading();
  // `body()` listens to the request, and so does a stage that reads `context.request` itself.
  request.once('newListener', () => connection.readBodyOn());
  setImmediate(() => {
    // Joins the chunks of the packet that was parsed.
    const arrived = request.readableFlowing === null ? (request.read(request.readableLength) as Buffer | null) : null;
    if (arrived !== null) request.unshift(arrived);
    if (request.complete) connection.readBodyOn();
  });
}
