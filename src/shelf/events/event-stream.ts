/**
 * Sends events as they happen, and comments while no events happen. The stream ends when the source ends, the client
 * leaves, or the service stops.
 *
 * The source starts at the first read, so a reply to HEAD does not start it. It is asked for the next event when the
 * client has read enough (backpressure). If the source ignores its signal, the stream ends without waiting for it.
 */

import { AsyncResource } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
// Imported from Node, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quoted } from '../../extending.ts';

/** The argument of a function that returns a source of events. */
export interface EventsStart {
  /** The id of the last event that the client received before it reconnected; undefined for a first connection. */
  readonly lastEventId: string | undefined;
  /** Aborted when the stream ends: the client has left, the service is stopping, or the source has ended. */
  readonly signal: AbortSignal;
}

/** An async iterable of events, or a function that returns one. The function is called at the first read. */
export type EventsSource =
  | AsyncIterable<ServerSentEvent | string>
  | ((start: EventsStart) => AsyncIterable<ServerSentEvent | string>);

interface EventStreamOptions {
  readonly lastEventId: string | undefined;
  readonly stopping: AbortSignal;
  /** The time without an event after which a comment is sent, in milliseconds; 0 for no comments. */
  readonly keepAlive: number;
  /** The lines to send before the first event. */
  readonly opening: string;
}

/** If a source never waits, other requests get a turn of the event loop after this number of events. */
const MAX_EVENTS_A_TURN = 64;

export function eventStream(source: EventsSource, options: EventStreamOptions): Readable {
  const { lastEventId, stopping, keepAlive } = options;
  const over = new AbortController();
  const { signal } = over;
  let { opening } = options;
  let iterator: Events | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isAsking = false;
  let sinceTurn = 0;

  // Lets the source run in the asynchronous context of the handler.
  const origin = new AsyncResource('EventStream');
  const stream = new Readable({
    read: () => origin.runInAsyncScope(read),
    destroy(error, done) {
      release();
      done(error);
    },
  });
  return stream;

  function read(): void {
    if (!isStarted) start();
    if (isAsking || iterator === undefined) return;
    isAsking = true;
    // An error of the source, or an event that cannot be serialized, destroys the stream. An error after the end of the
    // stream is dropped (D75).
    ask(iterator).catch((error: Error) => {
      if (!signal.aborted) stream.destroy(error);
    });
  }

  function start(): void {
    if (stopping.aborted) return end();
    isStarted = true;
    iterator = iteratorOf(typeof source === 'function' ? source({ lastEventId, signal }) : source);
    stopping.addEventListener('abort', end);
    // No comment is needed while the client has not read all bytes.
    const comment = () => stream.readableLength === 0 && send(': keep-alive\n\n');
    if (keepAlive > 0) timer = setInterval(comment, keepAlive).unref();
    // Shows the client that it is connected. Sent in the next turn, so that a source that throws at once becomes a 500.
    setImmediate(sendOpening);
  }

  async function ask(events: Events): Promise<void> {
    if (++sinceTurn > MAX_EVENTS_A_TURN) {
      await nextTurn();
      sinceTurn = 0;
      if (signal.aborted) return;
    }
    let result: IteratorResult<ServerSentEvent | string>;
    try {
      result = await events.next();
    } catch (error) {
      iterator = undefined;
      throw error;
    }
    isAsking = false;
    if (result.done !== true) return send(eventText(result.value));
    iterator = undefined;
    end();
  }

  function send(text: string): void {
    if (signal.aborted) return;
    timer?.refresh();
    const whole = opening + text;
    opening = '';
    stream.push(whole);
  }

  function sendOpening(): void {
    if (opening !== '') send('');
  }

  function end(): void {
    if (signal.aborted) return;
    sendOpening();
    stream.push(null);
    release();
  }

  function release(): void {
    clearInterval(timer);
    stopping.removeEventListener('abort', end);
    const former = iterator;
    // An iterable that was never started may have listeners, so its iterator is made and ended too.
    const last = isStarted || typeof source === 'function' ? () => former : () => iteratorOf(source);
    isStarted = true;
    iterator = undefined;
    over.abort();
    void origin.runInAsyncScope(ended, undefined, last);
  }
}

