/**
 * Writes the access log: one JSON line per request, to standard output or to an open file descriptor.
 *
 * A request never waits for the log. `ms` is the time until the reply is returned, not until the client has received
 * it. The query is left out, since it may hold secrets. A message that Node's parser refuses is not logged, nor is a
 * request that a host around the service gets (D78).
 */
import { fstatSync, write } from 'node:fs';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { assertOptions, ignoreErrors, jsonLine, observed } from '../../extending.ts';
import { fallsThrough } from '../../http.ts';
import { type Context, headerOf, type Plugin, type Reply, type Stage } from '../../index.ts';

/** Where the log goes, and which client address it names. */
export interface AccessLogOptions {
  /** An open file descriptor; 1, standard output, unless given. */
  readonly descriptor?: number;
  /** Most characters that are buffered for a slow reader; 1 Mi unless given. */
  readonly bound?: number;
  /** The address of the client; what the trusted proxies of the application tell unless given. */
  readonly remoteAddress?: (context: Context) => string | undefined;
  /** Milliseconds since the epoch: gives `time`, and `ms` by the difference. The clocks of the system unless given. */
  readonly now?: () => number;
}

/** Milliseconds that `stop` waits for buffered lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

/** Writes a line per request. Its stage sees every reply, also to requests that are refused before the pipeline. */
export function accessLog(options: AccessLogOptions = {}): Plugin {
  assertOptions('log requests', options, ['descriptor', 'bound', 'remoteAddress', 'now']);
  const { descriptor = 1, bound = 2 ** 20, now = Date.now } = options;
  const { remoteAddress = (context) => context.remoteAddress } = options;
  const elapsed = options.now ?? (() => performance.now());
  const time = (): string => new Date(now()).toISOString();
  const log = lineWriter(descriptor, bound, (dropped) => jsonLine({ time: time(), dropped }));
  const accessLog: Stage = (context, next) => {
    const started = elapsed();
    const from = remoteAddress(context);
    return observed(context, next, (status, reply) => {
      if (fallsThrough(reply, context)) return;
      const { requestId, method, path } = context;
      const bytes = bytesOf(context, reply);
      const ms = Math.round((elapsed() - started) * 1000) / 1000;
      log.line(lineOf({ time: time(), requestId, method, path, status, bytes, ms, remoteAddress: from }));
    });
  };
  return { name: 'access-log', outerStages: [accessLog], stop: log.flush };
}

/** The line, of at most one write: a long text in it is cut, with `…` at its end. */
function lineOf(members: Readonly<Record<string, string | number | undefined>>): string {
  let line = jsonLine(members);
  for (let longest = MAX_WRITE / 2; Buffer.byteLength(line) >= MAX_WRITE; longest /= 2) {
    const cut = (value: unknown): unknown =>
      typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;
    line = jsonLine(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, cut(value)])));
  }
  return line;
}

/** The length of the body that is sent; undefined where it is not known beforehand. */
function bytesOf({ method }: Context, reply: Reply | undefined): number | undefined {
  if (reply === undefined) return undefined;
  if (method === 'HEAD' || reply.body === undefined) return 0;
  if (typeof reply.body === 'string') return Buffer.byteLength(reply.body);
  if (reply.body instanceof Uint8Array) return reply.body.length;
  const length = headerOf(reply, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/**
 * Most bytes of one write, in whole lines. A pipe takes as many at once (PIPE_BUF of Linux): the lines of several
 * processes are not mixed.
 */
const MAX_WRITE = 4096;

/**
 * Writes lines without blocking: pipes and sockets as streams, files through the thread pool. Lines that cannot be
 * written are dropped and counted, since the reader of a pipe may stop or exit, and a disk may be full. A line with
 * their number, made by `droppedLine`, precedes the next that is written. At most `limit` characters are buffered.
 */
function lineWriter(descriptor: number, limit: number, droppedLine: (count: number) => string) {
  const buffered: string[] = [];
  let size = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let write: ReturnType<typeof writerTo> | undefined;
  // A write takes several lines of a turn of the event loop.
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  async function writeAll(): Promise<void> {
    await turn();
    // After a failure, the line about dropped lines waits for the next line.
    for (let failed = false; buffered.length > 0 || (dropped > 0 && !failed); ) {
      // A failed write drops its lines, and the dropped lines that it reports count again.
      const reported = dropped;
      if (reported > 0) buffered.unshift(droppedLine(reported));
      dropped = 0;
      const lines = buffered.splice(0, linesOfOneWrite(buffered));
      write ??= writerTo(descriptor);
      failed = false;
      await write(`${lines.join('\n')}\n`).catch(() => {
        failed = true;
        dropped += reported > 0 ? reported + lines.length - 1 : lines.length;
      });
      size = buffered.reduce((sum, line) => sum + line.length, 0);
      if (buffered.length === 0) await turn();
    }
    writing = undefined;
  }

  return {
    /** Writes a line, given without its line feed, or drops it when the buffer is full. Never throws. */
    line(text: string): void {
      if (size + text.length > limit) {
        dropped++;
        return;
      }
      buffered.push(text);
      size += text.length;
      writing ??= writeAll();
    },
    /** Resolves when all buffered lines are written, or after a while. */
    flush(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_TIMEOUT_MS);
      });
      return Promise.race([writing, late]).finally(() => clearTimeout(timer));
    },
  };
}

/** How many lines fit into one write, at least one. */
function linesOfOneWrite(lines: readonly string[]): number {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > MAX_WRITE);
  return end < 0 ? lines.length : Math.max(end, 1);
}

/** Returns what writes a text, and rejects where it is not written as a whole. */
function writerTo(descriptor: number): (text: string) => Promise<void> {
  const stream = streamOf(descriptor);
  if (stream === undefined) return (text) => writeFile(descriptor, Buffer.from(text));
  return (text) =>
    new Promise((resolve, reject) => {
      if (stream.destroyed || !stream.writable) return reject(new Error('The reader has gone'));
      stream.write(text, (error) => {
        if (!error) return resolve();
        // The stream emits the error behind this call, and it would end the process.
        ignoreErrors(stream);
        reject(error);
      });
    });
}

/** The stream of a pipe or a socket; undefined for a file. */
function streamOf(descriptor: number): Writable | undefined {
  try {
    const found = fstatSync(descriptor);
    if (!found.isFIFO() && !found.isSocket()) return undefined;
    if (descriptor === 1) return process.stdout;
    if (descriptor === 2) return process.stderr;
    const { Socket } = process.getBuiltinModule('node:net');
    return new Socket({ fd: descriptor, readable: false, writable: true }).unref();
  } catch {
    return undefined;
  }
}

async function writeFile(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await promisify(write)(descriptor, bytes, at, bytes.length - at, null);
    if (bytesWritten === 0) throw new Error('Nothing was written');
    at += bytesWritten;
  }
}
