/**
 * Decides whether the body of a request is read, before `100 Continue` is sent, collects its chunks as the parser reads
 * them, up to the first that breaks a limit, and undoes its content coding.
 */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { HttpProblem } from '../../message/problem.ts';
import { connectionOf, type Exchange, type IncomingBody } from '../connection/exchange.ts';
import { bodyMemoryFull } from '../connection/memory.ts';
import { markConsumed, redirectChunks, restoreChunks } from '../connection/node-internals.ts';

/** What is not content in a body that is in order: up to two packets behind it, and the framing of a small one. */
const FRAMING_ALLOWANCE = 128 * 1024;

/**
 * Whether the chunks are so small that most of the body is framing. A megabyte in chunks of one byte took seconds and
 * half a gigabyte. Those of about twenty bytes are let in. `readBefore` is what the socket had read before the body.
 */
export function isMostlyFraming({ connection }: Exchange, readBefore: number, received: number): boolean {
  const framing = connection.socket.bytesRead - readBefore - received;
  return framing > FRAMING_ALLOWANCE + received / 4;
}

/** The reply to a request without a body. */
export const noBody = (): HttpProblem => new HttpProblem(400, 'The request has no body; send one');

/** The reply to a body that is mostly framing. */
export const mostlyFraming = (): HttpProblem =>
  new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones');

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
  if (exchange.replyStarted) return Promise.reject(answeredAlready());
  if (exchange.bodyFailure !== undefined) return Promise.reject(exchange.bodyFailure);
  if (bodyLength !== 'chunked' && bodyLength > maxBody) return Promise.reject(tooLarge(maxBody));
  if (bodies.full) return Promise.reject(bodyMemoryFull());
  const coding = request.headers['content-encoding'];
  if (coding === undefined) return new BodyCollector(exchange).collect();
  if (!isContentCoding(coding))
    return Promise.reject(unknownCoding('use gzip, deflate, br or none', 'gzip, deflate, br'));
  const decoded = new BodyCollector(exchange).collect().then((bytes) =>
    decodeContent(bytes, coding, (chunk, length) => {
      if (length > maxBody) return tooLarge(maxBody);
      return bodies.take(exchange, chunk) ? undefined : bodyMemoryFull();
    }),
  );
  // A handler that has answered may not listen any more.
  decoded.catch(() => {});
  return decoded;
}