type Events = AsyncIterator<ServerSentEvent | string>;

function iteratorOf(source: AsyncIterable<ServerSentEvent | string>): Events {
  const iterator = source?.[Symbol.asyncIterator]?.();
  if (iterator === undefined) throw noEvents();
  return iterator;
}

export function noEvents(): TypeError {
  const remedy = 'give an async iterable, or a function that returns one, such as an async function*';
  return new TypeError(`Cannot send events: the source is not an async iterable; ${remedy}`);
}

/** Calls `return` of the iterator. Ignores errors, for example of a locked stream, because the client has left. */
async function ended(iterator: () => Events | undefined): Promise<void> {
  try {
    await iterator()?.return?.();
  } catch {}
}

/** One event. */
export interface ServerSentEvent {
  /** A text is sent unchanged, any other value as JSON. */
  readonly data: unknown;
  /** The event type, for which a client adds a listener. Default: `message`. */
  readonly event?: string | undefined;
  /** The id of the event. A client that reconnects sends the last id as `Last-Event-ID`. */
  readonly id?: string | number | undefined;
  /** The time after which a disconnected client reconnects, in milliseconds. */
  readonly retry?: number | undefined;
}

/** The longest id in bytes of UTF-8. With a longer id, the head of the next request could exceed its limit. */
const MAX_ID_BYTES = 1024;

/**
 * Returns the lines of an event, with one `data` field for each line of the text. Throws a `TypeError` with the cause
 * and the remedy for an invalid event. A line break in an id or a type is invalid, because the client would read the
 * text after it as another field.
 */
export function eventText(sent: ServerSentEvent | string): string {
  if (typeof sent === 'string') return dataLines(sent);
  if (typeof sent !== 'object' || sent === null) throw invalid(`it is ${String(sent)}; give a text or { data }`);
  const { data, event, id, retry } = sent;
  const text = typeof data === 'string' ? data : (JSON.stringify(data) as string | undefined);
  if (text === undefined) throw invalid('it has no data; give a text or a JSON value, such as null');
  let lines = '';
  if (event !== undefined) lines += `event: ${oneLine('name', event)}\n`;
  if (id !== undefined) lines += `id: ${checkedId(String(id))}\n`;
  if (retry !== undefined) lines += retryLine(retry);
  return lines + dataLines(text);
}

/** Returns the `retry` line. Throws a `TypeError` if `retry` is not a whole number of milliseconds. */
export function retryLine(retry: number): string {
  if (Number.isSafeInteger(retry) && retry >= 0) return `retry: ${retry}\n`;
  throw invalid(`its retry is ${quoted(retry)}; give a whole number of milliseconds`);
}

const dataLines = (data: string): string => `data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

function checkedId(id: string): string {
  if (id.includes('\0')) throw invalid(`its id ${quoted(id)} has U+0000, and clients ignore such ids; encode it`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES)
    throw invalid(`its id has more than ${MAX_ID_BYTES} bytes; give a shorter id, because it comes back in a header`);
  return oneLine('id', id);
}

function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string') throw invalid(`its ${what} is ${quoted(text)}; give a text`);
  if (/[\r\n]/.test(text)) throw invalid(`its ${what} ${quoted(text)} has a line break; only its data can have one`);
  return text;
}

const invalid = (fault: string): TypeError => new TypeError(`Cannot send the event: ${fault}`);

/** Returns the id in `Last-Event-ID`, or undefined if it is absent, empty or too long. */
export function lastEventIdOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id'];
  if (typeof sent !== 'string' || sent === '' || sent.length > MAX_ID_BYTES) return undefined;
  // Node decodes a header as Latin-1; browsers write an id in UTF-8.
  const bytes = Buffer.from(sent, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : sent;
}
