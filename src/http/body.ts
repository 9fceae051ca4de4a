/**
 * Reads a request body: up to a limit, at no less than a rate, its content coding undone.
 *
 * An announced length is judged before anything is read, so a client that waits for `100 Continue` never sends what is not
 * wanted. What the parser pushes into the request is taken from its hand: the way through the stream's buffer, its events and
 * ticks costs 3 to 4 % of a PUT (and `data` events a tenth more than `readable`); a promise costs no more than a call.
 */
import type { Exchange } from './exchange.ts';
import { decodeContent, isContentCoding } from './content-coding.ts';
import { endStream } from './end-stream.ts';
import { isMostlyFraming } from './framing-cost.ts';
import { HttpProblem } from './problem.ts';

/** Ends a request whose client has gone: there is nobody left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }
}

/** A body that is coming in. */
export interface BodyReader {
  readonly exchange: Exchange;
  readonly since: number;
  received: number;
  /** Ends the reading with this error. */
  fail(error: Error): void;
}

const EMPTY = new Uint8Array(0);

/** The whole body. Rejects with an `HttpProblem`: 400, 408, 413 or 415 (D3), or with `ClientGone`. */
export function readBody(exchange: Exchange): Promise<Uint8Array> {
  const { request, announced, settings: { limits: { maxBody } } } = exchange;
  if (announced === 0) return Promise.resolve(EMPTY);
  if (exchange.broken !== undefined) return Promise.reject(exchange.broken);
  if (announced > maxBody) return Promise.reject(tooLarge(maxBody));
  const coding = request.headers['content-encoding'];
  if (coding === undefined) return readRaw(exchange, maxBody);
  if (!isContentCoding(coding)) {
    return Promise.reject(new HttpProblem(415, 'The content coding of the body is unknown here; use gzip, deflate, br or none', {
      headers: { 'Accept-Encoding': 'gzip, deflate, br' },
    }));
  }
  return readRaw(exchange, maxBody).then((bytes) => decodeContent(bytes, coding, maxBody, () => tooLarge(maxBody)));
}

function readRaw(exchange: Exchange, maxBody: number): Promise<Uint8Array> {
  const { request, response, connection } = exchange, { push } = request;
  const readBefore = exchange.announced < 0 ? connection.socket.bytesRead : 0;
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const reader: BodyReader = {
      exchange,
      since: Date.now(),
      received: 0,
      fail(error) {
        letGo();
        reject(error);
      },
    };
    function letGo(): void {
      if (connection.reading === reader) connection.reading = undefined;
      request.push = push;
    }
    function take(chunk: Uint8Array): void {
      reader.received += chunk.length;
      if (reader.received > maxBody) return reader.fail(tooLarge(maxBody));
      chunks.push(chunk);
      if (exchange.announced < 0 && isMostlyFraming(connection.socket.bytesRead - readBefore, reader.received)) {
        reader.fail(new HttpProblem(413, 'The chunks of the body are so small that most of it is framing; send larger ones'));
      }
    }
    function end(): void {
      letGo();
      endStream(request);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    }
    connection.reading = reader;
    request.on('error', () => reader.fail(new ClientGone()));
    // What came in while the request waited for its turn.
    while (request.readableLength > 0 && connection.reading === reader) take(request.read() as Buffer);
    if (connection.reading !== reader) return;
    if (request.complete) return end();
    function pushed(chunk: Uint8Array | null): boolean {
      if (chunk !== null) take(chunk);
      else end();
      return chunk !== null;
    }
    // A function that is written right here V8 takes for one that lives long: it is made among the old, and once it is garbage it
    // keeps everything of its request until the next full one. Measured, in the first second of PUTs: 1 MB outlives each, not 30 KB.
    request.push = pushed;
    if (exchange.expectsContinue) {
      exchange.expectsContinue = false;
      response.writeContinue();
    }
  });
}

const tooLarge = (maxBody: number): HttpProblem => new HttpProblem(413, `The body is larger than ${maxBody} bytes`);
