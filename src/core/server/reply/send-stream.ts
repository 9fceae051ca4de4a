/**
 * Sends a reply whose body is a stream, with backpressure (RFC 9112 §6.3, §8).
 *
 * The head waits for the first bytes of the stream, so a stream that fails before them becomes a problem. If the stream
 * fails later, or is longer or shorter than its Content-Length, the connection is closed. The log names the stage or
 * route that returned the stream.
 */
import type { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { report } from '../../http/error-log.ts';
import { nameOfStream } from '../../http/held-streams.ts';
import { discardReply } from '../../http/ready-reply.ts';
import { headerOf } from '../../http/replies.ts';
import type { Reply } from '../../http/reply.ts';
import { InvalidReply } from '../../http/reply.ts';
import type { Exchange } from '../connection/connection.ts';
import { holdUnsent } from '../connection/unsent.ts';
import { writeHead } from './write-reply.ts';

/** The milliseconds that a stream has to end after all bytes of its Content-Length. Then the response is ended. */
const END_DELAY = 1000;
/** The milliseconds that a client which has ended its side waits for more of a stream without a length (D52). */
const OPEN_ENDED_PATIENCE = 750;

/** Sends the reply, then calls `done`. Calls `failed` instead if an error occurs before the head is sent. */
export async function sendStream(
  exchange: Exchange,
  reply: Reply,
  body: Readable,
  done: (exchange: Exchange) => void,
  failed: (exchange: Exchange, error: unknown) => void,
): Promise<void> {
  const { response } = exchange;
  response.once('close', () => discardReply(reply));
  try {
    if (!response.destroyed) await firstBytes(body);
  } catch (cause) {
    if (exchange.replyStarted) return;
    return failed(
      exchange,
      new InvalidReply(`${nameOfStream(body, exchange.context)} streamed a body that failed`, { cause }),
    );
  }
  if (exchange.replyStarted || response.destroyed) {
    discardReply(reply);
    return exchange.replyStarted ? undefined : done(exchange);
  }
  try {
    writeHead(exchange, reply);
  } catch (error) {
    return failed(exchange, error);
  }
  response.once('close', () => done(exchange));
  const announced = headerOf(reply, 'Content-Length');
  writeStream(exchange, body, announced === undefined ? undefined : Number(announced));
}

/** Resolves at the first bytes or at the end. Rejects if the stream fails earlier. */
function firstBytes(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    if (body.destroyed || body.errored) return reject(body.errored ?? new Error('The stream was destroyed'));
    const done = (): void => {
      body.off('readable', done).off('close', done).off('error', reject);
      resolve();
    };
    body.on('error', reject).on('close', done).on('readable', done);
  });
}

/** Sends the body; `length` is its Content-Length. Destroys the stream when the client disconnects. */
function writeStream(exchange: Exchange, body: Readable, length: number | undefined): void {
  const { context, response, connection, settings } = exchange;
  const { socket } = connection;
  let isOver = false;
  let endTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    response.end();
    // A paused stream waits for its last bytes, which are held back already.
    if (response.writableLength > 0 && !body.isPaused()) holdUnsent(exchange);
  };
  const cut = (fault: string, cause?: unknown): void => {
    if (isOver) return;
    isOver = true;
    const message = `${nameOfStream(body, context)} ${fault}; the connection was closed, because the head had been sent`;
    report(new InvalidReply(message, { cause }), context, settings.log);
    socket.destroy();
    // Otherwise a source that never waits would prevent the socket from closing.
    body.destroy();
  };
  /** A client that has ended its side and gets no more bytes has left (D41). */
  const limitWait = (): void => {
    const patience = length === undefined ? OPEN_ENDED_PATIENCE : settings.limits.writeTimeout;
    if (socket.readableEnded && connection.unsent === 0) socket.setTimeout(patience);
  };
  body.on('data', (chunk: unknown) => {
    if (isOver) return;
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      return cut(`streamed ${typeof chunk}s; stream texts or bytes`);
    exchange.sentBytes += Buffer.byteLength(chunk);
    if (length !== undefined && exchange.sentBytes > length)
      return cut(`streamed more than its Content-Length of ${length} bytes`);
    if (exchange.sentBytes === length) endTimer = setTimeout(end, END_DELAY);
    if (response.write(chunk)) return;
    body.pause();
    holdUnsent(exchange);
    response.once('drain', () => {
      limitWait();
      body.resume();
    });
  });
  body.once('end', () => {
    // The stream may emit `end` after `cut`.
    if (isOver) return;
    if (length !== undefined && exchange.sentBytes < length)
      cut(`streamed ${exchange.sentBytes} bytes for a Content-Length of ${length}`);
    else end();
  });
  body.on('error', (error: Error) => cut('streamed a body that failed', error));
  body.once('close', () => cut('destroyed its stream before the end'));
  socket.once('end', limitWait);
  response.once('close', () => {
    isOver = true;
    clearTimeout(endTimer);
    socket.off('end', limitWait);
    // The handlers of further requests may take longer.
    if (socket.readableEnded) socket.setTimeout(0);
    body.destroy();
  });
  limitWait();
  if (length !== undefined) return;
  exchange.hasOpenEndedReply = true;
  // A paused socket would not tell that the client has left.
  if (connection.waiting.length > 0 && connection.readsOn) connection.readOn();
}
