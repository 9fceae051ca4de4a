/**
 * Reads a request body: up to a limit, at no less than a rate, its content coding undone.
 *
 * An announced length is judged before anything is read, so a client that waits for `100 Continue` never sends what is not
 * wanted. What the parser pushes into the request is taken from its hand: the way through the stream's buffer, its events and
 * ticks costs 3 to 4 % of a PUT (and `data` events a tenth more than `readable`); a promise costs no more than a call.
 */
import { IncomingMessage } from 'node:http';
import { noRoom } from '../connection/body-memory.ts';
import { connectionOf } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { endStream } from '../connection/mark-consumed.ts';
import { HttpProblem } from '../message/problem.ts';
import { isMostlyFraming } from './chunk-overhead.ts';
import { decodeContent, isContentCoding } from './content-coding.ts';

const EMPTY = new Uint8Array(0);

/** The whole body. Rejects with an `HttpProblem`: 400, 408, 413, 415 or 503 (D3, D44), or with `ClientGone`. */
export function readBody(exchange: Exchange): Promise<Uint8Array> {
  const {
    request,
    announced,
    settings: {
      bodies,
      limits: { maxBody },
    },
  } = exchange;
  if (announced === 0) return Promise.resolve(EMPTY);
  if (exchange.answered) return Promise.reject(answeredAlready());
  if (exchange.broken !== undefined) return Promise.reject(exchange.broken);
  if (announced > maxBody) return Promise.reject(tooLarge(maxBody));
  if (bodies.full) return Promise.reject(noRoom());
  const coding = request.headers['content-encoding'];
  if (coding === undefined) return readRaw(exchange, maxBody);
  if (!isContentCoding(coding)) {
    return Promise.reject(
      new HttpProblem(415, 'The content coding of the body is unknown here; use gzip, deflate, br or none', {
        headers: { 'Accept-Encoding': 'gzip, deflate, br' },
      }),
    );
  }
  return readRaw(exchange, maxBody).then((bytes) =>
    decodeContent(bytes, coding, (chunk, length) => {
      if (length > maxBody) return tooLarge(maxBody);
      return bodies.take(exchange, chunk) ? undefined : noRoom();
    }),
  );
}

function readRaw(exchange: Exchange, maxBody: number): Promise<Uint8Array> {
  let reader!: BodyReader;
  const body = new Promise<Uint8Array>((resolve, reject) => {
    reader = new BodyReader(exchange, maxBody, resolve, reject);
  });
  reader.promise = body;
  reader.begin();
  return body;
}

const answeredAlready = (): Error =>
  new Error('Cannot read the body of the request: it has been answered; read the body before');

/** A body that is coming in. */
export class BodyReader {
  readonly exchange: Exchange;
  readonly since: number = Date.now();
  /** What whoever reads waits for. */
  promise!: Promise<Uint8Array>;
  received = 0;
  readonly #maxBody: number;
  readonly #readBefore: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #resolve: (body: Uint8Array) => void;
  readonly #reject: (error: Error) => void;

  constructor(
    exchange: Exchange,
    maxBody: number,
    resolve: (body: Uint8Array) => void,
    reject: (error: Error) => void,
  ) {
    this.exchange = exchange;
    this.#maxBody = maxBody;
    this.#readBefore = exchange.announced < 0 ? exchange.connection.socket.bytesRead : 0;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    const { request, response, connection } = this.exchange;
    connection.reading = this;
    // What came in while the request waited for its turn.
    while (request.readableLength > 0 && connection.reading === this) this.take(request.read() as Buffer);
    if (connection.reading !== this) return;
    if (request.complete) return this.end();
    request.push = takeFromParser;
    if (this.exchange.expectsContinue) {
      this.exchange.expectsContinue = false;
      response.writeContinue();
    }
  }

  take(chunk: Uint8Array): void {
    const { announced, connection } = this.exchange;
    this.received += chunk.length;
    if (this.received > this.#maxBody) return this.fail(tooLarge(this.#maxBody));
    if (!this.exchange.settings.bodies.take(this.exchange, chunk.length)) return this.fail(noRoom());
    this.#chunks.push(chunk);
    if (announced < 0 && isMostlyFraming(connection.socket.bytesRead - this.#readBefore, this.received)) {
      this.fail(
        new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones'),
      );
    }
  }

  end(): void {
    this.#letGo();
    endStream(this.exchange.request);
    this.#resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }

  /** Ends the reading as the request has been answered. Whoever still waits may not be listening any more. */
  abandon(): void {
    this.promise.catch(() => {});
    this.fail(answeredAlready());
  }

  /** Ends the reading with this error. */
  fail(error: Error): void {
    this.#letGo();
    this.#reject(error);
  }

  #letGo(): void {
    const { connection, request } = this.exchange;
    connection.reading = undefined;
    request.push = pushToStream;
  }
}

const { push: pushToStream } = IncomingMessage.prototype;

/**
 * Stands in for `push` of a request while its body is read. One function for all requests: one that is written where it is assigned
 * V8 takes for long-lived and makes among the old, where it keeps everything of its request until the next full collection.
 */
function takeFromParser(this: IncomingMessage, chunk: Uint8Array | null): boolean {
  const reader = connectionOf(this.socket).reading!;
  if (chunk === null) reader.end();
  else reader.take(chunk);
  return chunk !== null;
}

const tooLarge = (maxBody: number): HttpProblem => new HttpProblem(413, `The body is larger than ${maxBody} bytes`);
