/**
 * Releases the streams of replies that are not sent.
 *
 * A handler may throw after `stream(createReadStream(path))`, wait before it returns the reply, or return another reply.
 * So the library holds a stream from the moment that it gets the stream: it listens for errors, and destroys the stream
 * when the request is over.
 *
 * The functions that create replies do not get the context. They find the request by its asynchronous context, which
 * takes 2 to 3 % of the time of each request. So it is set only after the first stream. Before that, a stream belongs
 * to the request whose handler is running. If this stream is created after a wait, it is not destroyed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import type { Context, Handler } from './context.ts';
import type { Reply } from './reply.ts';
import { isStreamOfWeb, type Source } from './reply-fault.ts';
import { librarySlot } from './slotted-context.ts';
import { ignoreFailure, releaseSource } from './source-stream.ts';

/** The streams of a request, each with the name of the stage or route that returned it first. */
type HeldStreams = Map<Source, string | undefined>;

const streams = librarySlot<HeldStreams>('streams');
/** The streams of the request that holds a stream; undefined for a stream that was created outside of a request. */
const holders = new WeakMap<Source, HeldStreams | undefined>();

const requests = new AsyncLocalStorage<Context>();
let hasStreams = false;
/** The request whose handler is running, before it waits for the first time. */
let running: Context | undefined;

/** Calls the handler of a request. The request holds the streams that the handler and its stages create. */
export function inRequest(context: Context, handler: Handler): Reply | Promise<Reply> {
  if (hasStreams) return requests.run(context, handler, context);
  running = context;
  try {
    return handler(context);
  } finally {
    running = undefined;
  }
}

/** Holds the stream of a new reply. Ignores other bodies and values. */
export function holdStream(source: unknown): void {
  if (!(source instanceof Readable) && !isStreamOfWeb(source)) return;
  if (holders.has(source)) return;
  hasStreams = true;
  const context = requests.getStore() ?? running;
  if (context !== undefined) return noteStream(source, context);
  listen(source);
  holders.set(source, undefined);
}

/** Holds a stream for a request. `name` returns the name of the stage or route that has returned the stream. */
export function noteStream(source: Source, context: Context, name?: () => string): void {
  const held: HeldStreams = streams.find(context) ?? new Map();
  streams.set(context, held);
  if (!holders.has(source)) listen(source);
  if (held.get(source) === undefined) held.set(source, name?.());
  const former = holders.get(source);
  if (former === held) return;
  // Another request has created the stream, for example for a client that waits.
  former?.delete(source);
  holders.set(source, held);
}

/** Returns the name of the stage or route that returned the stream first. */
export const nameOfStream = (source: Source, context: Context): string =>
  streams.find(context)?.get(source) ?? 'A stage';

/** Destroys the streams of a request that is over. */
export function releaseStreams(context: Context): void {
  const held = streams.find(context);
  if (held === undefined || held.size === 0) return;
  for (const [source, name] of held) if (name !== undefined) releaseSource(source);
  // The request may have created a stream for another request, which takes it over only now.
  setImmediate(() => {
    for (const source of held.keys()) releaseSource(source);
    held.clear();
  });
}

/** Without a listener, an error would end the process. `sendStream` finds the error of a stream that is sent. */
function listen(source: Source): void {
  if (source instanceof Readable) source.on('error', ignoreFailure);
}
