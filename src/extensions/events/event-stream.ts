/**
 * Streams events as they come, with comments while there are none, until the source, the client or the service ends.
 *
 * The source starts with the first read, so a reply to HEAD starts none. It is asked for the next event when the client
 * has taken enough of the earlier ones. The stream never waits for a source that does not react to its signal.
 */

import { AsyncResource } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attempt } from '../../core/log/thrown-value.ts';
import { quoted } from '../../core/options/assert-options.ts';

/** What a function that makes a source is given. */
export interface EventsStart {
  /** The id of the last event that the client has seen, as it sent it; undefined for a first connection. */
  readonly lastEventId: string | undefined;
  /** Aborted once the stream is over: the client has left, the service is stopping, or there are no more events. */
  readonly signal: AbortSignal;
}

/** Events, or a function that is called when the first one is wanted. */
export type EventsSource =
  | AsyncIterable<ServerSentEvent | string>
  | ((start: EventsStart) => AsyncIterable<ServerSentEvent | string>);

interface EventStreamOptions {
  readonly lastEventId: string | undefined;
  readonly stopping: AbortSignal;
  /** Milliseconds of silence before a comment; 0 for none. */
  readonly keepAlive: number;
  /** The lines in front of the first event. */
  readonly opening: string;
}

/** A source whose events are all there does not keep other requests waiting for longer than so many take. */
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

  // The source runs in the asynchronous context of the handler.
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
    // A source that fails at once, or an event that cannot be written, ends the stream as one that fails later.
    ask(iterator).catch((error: Error) => {
      if (!signal.aborted) stream.destroy(error);
    });
  }

  function start(): void {
    if (stopping.aborted) return end();
    isStarted = true;
    iterator = iteratorOf(typeof source === 'function' ? source({ lastEventId, signal }) : source);
    stopping.addEventListener('abort', end);
    // A client that has yet to read earlier bytes gets no comments.
    const comment = () => stream.readableLength === 0 && send(': keep-alive\n\n');
    if (keepAlive > 0) timer = setInterval(comment, keepAlive).unref();
    // The client sees that it is connected; a source that fails at once is still answered 500.
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
    // Events that exist before the stream starts may hold listeners.
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
  const remedy = 'give one, or a function that returns one, such as an async function*';
  return new TypeError(`Cannot send events of a source that is no async iterable; ${remedy}`);
}

/** Nobody reads on, so nobody would see an error: of a locked stream for example, which has no iterator. */
async function ended(iterator: () => Events | undefined): Promise<void> {
  try {
    await iterator()?.return?.();
  } catch {}
}

/** One event. */
export interface ServerSentEvent {
  /** A text is sent as it is, any other value as JSON. */
  readonly data: unknown;
  /** The type that a client listens to: `message` unless given. */
  readonly event?: string | undefined;
  /** The client sends the last one as `Last-Event-ID` when it connects again. */
  readonly id?: string | number | undefined;
  /** Milliseconds after which a client connects again. */
  readonly retry?: number | undefined;
}

/** The longest id in bytes of UTF-8. A longer one could come back in a head that is too long to be read. */
const MAX_ID_BYTES = 1024;

/**
 * The lines of an event. Throws a `TypeError` that names the fault and the remedy. A line break ends a field, so a text
 * becomes a field for each line; an id or a name with one is refused: the rest would be read as fields of its own.
 */
export function eventText(sent: ServerSentEvent | string): string {
  if (typeof sent === 'string') return dataLines(sent);
  if (typeof sent !== 'object' || sent === null) throw refused(`it is ${String(sent)}; give a text or { data }`);
  const { data, event, id, retry } = sent;
  const text = typeof data === 'string' ? data : (JSON.stringify(data) as string | undefined);
  if (text === undefined) throw refused('it has no data; give a text, or a value that JSON has, null for none');
  let lines = '';
  if (event !== undefined) lines += `event: ${oneLine('name', event)}\n`;
  if (id !== undefined) lines += `id: ${checkedId(String(id))}\n`;
  if (retry !== undefined) lines += retryLine(retry);
  return lines + dataLines(text);
}

/** The line that tells a client when to connect again. Throws a `TypeError` for what is no number of milliseconds. */
export function retryLine(retry: number): string {
  if (Number.isSafeInteger(retry) && retry >= 0) return `retry: ${retry}\n`;
  throw refused(`its retry is ${quoted(retry)}; give a whole number of milliseconds`);
}

const dataLines = (data: string): string => `data: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;

function checkedId(id: string): string {
  if (id.includes('\0')) throw refused(`its id ${quoted(id)} has U+0000, with which clients ignore it; encode it`);
  if (Buffer.byteLength(id) > MAX_ID_BYTES)
    throw refused(`its id has more than ${MAX_ID_BYTES} bytes; give one that a header can carry back`);
  return oneLine('id', id);
}

function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string') throw refused(`its ${what} is ${quoted(text)}; give a text`);
  if (/[\r\n]/.test(text)) throw refused(`its ${what} ${quoted(text)} has a line break; only its data can have one`);
  return text;
}

const refused = (fault: string): TypeError => new TypeError(`Cannot send the event: ${fault}`);

/** The id in `Last-Event-ID`; undefined for none, and for one that no event of this service had. */
export function lastEventIdOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id'];
  if (typeof sent !== 'string' || sent === '' || sent.length > MAX_ID_BYTES) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  // Node decodes a header as Latin-1; browsers write an id in UTF-8.
  return attempt(() => decoder.decode(Buffer.from(sent, 'latin1')), sent);
}
