/**
 * Sends a body in parts at the pace of the client, so that one part at most is queued (RFC 9112 §6.3, §8).
 *
 * A stream that fails, or breaks its Content-Length, ends the connection, and the log names who made it.
 */
import type { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { report } from '../../message/problem.ts';
import { streamsOf } from '../../message/ready-reply.ts';
import { InvalidReply } from '../../message/reply-fault.ts';
import type { Exchange } from '../connection/exchange.ts';

/** A stream that has given all bytes of its length is ended after this time, in milliseconds. */
const END_DELAY = 1000;
/** A client that ends its side during a stream without a length is checked after this time, in milliseconds (D52). */
const OPEN_ENDED_PATIENCE = 750;
/** While bytes are unflushed, the client is checked again after this time, in milliseconds. */
const FLUSH_INTERVAL = 100;

/** Sends `body`, whose Content-Length is `announced`. The stream is destroyed when the client leaves. */
export function writeStream(exchange: Exchange, body: Readable, announced: string | undefined): void {
  const { response, settings } = exchange;
  const length = announced === undefined ? undefined : Number(announced);
  let isOver = false;
  let endTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    response.end();
  };
  const cut = (fault: string, cause?: unknown): void => {
    if (isOver) return;
    isOver = true;
    const who = streamsOf(exchange)?.get(body) ?? 'A stage';
    const error = new InvalidReply(`${who} ${fault}; the connection was cut, as the head had gone`, { cause });
    report(error, exchange, settings.log);
    exchange.connection.socket.destroy();
    // A source that never waits would not let the socket close.
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
    response.once('drain', () => body.resume());
  });
  body.once('end', () => {
    // A stream that is cut may have ended already.
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
  // A client of an event stream sees that it is accepted before the first event.
  response.flushHeaders();
  cutWhenClientLeft(exchange, OPEN_ENDED_PATIENCE);
}

/** Cuts a client that has ended its side if nothing is unflushed, or was sent, for `patience` milliseconds. */
function cutWhenClientLeft(exchange: Exchange, patience: number): void {
  const { socket } = exchange.connection;
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
