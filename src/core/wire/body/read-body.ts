/**
 * Reads the body of a request into memory: decides whether it is read before `100 Continue` is sent, collects its
 * chunks as the parser reads them, up to the first that breaks a limit, and undoes its content coding.
 */
import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../../message/problem.ts';
import { connectionOf, type Exchange, type IncomingBody } from '../connection/exchange.ts';
import { bodyMemoryFull } from '../connection/memory.ts';
import { markConsumed, redirectChunks, restoreChunks } from '../connection/node-internals.ts';

const EMPTY = new Uint8Array(0);

/**
 * The whole body. Rejects with `ClientGone`, an `HttpProblem` (400, 408, 413, 415 or 503; D3, D44), or, once the reply
 * has begun, an `Error`.
 */
export function readBody(exchange: Exchange): Promise<Uint8Array> {
  const { request, bodyLength, settings } = exchange;
  const { bodies } = settings;
  const maxBody = exchange.bodyLimit ?? settings.limits.maxBody;
  if (bodyLength === 0) return Promise.resolve(EMPTY);
  if (isReadBefore(exchange)) return madeAgain(exchange, maxBody);
  const fault = bodyFault(exchange, maxBody);
  if (fault !== undefined) return Promise.reject(fault);
  if (bodies.full) return Promise.reject(bodyMemoryFull());
  const coding = request.headers['content-encoding'];
  if (coding === undefined) return new CollectedBody(exchange, maxBody).collect();
  if (!DECODERS.has(coding.trim().toLowerCase()))
    return Promise.reject(unknownCoding('use gzip, deflate, br or none', 'gzip, deflate, br'));
  const decoded = new CollectedBody(exchange, maxBody).collect().then((bytes) =>
    decode(bytes, coding.trim(), (chunk, length) => {
      if (length > maxBody) throw tooLarge(maxBody);
      if (!bodies.take(exchange, chunk.length)) throw bodyMemoryFull();
    }),
  );
  // A handler that has answered may not listen any more.
  decoded.catch(() => {});
  return decoded;
}

/** Why a body of at most `maxBody` bytes cannot be read; undefined where it can. */
export function bodyFault({ replyStarted, bodyFailure, bodyLength }: Exchange, maxBody: number): Error | undefined {
  if (replyStarted) return answeredAlready();
  if (bodyFailure !== undefined) return bodyFailure;
  return bodyLength !== 'chunked' && bodyLength > maxBody ? tooLarge(maxBody) : undefined;
}

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

/**
 * Why a body of which `received` bytes have come in is not read on: it is too long, or mostly framing. A megabyte in
 * chunks of one byte took seconds and half a gigabyte; chunks of about twenty bytes are let in. `readBefore` is what
 * the socket had read before the body.
 */
export function chunkFault(
  exchange: Exchange,
  maxBody: number,
  received: number,
  readBefore: number,
): HttpProblem | undefined {
  if (received > maxBody) return tooLarge(maxBody);
  if (exchange.bodyLength !== 'chunked') return undefined;
  const framing = exchange.connection.socket.bytesRead - readBefore - received;
  if (framing <= FRAMING_ALLOWANCE + received / 4) return undefined;
  return new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones');
}

/** Hands the chunks of the request to `body`, until it has ended or stops reading. */
export function startReading(body: IncomingBody): void {
  const { request, connection } = body.exchange;
  connection.reading = body;
  // Chunks that came in while the request waited for its turn are in its stream.
  while (request.readableLength > 0 && connection.reading === body) body.take(request.read() as Buffer);
  if (connection.reading !== body) return;
  if (request.complete) body.end();
  else redirectChunks(request, takeChunk);
}

/** Returns whether the socket may be read on. */
function takeChunk(this: IncomingMessage, chunk: Uint8Array | null): boolean {
  const body = connectionOf(this.socket).reading!;
  if (chunk !== null) return body.take(chunk);
  body.end();
  return false;
}

/** Gives the chunks back to the stream of the request. */
export function stopReading({ connection, request }: Exchange): void {
  connection.reading = undefined;
  restoreChunks(request);
}

class CollectedBody implements IncomingBody {
  readonly exchange: Exchange;
  readonly isStream = false;
  readonly waitsForHandler = false;
  ticks = -1;
  received = 0;
  readonly #maxBody: number;
  readonly #readBefore: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #body: Promise<Uint8Array>;
  #resolve!: (body: Uint8Array) => void;
  #reject!: (error: Error) => void;

