/** Makes replies with server-sent events, which a browser reads with `EventSource` (HTML standard, D75). */

import type { Readable } from 'node:stream';
import { assertOptions, noteStream } from '../../extending.ts';
import { type Context, type Reply, stream, withHeaders } from '../../index.ts';
import { type EventsSource, eventStream, lastEventIdOf, noEvents, retryLine } from './event-stream.ts';

export type { ServerSentEvent } from './event-stream.ts';

/** Options of `events`. */
interface EventsOptions {
  /**
   * A comment is sent after this time without an event, because proxies close idle connections. In milliseconds; 0
   * sends no comments. Default: 15,000.
   */
  readonly keepAlive?: number | undefined;
  /** The time after which a disconnected client reconnects, in milliseconds. */
  readonly retry?: number | undefined;
  /** More headers. They replace default headers with the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The longest time of a timer of Node, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** A proxy that compresses or buffers a stream would delay events. */
const HEADERS = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/**
 * Returns a reply that sends events as they happen. The reply ends when the source ends, the client leaves, or the
 * service stops. At the end `signal` is aborted, and `return` of the iterator is called, so that its `finally` runs. If
 * the source throws, the error is logged and the connection is closed.
 *
 *     route({
 *       path: 'api/news',
 *       handle: ({ context }) =>
 *         events(context, async function* ({ lastEventId, signal }) {
 *           for (let id = Number(lastEventId ?? 0) + 1; !signal.aborted; id++) {
 *             yield { id: String(id), event: 'tick', data: { time: Date.now() } };
 *             await new Promise((resolve) => setTimeout(resolve, 1000));
 *           }
 *         }),
 *     });
 *
 * In an operation, declare `responses: { 200: { mediaType: 'text/event-stream' } }`. Pass `signal` to everything that
 * the source awaits, because a generator cannot be ended while it waits for a promise. Throws a `RangeError` if
 * `keepAlive` is out of range.
 */
export function events(context: Context, source: EventsSource, options: EventsOptions = {}): Reply<200, Readable> {
  assertOptions('send events', options, ['keepAlive', 'retry', 'headers']);
  const { keepAlive = 15_000, retry, headers } = options;
  if (typeof source !== 'function' && typeof source?.[Symbol.asyncIterator] !== 'function') throw noEvents();
  if (!(keepAlive >= 0 && keepAlive <= MAX_TIMER))
    throw new RangeError(
      `Cannot send a comment every ${keepAlive} ms; give up to ${MAX_TIMER} ms, or 0 for no comments`,
    );
  const body = eventStream(source, {
    lastEventId: lastEventIdOf(context.headers),
    stopping: context.stopping,
    keepAlive,
    opening: retry === undefined ? ':\n\n' : `${retryLine(retry)}\n`,
  });
  noteStream(body, context);
  return withHeaders(stream(body, { mediaType: 'text/event-stream', headers: HEADERS }), headers ?? {}) as Reply<
    200,
    Readable
  >;
}
