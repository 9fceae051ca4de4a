/**
 * Gives a handler the body of a request in another way than `context.body()`: in memory with a limit of its own (D49),
 * or as a stream of the chunks that the parser reads, at the pace of the reader (D74).
 */
import { Readable } from 'node:stream';
import type { Context } from '../../message/context.ts';
import { bodyOfCopy } from '../../message/context-with.ts';
import { type Exchange, exchangeOf } from '../connection/exchange.ts';
import { type Limits, memoryFor } from '../connection/limits.ts';
import { markConsumed, pushJoined } from '../connection/node-internals.ts';
import { bodyMemoryFull } from './body-memory.ts';
import { BodyReader, bodyFault, noBody, tooLarge, unknownCoding } from './read-body.ts';

/** The socket is paused when this many bytes wait. */
const MAX_WAITING = 64 * 1024;
/** What a stream takes of the memory of bodies: what waits, and a packet behind it. */
const MEMORY = 2 * MAX_WAITING;

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

class StreamedBody extends BodyReader {
  readonly isStream = true;
  #isWanted = false;
  readonly #stream = new Readable({
    highWaterMark: MAX_WAITING,
    read: () => {
      this.#isWanted = true;
      this.continueIfAsked();
      // The socket reads on, as where the stream of the request wants more.
      if (this.isReading) this.exchange.request._read(0);
    },
    destroy: (error, destroyed) => {
      if (this.isReading) this.stop();
      destroyed(error);
    },
  });

  override get waitsForHandler(): boolean {
    return !this.#isWanted || this.#stream.readableLength > 0;
  }

  override get taken(): number {
    return this.total - this.#stream.readableLength;
  }

  begin(): Readable {
    // A handler that has answered, or does not want the rest, may not listen any more.
    this.#stream.on('error', () => {});
    this.start();
    return this.#stream;
  }

  take(chunk: Uint8Array): boolean {
    const fault = this.count(chunk);
    if (fault === undefined) return pushJoined.call(this.#stream, chunk);
    this.fail(fault);
    return true;
  }

  end(): void {
    markConsumed(this.exchange.request);
    if (this.total === 0) return this.fail(noBody());
    this.stop();
    this.#stream.push(null);
  }

  fail(error: Error): void {
    this.#stream.destroy(error);
  }
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
