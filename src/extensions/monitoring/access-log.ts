/**
 * Writes the access log: one line per request, JSON unless formatted otherwise, to standard output or to an open file
 * descriptor (D106).
 *
 * A request never waits for the log. `ms` is the time until the reply
 * is returned, not until the client has received it, unless `whenSent` asks for that. The query is left out, since it
 * may hold secrets. What is refused before any stage, by Node's parser for example, has a line with the `reason`, and
 * `-` for what is not known of it. A request that a host around the service gets has none (D78).
 */
import { createWriteStream, fstatSync, WriteStream } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Plugin } from '../../core/application/plugin.ts';
import { ignoreErrors, logLine, oneLine } from '../../core/log/log-line.ts';
import { attempt, isObject } from '../../core/log/thrown-value.ts';
import type { Context } from '../../core/message/context.ts';
import { logError } from '../../core/message/error-log.ts';
import { headerOf } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions, quoted } from '../../core/options/assert-options.ts';
import { observed, type Stage } from '../../core/pipeline/stage.ts';
import { whenSent } from '../../core/wire/connection/exchange.ts';
import { fallsThrough } from '../../core/wire/mounted-listener.ts';

/** What is written of a request. */
interface AccessLogEntry {
  /** When it was answered, in ISO 8601. */
  readonly time: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The length of the body; undefined where it is not known beforehand. */
  readonly bytes: number | undefined;
  readonly ms: number;
  readonly remoteAddress: string | undefined;
  /** With `whenSent`: true where the client has left before the end of the reply, or was cut. */
  readonly aborted?: true | undefined;
}

/** Where the log goes, and what a line says. */
export interface AccessLogOptions<Members extends object = object> {
  /** An open file descriptor; 1, standard output, unless given. */
  readonly descriptor?: number | undefined;
  /**
   * Writes the line once the reply is sent or the connection closed, false unless given: `ms` is the whole time then,
   * `status` and `bytes` are what was sent, and `aborted` is there. A client that leaves before a reply is a 499.
   */
  readonly whenSent?: boolean | undefined;
  /** Most bytes that wait for a slow reader; 1 MiB unless given. */
  readonly bound?: number | undefined;
  /** The address of the client; what the trusted proxies of the application tell unless given. */
  readonly remoteAddress?: ((context: Context) => string | undefined) | undefined;
  /** Milliseconds since the epoch: gives `time`, and `ms` by the difference. The clocks of the system unless given. */
  readonly now?: (() => number) | undefined;
  /**
   * Returns what the line has besides, at once, under names of its own. `reply` is undefined where the stages have
   * failed. Where it throws, or returns what JSON cannot have or what does not fit, the line is written without.
   */
  readonly members?: ((context: Context, reply: Reply | undefined) => Members & NoneOfOwn) | undefined;
  /**
   * Returns the line, in place of JSON. Line breaks in it become spaces; a text of more than 4,095 bytes is cut. Where
   * it throws, or returns no text, JSON is written. So is, always, how many lines were dropped: `{ time, dropped }`.
   */
  readonly format?: ((entry: AccessLogEntry & Partial<Members>) => string) | undefined;
}

/** The plugin. */
export interface AccessLog extends Plugin {
  /** How many lines it could not write: their reader did not read, or the disk was full. */
  readonly dropped: number;
}

type NoneOfOwn = { readonly [Name in keyof AccessLogEntry]?: never };

/** Milliseconds that `stop` waits for buffered lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

/**
 * Writes a line per request. Its stage sees every reply, also to requests that are refused before the pipeline. The
 * first failure of each function of yours is told in the log of the service, with the request; none changes its reply.
 *
 *     const user = slot<{ readonly name: string }>('user');
 *     accessLog({
 *       members: (context) => ({ user: user.find(context)?.name, agent: context.headers['user-agent'] }),
 *       format: ({ time, method, path, status, user = '-' }) => `${time} ${user} ${method} ${path} ${status}`,
 *     });
 */
export function accessLog<Members extends object = object>(options: AccessLogOptions<Members> = {}): AccessLog {
  const known = ['descriptor', 'whenSent', 'bound', 'remoteAddress', 'now', 'members', 'format'] as const;
  assertOptions('log requests', options, known);
  const { descriptor = 1, bound = 2 ** 20, now = Date.now, members, format } = options;
  for (const [name, given] of Object.entries({ members, format }))
    if (given !== undefined && Object.prototype.toString.call(given) !== '[object Function]')
      throw new TypeError(`Cannot log requests with this "${name}": it is no function that returns at once; give one`);
  const { remoteAddress = (context) => context.remoteAddress } = options;
  const elapsed = options.now ?? (() => performance.now());
  const time = (): string => new Date(now()).toISOString();
  const log = lineWriter(descriptor, bound, (dropped) => logLine({ time: time(), dropped }));
  const told = new Set<string>();

  /** What the action returns. Where it throws, undefined, and the first error of this kind is logged. */
  function tried<Result>(what: string, request: object, action: () => Result): Result | undefined {
    try {
      return action();
    } catch (cause) {
      if (!told.has(what))
        logError(new Error(`Cannot write ${what} of the access log; this is told once`, { cause }), request);
      told.add(what);
      return undefined;
    }
  }

  /** Writes a line: as the format has it, else as JSON, without the members where they do not fit. */
  function write(entry: AccessLogEntry, request: object, membersOf?: () => unknown, more: object = {}): void {
    const whole = membersOf && tried('the members', request, () => membersBeside(entry, membersOf()));
    const line =
      format &&
      tried('the format', request, () => formattedLine(format((whole ?? entry) as AccessLogEntry & Partial<Members>)));
    log.line(line ?? (whole && tried('the members', request, () => lineOf(whole))) ?? lineOf({ ...entry, ...more }));
  }

  const accessLog: Stage = (context, next) => {
    const started = elapsed();
    const from = remoteAddress(context);
    const writeOf = (reply: Reply | undefined, status: number, bytes: number | undefined, aborted?: true): void => {
      // A host around the service answers it (D78).
      if (fallsThrough(reply, context)) return;
      const { requestId, method, path } = context;
      const ms = Math.round((elapsed() - started) * 1000) / 1000;
      const entry = { time: time(), requestId, method, path, status, bytes, ms, remoteAddress: from, aborted };
      write(entry, context, members && (() => members(context, reply)));
    };
    let made: Reply | undefined;
    if (options.whenSent)
      whenSent(context, ({ status = 499, bytes, isWhole }) => writeOf(made, status, bytes, isWhole ? undefined : true));
    return observed(context, next, (status, reply) => {
      made = reply;
      if (!options.whenSent) writeOf(reply, status, bytesOf(context, reply));
    });
  };
  return {
    ...{ name: 'access-log', outerStages: [accessLog], stop: log.flush },
    refused(refusal) {
      const { isSeen, reason, requestId, method, path, status, remoteAddress } = refusal;
      const entry = { time: time(), requestId, method, path, status, bytes: undefined, ms: 0, remoteAddress };
      if (!isSeen) write(entry, refusal, undefined, { reason });
    },
    get dropped() {
      return log.dropped();
    },
  };
}

