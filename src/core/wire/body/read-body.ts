/**
 * Reads the body of a request into memory: decides whether it is read before `100 Continue` is sent, collects its
 * chunks as the parser reads them, up to the first that breaks a limit, and undoes its content coding.
 */

import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../../message/problem.ts';
import { type Connection, connectionOf, type IncomingBody } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { limitChunks, markConsumed, redirectChunks } from '../connection/node-internals.ts';
import { bodyMemoryFull } from './body-memory.ts';

/** Rejects with `ClientGone`, an `HttpProblem` (400, 408, 413, 415, 503; D3, D44), or an `Error` after the reply. */
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

/** Why a body of at most `maxBody` bytes cannot be read; undefined where it can. */
export function bodyFault(exchange: Exchange, maxBody: number): Error | undefined {
  const { replyStarted, bodyFailure, bodyLength } = exchange;
  if (replyStarted) return answeredAlready();
  if (isConsumed(exchange.request)) return consumedAlready(exchange);
  if (bodyFailure !== undefined) return bodyFailure;
  return bodyLength !== 'chunked' && bodyLength > maxBody ? tooLarge(maxBody) : undefined;
}

/** Has a body parser of the host read the body, or begun to (D78)? */
const isConsumed = ({ readableEnded, readableFlowing, readableDidRead }: IncomingMessage): boolean =>
  readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null);

const consumedAlready = ({ method, path }: Exchange): Error =>
  new Error(
    `Cannot read the body of ${method} ${path}: something else has read it; ` +
      'mount the listener before the body parser, for example before express.json()',
  );

/** The reply to a request without a body. */
export const noBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send one');

/** The reply to a body of more than `maxBody` bytes. */
export const tooLarge = (maxBody: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${maxBody} bytes`);

/** The error for a handler that reads the body after the reply. */
export const answeredAlready = (): Error =>
  new Error('Cannot read the body of the request: it has been answered; read the body before');

/** The reply to a content coding that is not undone. `undone` are those that are; `remedy` says what to send. */
export const unknownCoding = (remedy: string, undone: string): HttpProblem =>
  new HttpProblem(415, `The content coding of the body is unknown here; ${remedy}`, {
    headers: { 'Accept-Encoding': undone },
  });

/** What is not content in a body that is in order: up to two packets behind it, and the framing of a small one. */
const FRAMING_ALLOWANCE = 128 * 1024;

/** What reading a body into memory and handing it on have in common. */
export abstract class BodyReader implements IncomingBody {
  readonly exchange: Exchange;
  protected readonly connection: Connection;
  abstract readonly isStream: boolean;
  ticks = -1;
  received = 0;
  protected total = 0;
  readonly #maxBody: number;
  /** What the socket had read before the body. */
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

  get taken(): number {
    return 0;
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
    // Chunks that came in while the request waited for its turn are in its stream.
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

  /** Gives the chunks back to the stream of the request. */
  protected stop(): void {
    this.connection.reading = undefined;
    limitChunks(this.exchange.request);
  }

  protected continueIfAsked(): void {
    if (this.exchange.expectsContinue) this.exchange.response.writeContinue();
    this.exchange.expectsContinue = false;
  }

  /** Why the body is not read on. A megabyte in chunks of one byte took seconds; chunks of twenty bytes are let in. */
  protected count({ length }: Uint8Array): HttpProblem | undefined {
    this.received += length;
    this.total += length;
    if (this.total > this.#maxBody) return tooLarge(this.#maxBody);
    if (this.exchange.bodyLength !== 'chunked') return undefined;
    const framing = this.connection.socket.bytesRead - this.#readBefore - this.total;
    if (framing <= FRAMING_ALLOWANCE + this.total / 4) return undefined;
    return new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones');
  }
}

class CollectedBody extends BodyReader {
  readonly isStream = false;
  readonly #chunks: Uint8Array[] = [];
  #resolve!: (body: Uint8Array) => void;
  #reject!: (error: Error) => void;

  /** Begins the reading; the whole body, or the error that ends it. */
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
    // They are not counted any more, and the promise may be kept for long.
    this.#chunks.length = 0;
    this.#reject(error);
  }

  protected override stop(): void {
    const { request } = this.exchange;
    super.stop();
    // What is mounted behind reads the body from its beginning.
    if (this.exchange.next !== undefined && this.total > 0) request.unshift(Buffer.concat(this.#chunks));
  }
}

type Decoder = 'createGunzip' | 'createInflate' | 'createBrotliDecompress';

/** By content coding (RFC 9110 §8.4.1). An empty value names none, as an absent header does (§5.6.1). */
const DECODERS: ReadonlyMap<string, Decoder | 'none'> = new Map([
  ['', 'none'],
  ['identity', 'none'],
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
]);

/** Throws 400 for bytes that are not in the coding (D3), 413 or 503 where too many come out. */
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
    // The decoder ignores bytes behind the coded data.
    if (decoding.bytesWritten === bytes.length) return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
  }
  throw new HttpProblem(400, `The body is not what its Content-Encoding says: the ${coding} data cannot be decoded`);
}
