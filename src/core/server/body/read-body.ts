/** Reads the body of a request into memory. Checks the length before it sends `100 Continue`. Decodes the coding. */
import type { Context } from '../../http/context.ts';
import { HttpProblem } from '../../http/problem.ts';
import { tooLarge } from '../../http/request-body.ts';
import type { Exchange } from '../connection/connection.ts';
import { bodyMemoryFull } from './body-memory.ts';
import { BodyReader } from './body-reader.ts';

/** Reads the body. Rejects with `ClientGone`, an `HttpProblem` (as `context.body()`), or an `Error` after the reply. */
export function readBody(exchange: Exchange): Promise<Uint8Array> {
  const { request, settings, bodyLimit: maxBody = settings.limits.maxBody } = exchange;
  if (exchange.bodyLength === 0) return Promise.resolve(new Uint8Array(0));
  const coding = request.headers['content-encoding']?.trim() ?? '';
  const decoder = DECODERS.get(coding.toLowerCase());
  const { bytes, max } = settings.bodies;
  const fault = bodyFault(exchange, maxBody) ?? (bytes < max ? undefined : bodyMemoryFull(exchange));
  if (fault !== undefined) return Promise.reject(fault);
  if (decoder === undefined) return Promise.reject(unknownCoding('use gzip, deflate, br or none', 'gzip, deflate, br'));
  const whole = new Promise<Uint8Array>((resolve, reject) => new WholeBody(exchange, maxBody, resolve, reject));
  return decoder === 'none' ? whole : whole.then((bytes) => decode(exchange, bytes, decoder, coding));
}

/** Returns the error if the body cannot be read or is longer than `maxBody` bytes. */
export function bodyFault(exchange: Exchange, maxBody: number): Error | undefined {
  const { replyStarted, bodyFailure, bodyLength } = exchange;
  if (replyStarted) return answeredAlready();
  const { readableEnded, readableFlowing, readableDidRead } = exchange.request;
  if (readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null))
    return consumedAlready(exchange.context);
  if (bodyFailure !== undefined) return bodyFailure;
  return bodyLength !== 'chunked' && bodyLength > maxBody ? tooLarge(maxBody) : undefined;
}

/** Returns the error for a body that a body parser of the framework has begun to read (D78). */
const consumedAlready = ({ method, path }: Context): Error =>
  new Error(
    `Cannot read the body of ${method} ${path}: a body parser has read it; ` +
      'mount the listener before the body parser, for example before express.json()',
  );

/** Returns the error for a handler that reads the body after the reply. */
export const answeredAlready = (): Error =>
  new Error('Cannot read the body of the request: the reply has started; read the body before the reply');

/** Returns the problem for an unsupported content coding. `supported` becomes the header `Accept-Encoding`. */
export const unknownCoding = (remedy: string, supported: string): HttpProblem =>
  new HttpProblem(415, `The content coding of the body is not supported; ${remedy}`, {
    headers: { 'Accept-Encoding': supported },
  });

class WholeBody extends BodyReader {
  readonly isStream = false;
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: Error) => void;

  constructor(exchange: Exchange, maxBody: number, resolve: (body: Buffer) => void, reject: (error: Error) => void) {
    super(exchange, maxBody, maxBody);
    this.#resolve = resolve;
    this.#reject = reject;
    this.start();
    if (exchange.expectsContinue && this.isReading) this.continueIfAsked();
  }

  more(memory: number): HttpProblem | undefined {
    const { exchange } = this;
    return exchange.settings.bodies.take(exchange, memory) ? undefined : bodyMemoryFull(exchange);
  }

  end(): void {
    this.#resolve(this.#taken());
  }

  fail(error: Error): void {
    this.stop();
    this.#taken();
    this.#reject(error);
  }

  /** Returns the bytes that have arrived. The framework that has mounted the listener can read them again. */
  #taken(): Buffer {
    const { request, next } = this.exchange;
    const bytes = this.take();
    if (next !== undefined && bytes.length > 0) request.unshift(bytes);
    return bytes;
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
  if (bytes.length === 0) return bytes;
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
