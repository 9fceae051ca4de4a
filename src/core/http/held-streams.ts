/**
 * Releases the streams of replies that are not sent.
 *
 * A handler may throw after `stream(createReadStream(path))`, wait before it returns the reply, or return another reply.
 * So the library holds a stream from the moment that it gets the stream: it listens for errors, and destroys the stream
 * when the request is over.
 *
 * The functions that create replies do not get the context. They find the request by its asynchronous context, which
 * takes time for each request. So it is set only after the first stream of the process. Before that, a stream belongs
 * to the request whose handler is running. If a request that began before the first stream waits, and then creates a
 * stream, this stream belongs to no request and is not destroyed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import type { Context } from './context.ts';
import { isStream, type Source } from './reply.ts';
import { librarySlot, type SlottedContext } from './slotted-context.ts';
import { listenForErrors, releaseSource, SourceStream } from './source-stream.ts';

interface HeldStreams {
  /** The stage or the route that returned each stream first; undefined if none has returned it yet. */
  readonly names: Map<Source, string | undefined>;
  isOver: boolean;
}

const streams = librarySlot<HeldStreams>('streams');

/** The state of all copies of this library in the process, because a plugin may bring its own copy. */
interface Shared {
  /** Does not store the context, because a timer or a connection of a pool would keep the request in memory. */
  readonly requests: AsyncLocalStorage<HeldStreams>;
  /** The request that holds a stream; undefined for a stream that was created outside of a request. */
  readonly holders: WeakMap<Source, HeldStreams | undefined>;
  hasStreams: boolean;
  /** The request whose handler is running, before it waits for the first time. */
  running: Context | undefined;
}
const SHARED = Symbol.for('todo-item-service held streams');
const shared: Shared = ((globalThis as { [SHARED]?: Shared })[SHARED] ??= {
  requests: new AsyncLocalStorage(),
  holders: new WeakMap(),
  hasStreams: false,
  running: undefined,
});

/** Calls the handler of a request. The request holds the streams that the handler and its stages create. */
export function inRequest<Result>(context: Context, handler: (context: Context) => Result): Result {
  if (shared.hasStreams) return shared.requests.run(heldBy(context), handler, context);
  shared.running = context;
  try {
    return handler(context);
  } finally {
    shared.running = undefined;
  }
}

/** Holds the stream of a new reply. Ignores other bodies and values. */
export function holdStream(source: unknown): void {
  if (!isStream(source) || shared.holders.has(source)) return;
  shared.hasStreams = true;
  const { requests, running } = shared;
  const held = requests.getStore() ?? (running && heldBy(running));
  listenForErrors(source);
  // A request that is over may have started a task that creates streams for later requests.
  give(source, held?.isOver === true ? undefined : held);
}

/** Holds a stream for a request. `name` returns the name of the stage or route that has returned the stream. */
export function noteStream(source: Source, context: Context, name?: () => string): void {
  listenForErrors(source);
  const held = heldBy(context);
  give(source, held, name);
  // Otherwise the stream of the rows would stay with the request that has created the reply for this one.
  if (source instanceof SourceStream && isStream(source.value)) give(source.value, held, name);
  // The handler has waited longer than a stage that has replied in its place.
  if (held.isOver) releaseSoon(held);
}

export const nameOfStream = (source: Source, context: Context): string =>
  streams.find(context)?.names.get(source) ?? 'A stage';

/** Destroys the streams of a request that is over, or that waits for a handler whose reply comes too late. */
export function releaseStreams(context: Context, isLate = false): void {
  if (!shared.hasStreams) return;
  const held = heldBy(context);
  held.isOver = !isLate;
  for (const [source, name] of held.names) if (name !== undefined) releaseSource(source);
  if (held.names.size > 0) releaseSoon(held);
}

function heldBy(context: Context): HeldStreams {
  const found = streams.find(context);
  if (found !== undefined) return found;
  // A request may create the first stream of the process when it is over.
  const isOver = (context as Partial<SlottedContext>).source?.isOver() === true;
  const held = { names: new Map(), isOver };
  streams.set(context, held);
  return held;
}

/** Gives a stream to a request. Another request may have created it, for a client that waits. */
function give(source: Source, held: HeldStreams | undefined, name?: () => string): void {
  const former = shared.holders.get(source);
  if (former !== held) former?.names.delete(source);
  shared.holders.set(source, held);
  if (held !== undefined && held.names.get(source) === undefined) held.names.set(source, name?.());
}

/** Destroys the streams in the next turn, because another request may take a stream over only now. */
function releaseSoon({ names }: HeldStreams): void {
  setImmediate(() => {
    for (const source of names.keys()) releaseSource(source);
    names.clear();
  });
}
