/** Sends a reply whose body is a stream: its head goes out once the stream has given its first bytes. */
import type { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { discardReply } from '../../message/made-reply.ts';
import { streamsOf } from '../../message/ready-reply.ts';
import { headerOf } from '../../message/replies.ts';
import type { Reply } from '../../message/reply.ts';
import { InvalidReply } from '../../message/reply-fault.ts';
import { SourceStream } from '../../message/source-stream.ts';
import type { Exchange } from '../connection/exchange.ts';
import { writeReply } from './write-reply.ts';

/** How long the head of an event stream waits for an event, in milliseconds. An absent file fails sooner. */
const MAX_HEAD_DELAY = 5;

/**
 * Sends a reply that is a stream, which may fail before its first byte. Calls `done` after its last byte, and `failed`
 * with an error while no head has been sent.
 */
export function sendStream(
  exchange: Exchange,
  reply: Reply,
  body: Readable,
  done: (exchange: Exchange) => void,
  failed: (exchange: Exchange, error: unknown) => void,
): void {
  exchange.response.once('close', () => discardReply(reply));
  // A client of rows, or of a stream with a length, does not need the head early; the time of the handler counts on.
  const isOfRows = body instanceof SourceStream && body.value !== undefined;
  const waits = isOfRows || headerOf(reply, 'Content-Length') !== undefined;
  firstBytes(body, waits ? undefined : MAX_HEAD_DELAY)
    .then(
      () => (exchange.replyStarted ? discardReply(reply) : writeReply(exchange, reply, done)),
      (cause: unknown) => {
        if (exchange.replyStarted) return;
        throw new InvalidReply(`${streamsOf(exchange)?.get(body)} streamed a body that failed`, { cause });
      },
    )
    .catch((error: unknown) => failed(exchange, error));
}

/** Resolves at the first bytes, at the end, or after `delay` milliseconds. Rejects if the stream fails before that. */
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
