/**
 * Streams events as they come, with comments while there are none, until the source, the client or the service ends.
 *
 * The source starts with the first read, so a reply to HEAD starts none. It is asked for the next event when the client
 * has taken enough of the earlier ones: about as many bytes wait here as a `Readable` keeps. The stream never waits for
 * a source that does not react to its signal.
 */
import { Readable } from 'node:stream';
import { eventText, type ServerSentEvent } from './event-text.ts';

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

/** What a stream of events needs beside its source. */
export interface EventStreamOptions {
  readonly lastEventId: string | undefined;
  readonly stopping: AbortSignal;
  /** Milliseconds of silence before a comment; 0 for none. */
  readonly keepAlive: number;
  /** The lines in front of the first event. */
  readonly opening: string;
}

/** A source whose events are all there does not keep other requests waiting for longer than so many take. */
const MAX_EVENTS_A_TURN = 64;

export class EventStream extends Readable {
  readonly #source: EventsSource;
  readonly #options: EventStreamOptions;
  readonly #over = new AbortController();
  #iterator: Events | undefined;
  #timer: NodeJS.Timeout | undefined;
  #opening: string;
  #isStarted = false;
  #isAsking = false;
  #sinceTurn = 0;

  constructor(source: EventsSource, options: EventStreamOptions) {
    super();
    this.#source = source;
    this.#options = options;
    this.#opening = options.opening;
  }

  override _read(): void {
    if (!this.#isStarted) this.#start();
    if (this.#isAsking || this.#iterator === undefined) return;
    this.#isAsking = true;
    if (++this.#sinceTurn > MAX_EVENTS_A_TURN) return void setImmediate(this.#askInNextTurn);
    this.#askNext();
  }

  readonly #askInNextTurn = (): void => {
    this.#sinceTurn = 0;
    this.#askNext();
  };

  #askNext(): void {
    if (this.#iterator === undefined) return;
    // A source that fails at once, or an event that cannot be written, ends the stream as one that fails later.
    void this.#ask(this.#iterator).catch((error: unknown) => {
      if (!this.#over.signal.aborted) this.destroy(error as Error);
    });
  }

  #start(): void {
    const { lastEventId, stopping, keepAlive } = this.#options;
    if (stopping.aborted) return this.#end();
    this.#isStarted = true;
    const { signal } = this.#over;
    this.#iterator = iteratorOf(
      typeof this.#source === 'function' ? this.#source({ lastEventId, signal }) : this.#source,
    );
    stopping.addEventListener('abort', this.#end);
    if (keepAlive > 0) this.#timer = setTimeout(this.#keepAlive, keepAlive).unref();
    // The client sees that it is connected; a source that fails at once is still answered 500.
    setImmediate(() => {
      if (this.#opening !== '') this.#send('');
    });
  }

  async #ask(iterator: Events): Promise<void> {
    let result: IteratorResult<ServerSentEvent | string>;
    try {
      result = await iterator.next();
    } catch (error) {
      this.#iterator = undefined;
      throw error;
    }
    this.#isAsking = false;
    if (result.done === true) {
      this.#iterator = undefined;
      this.#end();
    } else this.#send(eventText(result.value));
  }

  #send(text: string): void {
    if (this.#over.signal.aborted) return;
    this.#timer?.refresh();
    const whole = this.#opening + text;
    this.#opening = '';
    this.push(whole);
  }

  readonly #keepAlive = (): void => {
    this.#timer = setTimeout(this.#keepAlive, this.#options.keepAlive).unref();
    // A client that has yet to read earlier bytes gets no more of these.
    if (this.readableLength === 0) this.#send(': keep-alive\n\n');
  };

  readonly #end = (): void => {
    if (this.#over.signal.aborted) return;
    if (this.#opening !== '') this.#send('');
    this.push(null);
    this.#release();
  };

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#release();
    done(error);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#options.stopping.removeEventListener('abort', this.#end);
    // Events that exist before the stream starts may hold listeners.
    if (!this.#isStarted && typeof this.#source !== 'function') this.#iterator = iteratorIn(this.#source);
    this.#isStarted = true;
    const iterator = this.#iterator;
    this.#iterator = undefined;
    this.#over.abort();
    if (iterator !== undefined) void ended(iterator);
  }
}

type Events = AsyncIterator<ServerSentEvent | string>;

function iteratorOf(source: AsyncIterable<ServerSentEvent | string>): Events {
  const iterator = source?.[Symbol.asyncIterator]?.();
  if (iterator !== undefined) return iterator;
  throw noEvents();
}

export const noEvents = (): TypeError =>
  new TypeError(
    'Cannot send events of a source that is no async iterable; give one, or a function that returns one, such as an ' +
      'async function*',
  );

/** The iterator of a source that nobody reads; undefined for one that has none, a locked stream for example. */
function iteratorIn(source: AsyncIterable<ServerSentEvent | string>): Events | undefined {
  try {
    return iteratorOf(source);
  } catch {
    return undefined;
  }
}

/** Nobody is left who could see an error. */
async function ended(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}
