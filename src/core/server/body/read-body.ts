/**
 * Reads the body of a request into memory. Checks the length before it sends `100 Continue`. Collects the chunks from
 * the parser until a chunk exceeds a limit. Decodes the content coding.
 */
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../../http/problem.ts';
import { type Connection, connectionOf, type IncomingBody } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { limitChunks, markConsumed, redirectChunks } from '../connection/node-internals.ts';
import { bodyMemoryFull } from './body-memory.ts';

/** Reads the body. Rejects with `ClientGone`, an `HttpProblem` (as `context.body()`), or an `Error` after the reply. */
export async function readBody(exchange: Exchange): Promise<Uint8Array> {
  const { request, settings, bodyLimit: maxBody = settings.limits.maxBody } = exchange;
  if (exchange.bodyLength === 0) return new Uint8Array(0);
  const fault = bodyFault(exchange, maxBody);
  if (fault !== undefined) throw fault;
  if (settings.bodies.full) throw bodyMemoryFull(exchange);
  const coding = request.headers['content-encoding']?.trim() ?? '';
  const decoder = DECODERS.get(coding.toLowerCase());
  if (decoder === undefined) throw unknownCoding('use gzip, deflate, br or none', 'gzip, deflate, br');
  const bytes = await new CollectedBody(exchange, maxBody).collect();
  return decoder === 'none' || bytes.length === 0 ? bytes : decode(exchange, bytes, decoder, coding);
}

/** Returns the error if the body cannot be read or is longer than `maxBody` bytes. */
export function bodyFault(exchange: Exchange, maxBody: number): Error | undefined {
  const { replyStarted, bodyFailure, bodyLength } = exchange;
  if (replyStarted) return answeredAlready();
  if (isConsumed(exchange.request)) return consumedAlready(exchange);
  if (bodyFailure !== undefined) return bodyFailure;
  return bodyLength !== 'chunked' && bodyLength > maxBody ? tooLarge(maxBody) : undefined;
}

/** True if a body parser of the framework has begun to read the body (D78). */
const isConsumed = ({ readableEnded, readableFlowing, readableDidRead }: IncomingMessage): boolean =>
  readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null);

const consumedAlready = ({ method, path }: Exchange): Error =>
  new Error(
    `Cannot read the body of ${method} ${path}: a body parser has read it; ` +
      'mount the listener before the body parser, for example before express.json()',
  );

/** Returns the problem for an absent body. */
export const noBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send one');

