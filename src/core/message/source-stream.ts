/**
 * Streams a body from its source at the pace of the client. Small texts are joined, so that not every row of a list is
 * a write, and the joined text goes out while a slow source waits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { article } from '../options/assert-options.ts';
import { isIterable, type Source } from './reply-fault.ts';

/** Texts are joined until they have so many characters. */
const CHUNK_LENGTH = 16 * 1024;

const nextTurn = promisify(setImmediate);

type Step = IteratorResult<unknown>;

/**
 * The stream of a source of texts or bytes. Nothing is sent before its first bytes, so a source that fails until then
 * is a 500. Whatever ends the stream releases the source and `value`, which the source reads. The source runs in the
 * asynchronous context in which the stream is made: that of its stage.
 */
export class SourceStream extends Readable {
  readonly #inOrigin = AsyncLocalStorage.snapshot();
  readonly #source: Source;
  /** The value that the source was made of; undefined for the source of a handler. */
  readonly value: unknown;
  /** Undefined before the first read. */
  #iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(source: Source, value?: unknown) {
    super({ highWaterMark: CHUNK_LENGTH });
    this.#source = source;
    this.value = value;
    // It may fail before it is read; who reads it is told then.
    for (const one of [source, value]) if (one instanceof Readable) one.on('error', ignoreFailure);
  }

  override _read(): void {
    // The source is already asked for its next chunk, which is pushed when it comes.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const fail = (error: unknown): void => {
      this.destroy(error instanceof Error ? error : new Error(String(error), { cause: error }));
    };
    this.#inOrigin(() => this.#pushNext()).catch(fail);
  }

  /** Pushes a chunk, or the end. Texts are pushed before they are a chunk where the source waits longer than a turn. */
  async #pushNext(): Promise<void> {
    // A source that never waits, and a client as fast as it, would leave others no turn.
    if (this.#iterator !== undefined) await nextTurn();
    const source = this.#source;
    const isAsync = Symbol.asyncIterator in source;
    this.#iterator ??= isAsync ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    let text = '';
    let bytes: Uint8Array | undefined;
    let _pushing: NodeJS.Immediate | undefined;
    const pushText = (): void => {
      if (text !== '' && !this.destroyed) this.push(text);
      text = '';
      _pushing = undefined;
    };
    while (!this.destroyed && !this.#isOver && bytes === undefined && text.length < CHUNK_LENGTH) {
      if (isAsync && text !== '') _pushing ??= setImmediate(pushText);
      const asked = this.#iterator.next();
      const { done, value } = isAsync ? await asked : (asked as Step);
      if (done) this.#isOver = true;
      else if (typeof value === 'string') text += value;
      else if (!(value instanceof Uint8Array))
        throw new TypeError(`Cannot send ${article(typeof value)} as part of a body; give texts or bytes`);
      else if (value.length > 0) bytes = value;
    }
    // Node may call `_read` before `push` returns.
    this.#isAsking = false;
    pushText();
    if (this.destroyed) return;
    if (bytes !== undefined) this.push(bytes);
    if (this.#isOver) this.push(null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const end = async () => (this.#isOver ? undefined : this.#iterator?.return?.());
    this.#inOrigin(end).then(
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
