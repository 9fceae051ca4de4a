/**
 * Reads the body of a request into memory with a separate limit (D49), or as a stream with backpressure (D74).
 * `context.body()` uses `read-body.ts`.
 */
import { Readable } from 'node:stream';
import type { Context } from '../../http/context.ts';
import { bodyOfCopy } from '../../http/context-with.ts';
import { type Limits, memoryFor } from '../../http/limits.ts';
import { HttpProblem } from '../../http/problem.ts';
import type { Exchange } from '../connection/connection.ts';
import { exchangeOf } from '../request-context.ts';
import { bodyMemoryFull } from './body-memory.ts';
import { BodyReader, tooLarge } from './body-reader.ts';
import { bodyFault, noBody, unknownCoding } from './read-body.ts';

/** The socket is paused when this number of bytes waits for the handler. */
const MAX_WAITING = 64 * 1024;
/** The body memory that is reserved for a stream, in bytes: the waiting bytes and one more packet. */
const MEMORY = 2 * MAX_WAITING;

/**
 * Opens the body as a stream. Throws an `HttpProblem` (400, 413, 415 or 503), or an `Error` after the reply. `100
 * Continue` is sent at the first read, so a handler can refuse the request before it reads (D74).
 */
function openBody(exchange: Exchange, maxBody = exchange.settings.limits.maxBody): Readable {
  const { request, settings } = exchange;
  if (exchange.bodyLength === 0 && !exchange.replyStarted) throw noBody();
  const fault = bodyFault(exchange, maxBody);
  if (fault !== undefined) throw fault;
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding']?.trim() ?? ''))
    throw unknownCoding('send it without one', 'identity');
  if (!settings.bodies.take(exchange, MEMORY)) throw bodyMemoryFull(exchange);
  return new StreamedBody(exchange, maxBody, MEMORY).begin();
}

class StreamedBody extends BodyReader {
  readonly isStream = true;
  #isWanted = false;
  #isWhole = false;
  readonly #stream = new Readable({
    highWaterMark: MAX_WAITING,
    read: () => this.#want(),
    destroy: (error, destroyed) => {
      if (this.isReading) this.stop();
      destroyed(error);
    },
  });

  override get waitsForHandler(): boolean {
    return !this.#isWanted || this.#stream.readableLength > 0;
  }

  begin(): Readable {
    // A handler that has replied may have removed its error listener, and an unhandled error would end the process.
    this.#stream.on('error', () => {});
    const { request, settings } = this.exchange;
    request.setTimeout(settings.limits.requestTimeout, () => this.#refusePause());
    this.start();
    return this.#stream;
  }

  /** The handler reads. */
  #want(): void {
    this.#isWanted = true;
    this.exchange.hasRead = true;
    this.continueIfAsked();
    if (this.held === 0) this.exchange.connection.readBodyOn();
    this.#passOn();
  }

  #passOn(): void {
    if (!this.#isWanted) return;
    if (this.held > 0) {
      this.#isWanted = false;
      this.#stream.push(this.take());
    } else if (this.#isWhole) this.#stream.push(null);
  }

  more(): undefined {
    this.#passOn();
    if (this.held >= MAX_WAITING) this.exchange.connection.pauseReading();
  }

  end(): void {
    if (this.total === 0) return this.fail(noBody());
    this.#isWhole = true;
    this.#passOn();
  }

  fail(error: Error): void {
    this.#stream.destroy(error);
  }

  protected override stop(): void {
    super.stop();
    this.exchange.request.setTimeout(0);
  }

  /** Refuses a body whose client pauses for too long. While the handler does not read, the client may pause. */
  #refusePause(): void {
    const { request, settings } = this.exchange;
    // The handler has replied, and the client reads nothing. Node leaves this socket to the listener.
    if (!this.isReading) return void request.socket.destroy();
    if (this.waitsForHandler) return void request.setTimeout(settings.limits.requestTimeout);
    this.exchange.bodyFailure = new HttpProblem(408, 'The body paused for too long');
    this.fail(this.exchange.bodyFailure);
  }
}

/** Returns the longest body that fits into `maxBodyMemory`, in bytes. Its value takes `copies` times its length. */
export const longestBody = ({ maxBodyMemory }: Limits, copies: number): number =>
  Math.floor((maxBodyMemory - memoryFor(0)) / (2 + copies));

/**
 * Reads the body into memory: at most `maxBytes`, or the limit of the server. The value that the caller creates from
 * the body takes `copies` times its length. A body that can never fit into `maxBodyMemory` is refused with 413, not
 * 503, because a retry cannot help. This happens only with a plain handler, because the start of an application fails
 * if its limits do not fit (D74).
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

/** Returns the body as a stream. The limit is `maxBytes`; if it is undefined, the limit of the server. */
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

/** Checks the length again, because a stage may have read the body with the limit of the server, or replaced it. */
async function bodyWithin(context: Context, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const bytes = await context.body();
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}
