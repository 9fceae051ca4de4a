/**
 * Gives a handler the body of a request in another way than `context.body()`: in memory with a limit of its own (D49),
 * or as a stream of the chunks that the parser reads, at the pace of the reader (D74).
 */
import { Readable } from 'node:stream';
import type { Context } from '../../message/context.ts';
import { bodyOfCopy, originalOf } from '../../message/context-with.ts';
import { Exchange } from '../connection/exchange.ts';
import { type Limits, memoryFor } from '../connection/limits.ts';
import { bodyMemoryFull } from '../connection/memory.ts';
import { markConsumed } from '../connection/node-internals.ts';
import { BodyReader, bodyFault, noBody, tooLarge, unknownCoding } from './read-body.ts';

/** The socket is paused when this many bytes wait. */
const MAX_WAITING = 64 * 1024;
/** What a stream takes of the memory of bodies: what waits, and a packet behind it. */
const MEMORY = 2 * MAX_WAITING;
/** More pieces than this are joined: one of a single byte takes two hundred. */
const MAX_PIECES = 64;

/** The stream of a body as it is sent. Throws an `HttpProblem` (400, 413, 415 or 503), an `Error` after the reply. */
function openBody(exchange: Exchange, maxBody = exchange.settings.limits.maxBody): Readable {
  const { request, settings } = exchange;
  if (exchange.bodyLength === 0 && !exchange.replyStarted) throw noBody();
  const fault = bodyFault(exchange, maxBody);
  if (fault !== undefined) throw fault;
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding']?.trim() ?? ''))
    throw unknownCoding('send it without one', 'identity');
  if (!settings.bodies.take(exchange, MEMORY)) throw bodyMemoryFull(exchange);
  return new StreamedBody(exchange, maxBody).begin();
}

/** What is not taken yet waits here and not in the stream: it is counted, and small pieces are joined. */
class StreamedBody extends BodyReader {
  readonly isStream = true;
  override waitsForHandler = true;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #hasEnded = false;
  readonly #stream = new Readable({
    highWaterMark: 1,
    read: () => this.#give(),
    destroy: (error, destroyed) => {
      this.#waiting = [];
      if (this.exchange.connection.reading === this) this.stop();
      destroyed(error);
    },
  });

  begin(): Readable {
    // A handler that has answered, or does not want the rest, may not listen any more.
    this.#stream.on('error', () => {});
    this.start();
    return this.#stream;
  }

  take(chunk: Uint8Array): boolean {
    const fault = this.count(chunk);
    if (fault === undefined) this.#keep(chunk);
    else this.fail(fault);
    return this.#waitingBytes < MAX_WAITING;
  }

  end(): void {
    markConsumed(this.exchange.request);
    if (this.total === 0) return this.fail(noBody());
    this.#hasEnded = true;
    this.stop();
    if (!this.waitsForHandler) this.#stream.push(null);
  }

  fail(error: Error): void {
    this.#stream.destroy(error);
  }

  #keep(chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (!this.waitsForHandler) this.#give();
    else if (this.#waiting.length > MAX_PIECES) this.#waiting = [Buffer.concat(this.#waiting)];
  }

  /** Gives what waits to the handler, or lets it wait for the client. */
  #give(): void {
    if (this.#waiting.length === 0) {
      if (this.#hasEnded) return void this.#stream.push(null);
      this.waitsForHandler = false;
      return this.continueIfAsked();
    }
    const chunk = this.#waiting.length === 1 ? this.#waiting[0]! : Buffer.concat(this.#waiting);
    // The socket reads on, as where the stream of the request wants more.
    if (this.#waitingBytes >= MAX_WAITING && !this.#hasEnded) this.exchange.request._read(0);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.waitsForHandler = true;
    this.exchange.connection.taken++;
    // V8 frees the memory of chunks with the objects that hold them, which are few: it would look for them at 32 MiB,
    // in Node 24 at 64. A list of half the length of the chunk, which nobody keeps, makes it look sooner.
    new Array(chunk.length >>> 4);
    this.#stream.push(chunk);
  }
}

/** The exchange of this context, or of the one that it is a copy of; undefined for a context of another library. */
function exchangeOf(context: Context): Exchange | undefined {
  const original = originalOf(context);
  return original instanceof Exchange ? original : undefined;
}

/** The longest body that fits into `maxBodyMemory`, in bytes; its value takes `copies` times its length. */
export const longestBody = ({ maxBodyMemory }: Limits, copies: number): number =>
  Math.floor((maxBodyMemory - memoryFor(0)) / (2 + copies));

/**
 * The body in memory, of at most `maxBytes`, or of the limit of the server. The value that is made of it takes `copies`
 * times its length. What cannot fit into `maxBodyMemory` is too large and not worth another try, so it is 413.
 */
export async function limitedBody(context: Context, maxBytes: number | undefined, copies: number): Promise<Uint8Array> {
  const exchange = exchangeOf(context);
  if (exchange === undefined) return bodyWithin(context, maxBytes);
  const { limits, bodies } = exchange.settings;
  exchange.bodyLimit = Math.min(maxBytes ?? limits.maxBody, longestBody(limits, copies));
  const bytes = await bodyWithin(context, maxBytes);
  if (copies > 0 && !bodies.take(exchange, copies * bytes.length)) throw bodyMemoryFull(exchange);
  return bytes;
}

/** The body as a stream, of at most `maxBytes`, or of the limit of the server. */
export function streamedBody(context: Context, maxBytes: number | undefined): Readable {
  const exchange = exchangeOf(context);
  const isRead = bodyOfCopy(context) !== undefined || exchange?.wholeBody !== undefined;
  if (exchange !== undefined && !isRead) return openBody(exchange, maxBytes);
  if (exchange !== undefined) exchange.bodyLimit = maxBytes;
  return Readable.from(wholeBody(context, maxBytes), { objectMode: false });
}

async function* wholeBody(context: Context, maxBytes: number | undefined): AsyncGenerator<Uint8Array> {
  const bytes = await bodyWithin(context, maxBytes);
  if (bytes.length === 0) throw noBody();
  yield bytes;
}

/** A stage may have read the body before, within the limit of the server, or have given another one. */
async function bodyWithin(context: Context, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const bytes = await context.body();
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}