class BodyCollector implements IncomingBody {
  readonly exchange: Exchange;
  since: number = performance.now();
  received = 0;
  readonly #readBefore: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #body: Promise<Uint8Array>;
  #resolve!: (body: Uint8Array) => void;
  #reject!: (error: Error) => void;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.#readBefore = exchange.bodyLength === 'chunked' ? exchange.connection.socket.bytesRead : 0;
    this.#body = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get isStream(): boolean {
    return false;
  }

  get waitsForHandler(): boolean {
    return false;
  }

  skip(time: number): void {
    this.since += time;
  }

  /** Begins the reading; the whole body, or the error that ends it. */
  collect(): Promise<Uint8Array> {
    const { exchange } = this;
    const { request, connection } = exchange;
    connection.reading = this;
    // Chunks that came in while the request waited for its turn are in its stream.
    while (request.readableLength > 0 && connection.reading === this) this.take(request.read() as Buffer);
    if (connection.reading !== this) return this.#body;
    if (request.complete) this.end();
    else redirectChunks(request, takeChunk);
    if (!request.complete && exchange.expectsContinue) {
      exchange.expectsContinue = false;
      exchange.response.writeContinue();
    }
    return this.#body;
  }

  take(chunk: Uint8Array): void {
    const { bodyLength, bodyLimit, settings } = this.exchange;
    const maxBody = bodyLimit ?? settings.limits.maxBody;
    this.received += chunk.length;
    this.#chunks.push(chunk);
    if (this.received > maxBody) return this.fail(tooLarge(maxBody));
    if (!settings.bodies.take(this.exchange, chunk.length)) return this.fail(bodyMemoryFull());
    if (bodyLength === 'chunked' && isMostlyFraming(this.exchange, this.#readBefore, this.received))
      this.fail(mostlyFraming());
  }

  end(): void {
    const { fallThrough, request } = this.exchange;
    this.#stop();
    if (fallThrough === undefined) markConsumed(request);
    else request.push(null);
    this.#resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }

  fail(error: Error): void {
    this.#stop();
    this.#reject(error);
  }

  abandon(): void {
    // The handler may not listen to its promise any more.
    this.#body.catch(() => {});
    this.fail(answeredAlready());
  }

  #stop(): void {
    const { connection, fallThrough, request } = this.exchange;
    connection.reading = undefined;
    restoreChunks(request);
    // What a host has mounted behind reads the body from its beginning.
    if (fallThrough !== undefined && this.received > 0) request.unshift(Buffer.concat(this.#chunks));
  }
}

function takeChunk(this: IncomingMessage, chunk: Uint8Array | null): boolean {
  const body = connectionOf(this.socket).reading!;
  if (chunk === null) body.end();
  else body.take(chunk);
  return chunk !== null;
}

/** An empty value names no coding, as an absent header does (RFC 9110 §5.6.1). */
const DECODERS: Readonly<Record<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress' | undefined>> = {
  '': undefined,
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
  identity: undefined,
};

/** Whether `decodeContent` knows this value of Content-Encoding. */
const isContentCoding = (value: string): boolean => Object.hasOwn(DECODERS, value.trim().toLowerCase());

/**
 * The decoded bytes. Rejects with 400 for bytes that are not in `coding`, and with what `check` returns for the length
 * of a decoded chunk and of all so far (D3).
 */
async function decodeContent(
  bytes: Uint8Array,
  coding: string,
  check: (length: number, soFar: number) => HttpProblem | undefined,
): Promise<Uint8Array> {
  const name = DECODERS[coding.trim().toLowerCase()];
  if (name === undefined || bytes.length === 0) return bytes;
  // The module takes time to load, and few bodies need it.
  const zlib = await import('node:zlib');
  const decoder: Transform & { readonly bytesWritten: number } = zlib[name]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const refuse = (error: HttpProblem): void => {
      decoder.destroy();
      reject(error);
    };
    const malformed = `The body is not what its Content-Encoding says: the ${coding.trim()} data cannot be decoded`;
    const refuseMalformed = (): void => refuse(new HttpProblem(400, malformed));
    decoder.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      const error = check(chunk.length, length);
      if (error !== undefined) return refuse(error);
      chunks.push(chunk);
    });
    decoder.on('error', refuseMalformed);
    // The decoder ignores bytes behind the coded data.
    decoder.on('end', () =>
      decoder.bytesWritten === bytes.length ? resolve(Buffer.concat(chunks)) : refuseMalformed(),
    );
    decoder.end(bytes);
  });
}

/** Requests whose stream this library has begun to read. */
const readHere = new WeakSet<Exchange>();

/** As `readBody`. Rejects with an `Error` where the stream was read and nothing is left of it. */
export function parsedBody(exchange: Exchange): Promise<Uint8Array> {
  if (!isReadByHost(exchange)) {
    readHere.add(exchange);
    return readBody(exchange);
  }
  if (exchange.replyStarted) return Promise.reject(answeredAlready());
  return madeAgain(exchange);
}

/** Has something in front of this library read the body, or begun to? */
export const isReadByHost = (exchange: Exchange): boolean =>
  exchange.bodyLength !== 0 && !readHere.has(exchange) && isTaken(exchange.request);

/** Has anyone read from the stream, or begun to? */
const isTaken = ({ readableEnded, readableFlowing, readableDidRead }: IncomingMessage): boolean =>
  readableEnded || readableFlowing === true || (readableDidRead && readableFlowing !== null);

/** The parser has undone the content coding, so the limit is that of the decoded bytes. */
async function madeAgain(exchange: Exchange): Promise<Uint8Array> {
  const { request, settings } = exchange;
  const { body } = request as { readonly body?: unknown };
  const bytes = bytesOf(body, request.headers['content-type'] ?? '');
  if (bytes === undefined)
    throw new Error(
      `Cannot read the body of ${exchange.method} ${exchange.path}: something in front of the listener has read it, ` +
        'and left no request.body that it can be made from; mount the listener in front of that',
    );
  const { bodyLimit = settings.limits.maxBody } = exchange;
  if (bytes.length > bodyLimit) throw tooLarge(bodyLimit);
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
  return isLossy && !isJson(contentType) ? undefined : Buffer.from(JSON.stringify(body));
}

const isJson = (contentType: string): boolean => /^[^;]*[/+]json\b/i.test(contentType);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of texts repeats its name; a member of an object has the name of the object in front, as `a[b]`. */
function pairsOf(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((entry) => pairsOf(entry, isRecord(entry) ? `${name}[]` : name));
  if (!isRecord(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, member]) => pairsOf(member, name === '' ? key : `${name}[${key}]`));
}
