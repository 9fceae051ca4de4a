/**
 * Reads the body of one request: counts its bytes, limits them, and joins its chunks. `read-body.ts` reads a body into
 * memory, `body-stream.ts` passes it on as a stream.
 *
 * The event `readable` is used, because the bytes can be put back when the body is whole. So the framework that has
 * mounted the listener can read a body that a stage has read (D78). After `end` it could not.
 */
import type { IncomingMessage } from 'node:http';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { HttpProblem } from '../../http/problem.ts';
import type { Connection, Exchange, IncomingBody } from '../connection/connection.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** The bytes that a body may have besides its content: the framing of some chunks, and two packets after the body. */
const FRAMING_ALLOWANCE = 128 * 1024;

export abstract class BodyReader implements IncomingBody {
  readonly exchange: Exchange;
  abstract readonly isStream: boolean;
  protected readonly connection: Connection;
  /** The bytes that have arrived and are not passed on yet. */
  protected readonly arrived: GrowingBytes;
  /** The bytes that have arrived. */
  protected total = 0;
  readonly #maxBody: number;
  /** The number of bytes that the socket had read before the body. */
  readonly #readBefore: number;

  /** The reader fails beyond `maxBody` bytes. At most `maxHeld` bytes are held in memory. */
  constructor(exchange: Exchange, maxBody: number, maxHeld: number) {
    this.exchange = exchange;
    this.connection = exchange.connection;
    this.arrived = new GrowingBytes(maxHeld);
    this.#maxBody = maxBody;
    this.#readBefore = this.connection.socket.bytesRead;
  }

  get waitsForHandler(): boolean {
    return false;
  }

  /** Called when bytes have arrived, with the memory that they take. Returns a problem to refuse the body. */
  protected abstract more(memory: number): HttpProblem | undefined;
  /** Called when the whole body has arrived. */
  protected abstract end(): void;
  /** Ends the reading with an error. */
  abstract fail(error: Error): void;

  protected get isReading(): boolean {
    return this.connection.reading === this;
  }

  protected start(): void {
    const { request } = this.exchange;
    this.connection.reading = this;
    if (request.complete) this.#read();
    else request.on('readable', this.#read);
  }

  protected continueIfAsked(): void {
    if (this.exchange.expectsContinue) this.exchange.response.writeContinue();
    this.exchange.expectsContinue = false;
  }

  protected stop(): void {
    this.connection.reading = undefined;
    this.exchange.request.off('readable', this.#read);
  }

  readonly #read = (): void => {
    const { request } = this.exchange;
    const chunk = allOf(request);
    const fault = chunk === null ? undefined : this.#take(chunk);
    if (fault !== undefined) {
      this.fail(fault);
      if (!request.complete) leaveUnread(request, this.connection);
    } else if (request.complete) {
      this.stop();
      this.end();
    }
  };

  /** Counts a chunk. Returns a problem for a body that is too long, or mostly framing, which takes seconds to parse. */
  #take(chunk: Buffer): HttpProblem | undefined {
    const memory = this.arrived.append(chunk);
    this.total += chunk.length;
    if (this.total > this.#maxBody) return tooLarge(this.#maxBody);
    const framing = this.connection.socket.bytesRead - this.#readBefore - this.total;
    if (this.exchange.bodyLength !== 'chunked' || framing <= FRAMING_ALLOWANCE + this.total / 4)
      return this.more(memory);
    return new HttpProblem(413, 'The chunks of the body are too small: most bytes are framing; send larger chunks');
  }
}

/** Reads all bytes that have arrived, as one chunk. Without the length, Node 26 returns the first chunk. */
const allOf = (request: IncomingMessage): Buffer | null => request.read(request.readableLength) as Buffer | null;

/** Returns the problem for a body of more than `maxBody` bytes. */
export const tooLarge = (maxBody: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${maxBody} bytes`);

/**
 * Leaves the rest of a body in the socket until a stage reads it or the reply begins. Joins the chunks of the packet
 * that is being parsed, because a chunk of one byte takes more than 200 bytes of memory.
 */
export function leaveUnread(request: IncomingMessage, connection: Connection): void {
  connection.pauseReading();
  // `body()` listens to the request, and so does a stage that reads `context.request` itself.
  request.once('newListener', () => connection.readBodyOn());
  setImmediate(() => {
    const arrived = request.readableFlowing === null ? allOf(request) : null;
    if (arrived !== null) request.unshift(arrived);
    if (request.complete) connection.readBodyOn();
  });
}
