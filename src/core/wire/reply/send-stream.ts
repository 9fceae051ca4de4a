/**
 * Sends a reply whose body is a stream, with backpressure (RFC 9112 §6.3, §8). The head waits for the first bytes of
 * the stream.
 *
 * If the stream fails before the head is sent, the client gets a problem. If the stream fails later, or is longer or
 * shorter than its Content-Length, the connection is closed. The log names the stage or route that returned the stream.
 */
import type { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { report } from '../../message/error-log.ts';
import { discardReply } from '../../message/frozen-reply.ts';
import { nameOfStream } from '../../message/held-streams.ts';
import { headerOf } from '../../message/replies.ts';
import type { Reply } from '../../message/reply.ts';
import { InvalidReply } from '../../message/reply-fault.ts';
import { SourceStream } from '../../message/source-stream.ts';
import { connectionOf } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { holdUnsent, writeHead } from './write-reply.ts';

/**
 * The time that the head of a stream without a length waits for its first bytes, in milliseconds; rows have no limit.
 * An absent file fails sooner.
 */
const MAX_HEAD_DELAY = 5;
/** The milliseconds that a stream has to end after all bytes of its Content-Length. Then the response is ended. */
const END_DELAY = 1000;
/** The milliseconds until the first check of a client that ends its side during a stream without a length (D52). */
const OPEN_ENDED_PATIENCE = 750;
/** The interval of further checks of this client while bytes are unflushed, in milliseconds. */
const FLUSH_INTERVAL = 100;

/** Sends the reply, then calls `done`. Calls `failed` instead if an error occurs before the head is sent. */
export async function sendStream(
  exchange: Exchange,
  reply: Reply,
  body: Readable,
  done: (exchange: Exchange) => void,
  failed: (exchange: Exchange, error: unknown) => void,
): Promise<void> {
  const { response } = exchange;
  if (response.destroyed) {
    discardReply(reply);
    return done(exchange);
  }
  response.once('close', () => discardReply(reply));
  const announced = headerOf(reply, 'Content-Length');
  // The head of rows and of streams with a length may wait longer. The time limit of the handler still applies.
  const isOfRows = body instanceof SourceStream && body.value !== undefined;
  try {
    await firstBytes(body, isOfRows || announced !== undefined ? undefined : MAX_HEAD_DELAY);
  } catch (cause) {
    if (exchange.replyStarted) return;
    return failed(exchange, new InvalidReply(`${nameOfStream(body, exchange)} streamed a body that failed`, { cause }));
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
  writeStream(exchange, body, announced === undefined ? undefined : Number(announced));
}

/** Resolves at the first bytes, at the end, or after `delay` milliseconds. Rejects if the stream fails earlier. */
function firstBytes(body: Readable, delay: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (body.destroyed || body.errored) return reject(body.errored ?? new Error('The stream was destroyed'));
    const done = (): void => {
      clearTimeout(timer);
      body.off('readable', done).off('end', done).off('close', done).off('error', reject);
      resolve();
    };
    const timer = delay === undefined ? undefined : setTimeout(done, delay);
    body.on('error', reject).on('close', done).on('end', done).on('readable', done);
  });
}

/** Sends the body; `length` is its Content-Length. Destroys the stream when the client disconnects. */
function writeStream(exchange: Exchange, body: Readable, length: number | undefined): void {
  const { request, response, settings } = exchange;
  let isOver = false;
  let endTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    response.end();
  };
  const cut = (fault: string, cause?: unknown): void => {
    if (isOver) return;
    isOver = true;
    const message = `${nameOfStream(body, exchange)} ${fault}; the connection was closed, because the head had been sent`;
    report(new InvalidReply(message, { cause }), exchange, settings.log);
    request.socket.destroy();
    // Otherwise a source that never waits would prevent the socket from closing.
    body.destroy();
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
    holdUnsent(exchange, 'drain');
    response.once('drain', () => body.resume());
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
  response.once('close', () => {
    isOver = true;
    clearTimeout(endTimer);
    body.destroy();
  });
  if (length !== undefined) return cutWhenClientLeft(exchange, settings.limits.writeTimeout);
  exchange.hasOpenEndedReply = true;
  // A paused socket would not tell that the client has left.
  const connection = connectionOf(request.socket);
  if (connection.waiting.length > 0) connection.readOn();
  // The client of an event stream gets the head before the first event.
  response.flushHeaders();
  cutWhenClientLeft(exchange, OPEN_ENDED_PATIENCE);
}

/** If the client has ended its side, closes the connection when nothing was sent for `patience` milliseconds. */
function cutWhenClientLeft(exchange: Exchange, patience: number): void {
  const { socket } = exchange.request;
  let timer: NodeJS.Timeout | undefined;
  let before = -1;
  const check = (): void => {
    const isSending = !exchange.hasOpenEndedReply && exchange.sentBytes !== before;
    before = exchange.sentBytes;
    if (socket.writableLength > 0) timer = setTimeout(check, FLUSH_INTERVAL);
    else if (isSending) timer = setTimeout(check, patience);
    else socket.destroy();
  };
  const wait = (): void => {
    timer = setTimeout(check, patience);
  };
  if (socket.readableEnded) wait();
  else socket.once('end', wait);
  exchange.response.once('close', () => {
    socket.off('end', wait);
    clearTimeout(timer);
  });
}
