/** Makes replies with server-sent events, which a browser reads with `EventSource` (HTML standard, D75). */
import type { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import { contentTypeOf } from '../../core/message/headers/content-type.ts';
import { API_POLICY, withDefaults } from '../../core/message/headers/header-lines.ts';
import { noteStream } from '../../core/message/held-streams.ts';
import { makeReply } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { MAX_TIMER } from '../../core/wire/connection/limits.ts';
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

const HEADERS: readonly string[] = [
  ...['Content-Type', contentTypeOf('text/event-stream')],
  // A proxy that compresses or buffers a stream would delay events.
  ...['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'],
  ...API_POLICY,
];

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
  return makeReply(200, withDefaults(HEADERS, headers), body) as Reply<200, Readable>;
}
