/**
 * Streams a body from its source at the pace of the client. Small texts are joined, so that not every row of a list is
 * a write, and the joined text goes out while a slow source waits.
 */
import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { clearImmediate, setImmediate } from 'node:timers';
import { article } from '../options/assert-options.ts';
import { isIterable, type Source } from './reply-fault.ts';

/** Texts are joined until they have so many characters. */
const CHUNK_LENGTH = 16 * 1024;

type Step = IteratorResult<unknown>;

/**
 * The stream of a source of texts or bytes. Nothing is sent before its first bytes, so a source that fails until then
 * is a 500. Whatever ends the stream releases the source and `value`, which the source reads. The source runs in the
 * asynchronous context in which the stream is made: that of its stage.
 */
export class SourceStream extends Readable {
  readonly #origin = new AsyncResource('SourceStream');
  readonly #source: Source;
  /** The value that the source was made of; undefined for the source of a handler. */
  readonly value: unknown;
  /** Undefined before the first read. */
  #iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  #isOver = false;
  #isAsking = false;
  #isWanted = false;
  #text = '';
  #flushing: NodeJS.Immediate | undefined;
  /** Something was given in this turn of the event loop: more is asked for in the next one. */
  #hasGiven = false;
  #turn: NodeJS.Immediate | undefined;

  constructor(source: Source, value?: unknown) {
    super({ highWaterMark: CHUNK_LENGTH });
    this.#source = source;
    this.value = value;
    // It may fail before it is read; who reads it is told then.
    for (const one of [source, value]) if (one instanceof Readable) one.on('error', ignoreFailure);
  }

  override _read(): void {
    this.#isWanted = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#origin.runInAsyncScope(this.#ask, this);
  }

  /**
   * Asks the source as long as more is wanted. Others have a turn behind each chunk: a source that never waits, and a
   * client as fast as it, would leave them none.
   */
  #ask(): void {
    try {
      const source = this.#source;
      const isAsync = Symbol.asyncIterator in source;
      this.#iterator ??= isAsync ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
      while (this.#isWanted && !this.destroyed && !this.#isOver) {
        if (this.#hasGiven) return void (this.#turn = setImmediate(this.#askAgain));
        const step = this.#iterator.next();
        if (isAsync) return void Promise.resolve(step).then(this.#proceed, this.#fail);
        this.#take(step as Step);
      }
      this.#isAsking = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #askAgain = (): void => {
    this.#hasGiven = false;
    this.#ask();
  };

  readonly #proceed = (step: Step): void => {
    try {
      this.#take(step);
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#text !== '') this.#flushing ??= setImmediate(this.#flush);
    this.#ask();
  };

  readonly #fail = (error: unknown): void => {
    this.destroy(error instanceof Error ? error : new Error(String(error), { cause: error }));
  };

  #take({ done, value }: Step): void {
    if (this.destroyed) return;
    if (done) {
      this.#isOver = true;
      this.#flush();
      this.push(null);
    } else if (typeof value === 'string') {
      this.#text += value;
      if (this.#text.length >= CHUNK_LENGTH) this.#flush();
    } else if (value instanceof Uint8Array) {
      this.#flush();
      this.#give(value);
    } else throw new TypeError(`Cannot send ${article(typeof value)} as part of a body; give texts or bytes`);
  }

  readonly #flush = (): void => {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const text = this.#text;
    this.#text = '';
    this.#give(text);
  };

  #give(part: string | Uint8Array): void {
    if (part.length === 0 || this.destroyed) return;
    // The reader may ask for more before `push` returns.
    this.#isWanted = false;
    this.#hasGiven = true;
    if (this.push(part)) this.#isWanted = true;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearImmediate(this.#flushing);
    clearImmediate(this.#turn);
    this.#text = '';
    const end = async () => (this.#isOver ? undefined : this.#iterator?.return?.());
    this.#origin.runInAsyncScope(end).then(
      () => done(error),
      (failure) => done(error ?? failure),
    );
    // A generator that has not begun has nothing of its own, and what it reads is the value.
    if (!isGenerator(this.#source)) releaseSource(this.#source);
    if (isIterable(this.value)) releaseSource(this.value);
  }
}

/**
 * Releases a source that is not read, or no further: a stream of Node or of the Web, or a generator. One that has not
 * begun is begun, since its `finally` would not run otherwise. What it fails with concerns no reply any more.
 */
export function releaseSource(source: Source): void {
  if (source instanceof Readable) source.on('error', ignoreFailure).destroy();
  else if (isGenerator(source)) ended(source).catch(ignoreFailure);
  else if (isStreamOfWeb(source)) source.cancel().catch(ignoreFailure);
}

async function ended(generator: Generator | AsyncGenerator): Promise<void> {
  // Both at once: an asynchronous one ends behind its first value.
  await Promise.all([generator.next(), generator.return(undefined)]);
}

const isGenerator = (source: Source): source is Generator | AsyncGenerator =>
  typeof (source as Generator).next === 'function' && typeof (source as Generator).return === 'function';

const isStreamOfWeb = (source: Source): source is ReadableStream =>
  typeof (source as ReadableStream).getReader === 'function';

/** The listener of a stream that nobody waits for. */
export function ignoreFailure(): void {}
