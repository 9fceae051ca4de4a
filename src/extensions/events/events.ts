/** Makes a reply of server-sent events, which a browser reads with `EventSource` (HTML standard, D75). */
import type { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import { contentTypeOf } from '../../core/message/headers/content-type.ts';
import { API_POLICY, withDefaults } from '../../core/message/headers/header-lines.ts';
import { makeReply } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { MAX_TIMER } from '../../core/wire/connection/limits.ts';
import { type EventsSource, eventStream, lastEventIdOf, noEvents, retryLine } from './event-stream.ts';

export type { ServerSentEvent } from './event-stream.ts';

/** How events are sent. */
interface EventsOptions {
  /** Milliseconds of silence before a comment is sent, for proxies that cut idle connections. 15,000; 0 for none. */
  readonly keepAlive?: number | undefined;
  /** Milliseconds after which a client connects again. */
  readonly retry?: number | undefined;
  /** Further headers, which replace others of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const HEADERS: readonly string[] = [
  ...['Content-Type', contentTypeOf('text/event-stream')],
  // A proxy that compresses a stream, or collects it, holds events back.
  ...['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'],
  ...API_POLICY,
];

/**
 * A reply that sends events as they come. It ends with its source, when the client leaves, and when the service stops:
 * `signal` is aborted, and the iterable is returned, so a `finally` in it runs. An error before cuts the connection,
 * and the log has it.
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
 * An operation returns it where it declares `responses: { 200: { mediaType: 'text/event-stream' } }`. Pass `signal` on
 * to whatever the source waits for: while a generator waits for something else, nothing can end it. Throws a
 * `RangeError` for a time that cannot be used.
 */
export function events(context: Context, source: EventsSource, options: EventsOptions = {}): Reply<200, Readable> {
  assertOptions('send events', options, ['keepAlive', 'retry', 'headers']);
  const { keepAlive = 15_000, retry, headers } = options;
  if (typeof source !== 'function' && typeof source?.[Symbol.asyncIterator] !== 'function') throw noEvents();
  if (!(keepAlive >= 0 && keepAlive <= MAX_TIMER))
    throw new RangeError(`Cannot send a comment each ${keepAlive} ms; give up to ${MAX_TIMER} ms, or 0 for none`);
  const body = eventStream(source, {
    lastEventId: lastEventIdOf(context.headers),
    stopping: context.stopping,
    keepAlive,
    opening: retry === undefined ? ':\n\n' : `${retryLine(retry)}\n`,
  });
  return makeReply(200, withDefaults(HEADERS, headers), body) as Reply<200, Readable>;
}
