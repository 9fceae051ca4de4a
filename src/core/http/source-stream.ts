/**
 * Streams a body from its source as fast as the client reads. Joins small texts, such as the rows of a list, to save
 * writes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
// Imported because a test may replace the global timers with fake timers.
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { attempt } from '../log/thrown-value.ts';
import { article } from '../options/assert-options.ts';
import { isIterable, isStream, isStreamOfNode, isStreamOfWeb, type Source } from './reply.ts';

const CHUNK_LENGTH = 16 * 1024;

const nextTurn = promisify(setImmediate);

/**
 * Streams the texts or bytes of a source. When the stream ends or is destroyed, it releases the source and `value`. The
 * source runs in the asynchronous context (`AsyncLocalStorage`) of the stage that created the stream.
 */
export class SourceStream extends Readable {
  readonly #inOrigin = AsyncLocalStorage.snapshot();
  readonly #source: Source;
  /** The handler's value from which a body writer creates the texts; undefined if the handler returned the source. */
  readonly value: unknown;
  readonly #chunks = this.#joined();
  /** Undefined before the first read, and after the end of the source. */
  #iterator: Iterator<unknown> | AsyncIterator<unknown> | undefined;

  constructor(source: Source, value?: unknown) {
    super({ highWaterMark: CHUNK_LENGTH });
    this.#source = source;
    this.value = value;
    // A stream may fail before it is read. A later read throws this error; without a listener it would end the process.
    for (const stream of [source, value]) if (isStream(stream)) listenForErrors(stream);
  }

  override async _read(): Promise<void> {
    try {
      const { value = null } = await this.#inOrigin(() => this.#chunks.next());
      if (!this.destroyed) this.push(value);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error), { cause: error }));
    }
  }

  /** Joins the texts of the source. If the source waits longer than a turn, yields the text that is already joined. */
  async *#joined(): AsyncGenerator<string | Uint8Array, undefined> {
    const source = this.#source;
    const isAsync = Symbol.asyncIterator in source;
    const iterator = isAsync ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#iterator = iterator;
    let text = '';
    let turn: Promise<void> | undefined;
    for (;;) {
      const asked = iterator.next();
      if (text !== '' && isAsync && (await Promise.race([asked, (turn ??= nextTurn())])) === undefined) {
        yield text;
        text = '';
      }
      const { done, value } = isAsync ? await asked : (asked as IteratorResult<unknown>);
      if (done) break;
      if (typeof value === 'string') text += value;
      else if (!(value instanceof Uint8Array))
        throw new TypeError(`Cannot send ${article(typeof value)} as part of a body; give texts or bytes`);
      if (typeof value === 'string' && text.length < CHUNK_LENGTH) continue;
      if (text !== '') yield text;
      if (typeof value !== 'string' && value.length > 0) yield value;
      text = '';
      turn = undefined;
      // A source that never waits would block all other requests while a fast client reads it.
      await nextTurn();
    }
    this.#iterator = undefined;
    if (text !== '') yield text;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const end = async () => this.#iterator?.return?.();
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
