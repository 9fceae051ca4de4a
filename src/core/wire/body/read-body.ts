/**
 * Decides whether the body of a request is read, before `100 Continue` is sent, collects its chunks as the parser reads
 * them, up to the first that breaks a limit, and undoes its content coding.
 */
import type { IncomingMessage } from 'node:http';
import { bodyMemoryFull } from '../connection/body-memory.ts';
import { connectionOf, type IncomingBody } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { markConsumed, redirectChunks, restoreChunks } from '../connection/node-internals.ts';
import { answeredAlready, isMostlyFraming, mostlyFraming, tooLarge, unknownCoding } from './body-fault.ts';
import { decodeContent, isContentCoding } from './content-coding.ts';

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
