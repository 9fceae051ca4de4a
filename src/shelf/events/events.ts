/** Makes replies with server-sent events, which a browser reads with `EventSource` (HTML standard, D75). */

import type { Readable } from 'node:stream';
import { assertOptions, noteStream } from '../../extending.ts';
import { type Context, type Reply, stream, withHeaders } from '../../index.ts';
import { eventText, lastEventIdOf, retryLine, type ServerSentEvent } from './event-text.ts';

export type { ServerSentEvent } from './event-text.ts';

/** The argument of a function that returns a source of events. */
interface EventsStart {
  /** The id of the last event that the client received before it reconnected; undefined for a first connection. */
  readonly lastEventId: string | undefined;
  /** Aborted when the stream ends: the client has left, the service is stopping, or the source has ended. */
  readonly signal: AbortSignal;
}

type Events = AsyncIterable<ServerSentEvent | string>;

/** An async iterable of events, or a function that returns one. The function is called at the first read. */
type EventsSource = Events | ((start: EventsStart) => Events);

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
  readonly headers?: Reply['headers'] | undefined;
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
export function events(context: Context, source: EventsSource, options: EventsOptions = {}): Reply<200> {
  assertOptions('send events', options, ['keepAlive', 'retry', 'headers']);
  const { keepAlive = 15_000, retry, headers } = options;
  if (typeof source !== 'function') assertIterable(source);
  if (!(keepAlive >= 0 && keepAlive <= MAX_TIMER))
    throw new RangeError(
      `Cannot send a comment every ${keepAlive} ms; give up to ${MAX_TIMER} ms, or 0 for no comments`,
    );
  const opening = retry === undefined ? ':\n\n' : `${retryLine(retry)}\n`;
  const { stopping } = context;
  const over = new AbortController();
  const { signal } = over;
  let iterator: AsyncIterator<ServerSentEvent | string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The texts to send next; undefined ends the stream. The first shows the client that it is connected. */
  const ready: (string | undefined | Promise<string | undefined>)[] = [opening];
  let isAsking = false;
  let wake = (): void => {};

  function add(text: (typeof ready)[number]): void {
    ready.push(text);
    wake();
  }

  async function ask(): Promise<string | undefined> {
    if (stopping.aborted) return undefined;
    iterator ??= start();
    const { done, value } = await iterator.next();
    return done === true ? undefined : eventText(value);
  }

  function start(): AsyncIterator<ServerSentEvent | string> {
    const lastEventId = lastEventIdOf(context.headers);
    const iterable = typeof source === 'function' ? source({ lastEventId, signal }) : source;
    assertIterable(iterable);
    stopping.addEventListener('abort', end);
    const comment = (): void => {
      if (ready.length === 0) add(': keep-alive\n\n');
    };
    if (keepAlive > 0) timer = setInterval(comment, keepAlive).unref();
    return iterable[Symbol.asyncIterator]();
  }

  async function next(): Promise<IteratorResult<string>> {
    if (ready.length === 0 && !isAsking) {
      isAsking = true;
      const asked = ask();
      const answered = (): void => {
        isAsking = false;
        add(asked);
      };
      asked.then(answered, answered);
    }
    if (ready.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const text = await ready.shift();
    timer?.refresh();
    if (text !== undefined && !signal.aborted) return { value: text };
    end();
    return { done: true, value: undefined };
  }

  /** Does not wait for the source, which may ignore its signal. */
  function end(): void {
    if (signal.aborted) return;
    clearInterval(timer);
    stopping.removeEventListener('abort', end);
    over.abort();
    add(undefined);
    void release();
  }

  /** Ignores errors, for example of a locked stream, because the client has left. */
  async function release(): Promise<void> {
    try {
      // An iterable that was never started may have listeners, so its iterator is made and ended too.
      if (typeof source !== 'function') iterator ??= source[Symbol.asyncIterator]();
      await iterator?.return?.();
    } catch {}
  }

  // The reply to HEAD closes the stream without reading it, so no source is started.
  const reply = stream(
    { [Symbol.asyncIterator]: () => ({ next }) },
    { mediaType: 'text/event-stream', headers: HEADERS },
  );
  const body = reply.body as Readable;
  body.once('close', end);
  noteStream(body, context);
  return withHeaders(reply, headers ?? {}) as typeof reply;
}

function assertIterable(source: unknown): asserts source is Events {
  if (typeof (source as Events | undefined)?.[Symbol.asyncIterator] === 'function') return;
  const remedy = 'give an async iterable, or a function that returns one, such as an async function*';
  throw new TypeError(`Cannot send events: the source is not an async iterable; ${remedy}`);
}