/** The entry with these members behind its own. Throws a `TypeError` for a name that it has itself. */
function membersBeside(entry: AccessLogEntry, made: unknown): object {
  // That it is a promise is told. Its error would end the process.
  if (made instanceof Promise) made.catch(() => {});
  if (!isObject(made) || made instanceof Promise)
    throw new TypeError(`members has returned ${quoted(made)}; return an object, at once`);
  const taken = Object.keys(made).find((name) => Object.hasOwn(entry, name));
  if (taken !== undefined) throw new TypeError(`The line has a "${taken}" of its own; choose another name`);
  return { ...entry, ...made };
}

/** The text as one line of at most `MAX_LINE` bytes. A tab stays: it parts columns. */
function formattedLine(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError(`format has returned ${quoted(text)}; return a text, at once`);
  const line = text.split('\t').map(oneLine).join('\t');
  if (Buffer.byteLength(line) < MAX_LINE) return line;
  const cut = Buffer.from(line).subarray(0, MAX_LINE - 1 - Buffer.byteLength('…'));
  return `${cut.toString().replace(/\ufffd+$/, '')}…`;
}

/** The line, of at most `MAX_LINE` bytes. Long texts are cut and end in `…`. Throws where that is not enough. */
function lineOf(members: object): string {
  let line = logLine(members);
  for (let longest = MAX_LINE / 2; Buffer.byteLength(line) >= MAX_LINE; longest /= 2) {
    if (longest < 1) throw new RangeError(`A line of ${line.length} characters does not fit; give less`);
    const cut = (value: unknown): unknown =>
      typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;
    line = logLine(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, cut(value)])));
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

/** Most bytes of a line. A pipe takes as many at once (PIPE_BUF of Linux), so lines of several processes do not mix. */
const MAX_LINE = 4096;
/** Milliseconds. A write of its own for each line makes a GET 6 % slower where the log is a pipe (Node 26). */
const WRITE_PAUSE_MS = 5;

/**
 * Writes lines without blocking. What is logged within `WRITE_PAUSE_MS` goes into one write. A line that cannot be
 * written is dropped and counted: the reader of a pipe may stop or exit, and a disk may be full. `droppedLine` makes
 * the line that tells their number; it precedes the next line. At most `limit` bytes wait for the reader.
 */
function lineWriter(descriptor: number, limit: number, droppedLine: (count: number) => string) {
  let stream: Writable | undefined;
  let dropped = 0;
  let told = 0;

  function writeDropped(): void {
    if (dropped > told) write(droppedLine(dropped - told));
    told = dropped;
  }

  function write(line: string): void {
    const used = (stream ??= streamOf(descriptor));
    if (used.writableCorked === 0) {
      used.cork();
      setTimeout(() => used.uncork(), WRITE_PAUSE_MS);
    }
    used.write(`${line}\n`, (error) => {
      if (!error) return;
      dropped++;
      // The stream emits the error after this call. Uncaught, it would end the process.
      ignoreErrors(used);
      // The disk may have room again for the next line. The reader of a pipe does not come back.
      if (used instanceof WriteStream) stream = undefined;
    });
  }

  return {
    dropped: () => dropped,
    /** Writes a line without its line feed, or drops it while too much waits. Never throws. */
    line(text: string): void {
      if ((stream?.writableLength ?? 0) + text.length > limit) return void dropped++;
      writeDropped();
      write(text);
    },
    /** Resolves when all lines are written or dropped, or after a while. */
    async flush(): Promise<void> {
      writeDropped();
      const used = stream;
      if (used === undefined || used.writableLength === 0) return;
      await new Promise<unknown>((resolve) => {
        setTimeout(resolve, FLUSH_TIMEOUT_MS).unref();
        used.write('', resolve);
        used.uncork();
      });
    },
  };
}

/** Writes to the descriptor and leaves it open. A descriptor that is closed fails each write. */
function streamOf(descriptor: number): Writable {
  const found = attempt(() => fstatSync(descriptor), undefined);
  // Standard output as a stream of Node would block on a file.
  if (!found?.isFIFO() && !found?.isSocket()) return createWriteStream('', { fd: descriptor, autoClose: false });
  if (descriptor === 1) return process.stdout;
  if (descriptor === 2) return process.stderr;
  return new Socket({ fd: descriptor, readable: false, writable: true }).unref();
}
