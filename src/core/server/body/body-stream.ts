/** Reads the body of a request as a stream with backpressure (D74). */
import { Readable } from 'node:stream';
import { HttpProblem } from '../../http/problem.ts';
import { noBody } from '../../http/request-body.ts';
import type { Exchange } from '../connection/connection.ts';
import { bodyMemoryFull } from './body-memory.ts';
import { BodyReader } from './body-reader.ts';
import { bodyFault, unknownCoding } from './read-body.ts';

/** The socket is paused when this number of bytes waits for the handler. */
const MAX_WAITING = 64 * 1024;
/** The body memory that is reserved for a stream, in bytes: the waiting bytes and one more packet. */
const MEMORY = 2 * MAX_WAITING;

/**
 * Opens the body as a stream. Throws an `HttpProblem` (400, 413, 415 or 503), or an `Error` after the reply. `100
 * Continue` is sent at the first read, so a handler can refuse the request before it reads (D74).
 */
export function openBody(exchange: Exchange, maxBody = exchange.settings.limits.maxBody): Readable {
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