  constructor(exchange: Exchange, maxBody: number) {
    this.exchange = exchange;
    this.#maxBody = maxBody;
    this.#readBefore = exchange.connection.socket.bytesRead;
    this.#body = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Begins the reading; the whole body, or the error that ends it. */
  collect(): Promise<Uint8Array> {
    const { exchange } = this;
    startReading(this);
    if (exchange.expectsContinue && exchange.connection.reading === this) {
      exchange.expectsContinue = false;
      exchange.response.writeContinue();
    }
    return this.#body;
  }

  take(chunk: Uint8Array): boolean {
    const { exchange } = this;
    this.received += chunk.length;
    this.#chunks.push(chunk);
    const fault = chunkFault(exchange, this.#maxBody, this.received, this.#readBefore);
    if (fault !== undefined) this.fail(fault);
    else if (!exchange.settings.bodies.take(exchange, chunk.length)) this.fail(bodyMemoryFull());
    return true;
  }

  end(): void {
    const { record, request } = this.exchange;
    this.#stop();
    if (record.fallThrough === undefined) markConsumed(request);
    else request.push(null);
    this.#resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }

  fail(error: Error): void {
    this.#stop();
    // The handler may not listen to its promise any more.
    this.#body.catch(() => {});
    this.#reject(error);
  }

  #stop(): void {
    const { record, request } = this.exchange;
    stopReading(this.exchange);
    // What is mounted behind reads the body from its beginning.
    if (record.fallThrough !== undefined && this.received > 0) request.unshift(Buffer.concat(this.#chunks));
  }
}

/** By content coding (RFC 9110 §8.4.1). An empty value names none, as an absent header does (§5.6.1). */
const DECODERS = new Map<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress' | undefined>([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
]);

/**
 * The decoded bytes. `check` gets each decoded chunk and the length of all so far, and throws to refuse them. Rejects
 * with 400 for bytes that are not in the coding (D3).
 */
async function decode(
  bytes: Uint8Array,
  coding: string,
  check: (chunk: Uint8Array, length: number) => void,
): Promise<Uint8Array> {
  const decoder = DECODERS.get(coding.toLowerCase());
  if (decoder === undefined || bytes.length === 0) return bytes;
  // The module takes time to load, and few bodies need it.
  const zlib = await import('node:zlib');
  const decoding = zlib[decoder]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let refused: unknown;
  try {
    for await (const chunk of decoding.end(bytes) as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      chunks.push(chunk);
      check(chunk, length);
    }
  } catch (error) {
    refused = error;
  }
  if (refused instanceof HttpProblem) throw refused;
  // The decoder ignores bytes behind the coded data.
  if (refused === undefined && decoding.bytesWritten === bytes.length) return Buffer.concat(chunks);
  throw new HttpProblem(400, `The body is not what its Content-Encoding says: the ${coding} data cannot be decoded`);
}

/** Has a body parser in front of this library read the body, or begun to (D78)? */
export function isReadBefore({ request, bodyLength }: Exchange): boolean {
  const { readableEnded, readableFlowing, readableDidRead } = request;
  const isTaken = readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null);
  return isTaken && bodyLength !== 0;
}

/**
 * The body made again from the `request.body` of that parser, which has undone the content coding. Rejects with an
 * `Error` where nothing is left of it. Without such a parser, `request.body` is not looked at: Express 4 sets an empty
 * object.
 */
async function madeAgain(exchange: Exchange, maxBody: number): Promise<Uint8Array> {
  const { request, settings } = exchange;
  if (exchange.replyStarted) throw answeredAlready();
  const { body } = request as { readonly body?: unknown };
  const bytes = bytesOf(body, request.headers['content-type'] ?? '');
  if (bytes === undefined)
    throw new Error(
      `Cannot read the body of ${exchange.method} ${exchange.path}: something in front of the listener has read it, ` +
        'and left no request.body that it can be made from; mount the listener in front of that',
    );
  if (bytes.length > maxBody) throw tooLarge(maxBody);
  if (!settings.bodies.take(exchange, bytes.length)) throw bodyMemoryFull();
  return bytes;
}

/** Bytes and text are as they were sent; a value of JSON or of a form is written again. Undefined for anything else. */
function bytesOf(body: unknown, contentType: string): Uint8Array | undefined {
  if (body === undefined || typeof body === 'function') return undefined;
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return Buffer.from(body);
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
  if (isForm && isRecord(body)) return Buffer.from(new URLSearchParams(pairsOf(body)).toString());
  // A parser of forms with files keeps the fields only, and an empty object may be the one that Express 4 sets.
  const isLossy = /^multipart\//i.test(contentType) || (isRecord(body) && Object.keys(body).length === 0);
  const isJson = /^[^;]*[/+]json\b/i.test(contentType);
  return isLossy && !isJson ? undefined : Buffer.from(JSON.stringify(body));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of texts repeats its name; a member of an object has the name of the object in front, as `a[b]`. */
function pairsOf(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((entry) => pairsOf(entry, isRecord(entry) ? `${name}[]` : name));
  if (!isRecord(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}