/** Returns the problem for a body of more than `maxBody` bytes. */
export const tooLarge = (maxBody: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${maxBody} bytes`);

/** Returns the error for a handler that reads the body after the reply. */
export const answeredAlready = (): Error =>
  new Error('Cannot read the body of the request: the reply has started; read the body before the reply');

/** Returns the problem for an unsupported content coding. `supported` becomes the header `Accept-Encoding`. */
export const unknownCoding = (remedy: string, supported: string): HttpProblem =>
  new HttpProblem(415, `The content coding of the body is not supported; ${remedy}`, {
    headers: { 'Accept-Encoding': supported },
  });

/** The bytes that a body may have besides its content: the framing of some chunks, and two packets after the body. */
const FRAMING_ALLOWANCE = 128 * 1024;

/** The common part of `CollectedBody`, which reads into memory, and `StreamedBody`. */
export abstract class BodyReader implements IncomingBody {
  readonly exchange: Exchange;
  protected readonly connection: Connection;
  abstract readonly isStream: boolean;
  protected total = 0;
  readonly #maxBody: number;
  /** The number of bytes that the socket had read before the body. */
  readonly #readBefore: number;

  constructor(exchange: Exchange, maxBody: number) {
    this.exchange = exchange;
    this.#maxBody = maxBody;
    this.connection = connectionOf(exchange.request.socket);
    this.#readBefore = this.connection.socket.bytesRead;
  }

  get waitsForHandler(): boolean {
    return false;
  }

  abstract take(chunk: Uint8Array): boolean;
  abstract end(): void;
  abstract fail(error: Error): void;

  protected get isReading(): boolean {
    return this.connection.reading === this;
  }

  protected start(): void {
    const { request } = this.exchange;
    this.connection.reading = this;
    // Chunks that arrived while the request waited for its turn are in the stream of the request.
    while (request.readableLength > 0 && this.isReading) this.take(request.read() as Buffer);
    if (!this.isReading) return;
    if (request.complete) this.end();
    else
      redirectChunks(request, (chunk) => {
        if (chunk !== null) return this.take(chunk);
        this.end();
        return false;
      });
  }

  /** Lets the parser push further chunks to the stream of the request again. */
  protected stop(): void {
    this.connection.reading = undefined;
    limitChunks(this.exchange.request);
  }

  protected continueIfAsked(): void {
    if (this.exchange.expectsContinue) this.exchange.response.writeContinue();
    this.exchange.expectsContinue = false;
  }

  /** Counts a chunk. Returns a problem for a body that is too long, or mostly framing, which takes seconds to parse. */
  protected count({ length }: Uint8Array): HttpProblem | undefined {
    this.total += length;
    if (this.total > this.#maxBody) return tooLarge(this.#maxBody);
    if (this.exchange.bodyLength !== 'chunked') return undefined;
    const framing = this.connection.socket.bytesRead - this.#readBefore - this.total;
    if (framing <= FRAMING_ALLOWANCE + this.total / 4) return undefined;
    return new HttpProblem(413, 'The chunks of the body are too small: most bytes are framing; send larger chunks');
  }
}

class CollectedBody extends BodyReader {
  readonly isStream = false;
  readonly #chunks: Uint8Array[] = [];
  #resolve!: (body: Uint8Array) => void;
  #reject!: (error: Error) => void;

  /** Reads the body. Resolves with the whole body. Rejects with the error that ended the reading. */
  collect(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.start();
      if (this.isReading) this.continueIfAsked();
    });
  }

  take(chunk: Uint8Array): boolean {
    const { exchange } = this;
    this.#chunks.push(chunk);
    const fault = this.count(chunk);
    if (fault !== undefined) this.fail(fault);
    else if (!exchange.settings.bodies.take(exchange, chunk.length)) this.fail(bodyMemoryFull(exchange));
    return true;
  }

  end(): void {
    const { request } = this.exchange;
    this.stop();
    if (this.exchange.next === undefined) markConsumed(request);
    else request.push(null);
    this.#resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }

  fail(error: Error): void {
    this.stop();
    // The body memory no longer counts these chunks, so free them even if a caller keeps the promise for a long time.
    this.#chunks.length = 0;
    this.#reject(error);
  }

  protected override stop(): void {
    const { request } = this.exchange;
    super.stop();
    // The framework must be able to read the body from its beginning.
    if (this.exchange.next !== undefined && this.total > 0) request.unshift(Buffer.concat(this.#chunks));
  }
}

type Decoder = 'createGunzip' | 'createInflate' | 'createBrotliDecompress';

/** The decoders by content coding (RFC 9110 §8.4.1). An empty header has the same meaning as an absent one (§5.6.1). */
const DECODERS: ReadonlyMap<string, Decoder | 'none'> = new Map([
  ['', 'none'],
  ['identity', 'none'],
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
]);

/** Decodes the bytes. Throws an `HttpProblem`: 400 for malformed data (D3), 413 or 503 if the result is too long. */
async function decode(exchange: Exchange, bytes: Uint8Array, decoder: Decoder, coding: string): Promise<Uint8Array> {
  const { settings, bodyLimit: maxBody = settings.limits.maxBody } = exchange;
  // The module takes time to load, and few bodies need it.
  const decoding = (await import('node:zlib'))[decoder]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decoding.end(bytes) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBody) throw tooLarge(maxBody);
      if (!settings.bodies.take(exchange, chunk.length)) throw bodyMemoryFull(exchange);
    }
    // The decoder ignores bytes after the coded data, so check that it has used all bytes.
    if (decoding.bytesWritten === bytes.length) return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
  }
  throw new HttpProblem(400, `The body does not match its Content-Encoding: the ${coding} data cannot be decoded`);
}
