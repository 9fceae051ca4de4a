/**
 * Streams a body from its source as fast as the client reads. Joins small texts, such as the rows of a list, to save
 * writes. If a slow source waits, sends the text that is already joined.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
// Imported because a test may replace the global timers with fake timers.
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { attempt } from '../log/thrown-value.ts';
import { article } from '../options/assert-options.ts';
import { isIterable, isStream, isStreamOfNode, isStreamOfWeb, type Source } from './reply-fault.ts';

/** Texts are joined up to this number of characters. */
const CHUNK_LENGTH = 16 * 1024;

const nextTurn = promisify(setImmediate);

type Step = IteratorResult<unknown>;

/**
 * Streams the texts or bytes of a source. The headers are sent with the first bytes, so the client gets a 500 if the
 * source fails before them. When the stream ends or is destroyed, it releases the source and `value`. The source runs
 * in the asynchronous context (`AsyncLocalStorage`) of the stage that created the stream.
 */
export class SourceStream extends Readable {
  readonly #inOrigin = AsyncLocalStorage.snapshot();
  readonly #source: Source;
  /** The handler's value from which a body writer creates the texts; undefined if the handler returned the source. */
  readonly value: unknown;
  /** Undefined before the first read. */
  #iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(source: Source, value?: unknown) {
    super({ highWaterMark: CHUNK_LENGTH });
    this.#source = source;
    this.value = value;
    // A stream may fail before it is read. A later read throws this error; without a listener it would end the process.
    for (const stream of [source, value]) if (isStream(stream)) listenForErrors(stream);
  }

  override _read(): void {
    // The next chunk is requested already, and is pushed when it arrives.
    if (this.#isAsking) return;
    this.#isAsking = true;
    const fail = (error: unknown): void => {
      this.destroy(error instanceof Error ? error : new Error(String(error), { cause: error }));
    };
    this.#inOrigin(() => this.#pushNext()).catch(fail);
  }

  /** Pushes the next chunk, or the end. Pushes an incomplete chunk if the source waits longer than one turn. */
  async #pushNext(): Promise<void> {
    // Without this pause, a source that never waits would block all other requests while a fast client reads it.
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
    // `return`, called above, ends a generator. `value` is released separately, because a generator that has not started
    // does not release it.
    if (!isGenerator(this.#source)) releaseSource(this.#source);
    if (isIterable(this.value)) releaseSource(this.value);
  }
}

/**
 * Releases a source that is no longer read: a stream of Node or of the Web, or a generator. Starts a generator that has
 * not started, because its `finally` would not run otherwise. Ignores errors of the source.
 */
export function releaseSource(source: Source): void {
  listenForErrors(source);
  // A stream may replace `destroy` by a function that throws.
  if (isStreamOfNode(source)) attempt(() => void source.destroy(), undefined);
  else if (isGenerator(source)) ended(source).catch(ignoreFailure);
  else if (isStreamOfWeb(source)) source.cancel().catch(ignoreFailure);
}

async function ended(generator: Generator | AsyncGenerator): Promise<void> {
  // Both calls are queued at once, so an asynchronous generator ends after its first value.
  await Promise.all([generator.next(), generator.return(undefined)]);
}

const isGenerator = (source: Source): source is Generator | AsyncGenerator =>
  typeof (source as Generator).next === 'function' && typeof (source as Generator).return === 'function';

/** Listens for errors, because an error without a listener would end the process. Ignores a stream of the Web. */
export function listenForErrors(source: Source): void {
  if (isStreamOfNode(source) && !source.listeners('error').includes(ignoreFailure)) source.on('error', ignoreFailure);
}

function ignoreFailure(): void {}
