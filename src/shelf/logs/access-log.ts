/**
 * Writes the access log: one line per request, to standard output or to another open file descriptor (D106). A line is
 * JSON unless `format` is set.
 *
 * A request never waits for the log. `ms` is the time until the outermost stage returns the reply, or, with `whenSent`,
 * until the reply is sent. The query is omitted because it may contain secrets. A request that is refused before any
 * stage, for example by Node's parser, has a line with the `reason`; the line has `-` for unknown values. A request
 * that the service passes on to a surrounding framework has no line (D78).
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

/** The members of a line. */
interface AccessLogEntry {
  /** The time of the reply, in ISO 8601. */
  readonly time: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The length of the body in bytes; undefined if it is not known in advance. */
  readonly bytes: number | undefined;
  readonly ms: number;
  readonly remoteAddress: string | undefined;
  /** Only with `whenSent`: true if the connection was closed before the end of the reply. */
  readonly aborted?: true | undefined;
}

/** The options of `accessLog`. */
export interface AccessLogOptions<Members extends object = object> {
  /** An open file descriptor. Default: 1, standard output. */
  readonly descriptor?: number | undefined;
  /**
   * If true, the line is written when the reply is sent or the connection is closed. `ms` is then the whole time,
   * `bytes` is the number of bytes sent, and `aborted` is set if the reply was cut off. `status` is 499, as in nginx,
   * if the client closes the connection before a reply (D110). Default: false.
   */
  readonly whenSent?: boolean | undefined;
  /** The maximum number of buffered bytes; further lines are dropped. Default: 1 MiB. */
  readonly bound?: number | undefined;
  /** Returns the address of the client. Default: the address according to the trusted proxies of the application. */
  readonly remoteAddress?: ((context: Context) => string | undefined) | undefined;
  /** Returns the milliseconds since 1970, for `time` and `ms`. Default: the clocks of the system. */
  readonly now?: (() => number) | undefined;
  /**
   * Returns further members of the line, synchronously. Their names must differ from the names in `AccessLogEntry`.
   * `reply` is undefined if the stages threw an error. If the function throws, or if the members are too long or cannot
   * be written as JSON, the line does not contain them.
   */
  readonly members?: ((context: Context, reply: Reply | undefined) => Members & NoEntryNames) | undefined;
  /**
   * Returns the text of the line instead of JSON. Line breaks in the text become spaces. A line of more than 4,095
   * bytes is cut. If the function throws or does not return a string, the line is JSON. The line with the number of
   * dropped lines, `{ time, dropped }`, is always JSON.
   */
  readonly format?: ((entry: AccessLogEntry & Partial<Members>) => string) | undefined;
}

/** The plugin that `accessLog` returns. */
export interface AccessLog extends Plugin {
  /** The number of lines that could not be written, because the reader was too slow or the disk was full. */
  readonly dropped: number;
}

type NoEntryNames = { readonly [Name in keyof AccessLogEntry]?: never };

/** Milliseconds for which `stop` waits for buffered lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

/**
 * Returns a plugin that writes one line for each request, even if the request is refused before any stage. If `members`
 * or `format` fails, the reply does not change. The service logs the first error of each of these functions.
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
  for (const [name, option] of Object.entries({ members, format }))
    if (option !== undefined && Object.prototype.toString.call(option) !== '[object Function]')
      throw new TypeError(`Cannot log requests with this "${name}": give a synchronous function`);
  const { remoteAddress = (context) => context.remoteAddress } = options;
  const elapsed = options.now ?? (() => performance.now());
  const time = (): string => new Date(now()).toISOString();
  const log = lineWriter(descriptor, bound, (dropped) => logLine({ time: time(), dropped }));
  const loggedParts = new Set<string>();

  /** Returns the result of the action, or undefined if the action throws. Logs the first error of each part. */
  function attempted<Result>(part: string, request: object, action: () => Result): Result | undefined {
    try {
      return action();
    } catch (cause) {
      if (!loggedParts.has(part))
        logError(new Error(`Cannot write ${part} of the access log; this is logged once`, { cause }), request);
      loggedParts.add(part);
      return undefined;
    }
  }

  /**
   * Writes a line with `format`; without `format`, or if it fails, as JSON. Omits further members that are too long.
   */
  function write(entry: AccessLogEntry, request: object, membersOf?: () => unknown, more: object = {}): void {
    const whole = membersOf && attempted('the members', request, () => withMembers(entry, membersOf()));
    const formatted = (whole ?? entry) as AccessLogEntry & Partial<Members>;
    const line = format && attempted('the format', request, () => formattedLine(format(formatted)));
    log.line(
      line ?? (whole && attempted('the members', request, () => lineOf(whole))) ?? lineOf({ ...entry, ...more }),
    );
  }

  const accessLog: Stage = (context, next) => {
    const started = elapsed();
    const from = remoteAddress(context);
    const writeOf = (reply: Reply | undefined, status: number, bytes: number | undefined, aborted?: true): void => {
      // The framework that has mounted the service answers this request (D78).
      if (fallsThrough(reply, context)) return;
      const { requestId, method, path } = context;
      const ms = Math.round((elapsed() - started) * 1000) / 1000;
      const entry = { time: time(), requestId, method, path, status, bytes, ms, remoteAddress: from, aborted };
      write(entry, context, members && (() => members(context, reply)));
    };
    let last: Reply | undefined;
    if (options.whenSent)
      whenSent(context, ({ status = 499, bytes, isWhole }) => writeOf(last, status, bytes, isWhole ? undefined : true));
    return observed(context, next, (status, reply) => {
      last = reply;
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

/** Returns the entry with the further members. Throws a `TypeError` for a member that the entry already has. */
function withMembers(entry: AccessLogEntry, members: unknown): object {
  // An unhandled rejection would end the process. The TypeError below reports the promise.
  if (members instanceof Promise) members.catch(() => {});
  if (!isObject(members) || members instanceof Promise)
    throw new TypeError(`members has returned ${quoted(members)}; return an object synchronously`);
  const clash = Object.keys(members).find((name) => Object.hasOwn(entry, name));
  if (clash !== undefined) throw new TypeError(`The line already has the member "${clash}"; choose another name`);
  return { ...entry, ...members };
}

/** Returns the text as one line of less than `MAX_LINE` bytes. Keeps tabs, because they separate columns. */
function formattedLine(text: unknown): string {
  if (typeof text !== 'string')
    throw new TypeError(`format has returned ${quoted(text)}; return a string synchronously`);
  const line = text.split('\t').map(oneLine).join('\t');
  if (Buffer.byteLength(line) < MAX_LINE) return line;
  const cut = Buffer.from(line).subarray(0, MAX_LINE - 1 - Buffer.byteLength('…'));
  return `${cut.toString().replace(/\ufffd+$/, '')}…`;
}

/** Returns the line as JSON of less than `MAX_LINE` bytes, with long texts cut. Throws if it is still too long. */
function lineOf(members: object): string {
  let line = logLine(members);
  for (let longest = MAX_LINE / 2; Buffer.byteLength(line) >= MAX_LINE; longest /= 2) {
    if (longest < 1) throw new RangeError(`A line of ${line.length} characters is too long; return fewer members`);
    const cut = (value: unknown): unknown =>
      typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value;
    line = logLine(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, cut(value)])));
  }
  return line;
}

/** Returns the length in bytes of the body that is sent; undefined if it is not known in advance. */
function bytesOf({ method }: Context, reply: Reply | undefined): number | undefined {
  if (reply === undefined) return undefined;
  if (method === 'HEAD' || reply.body === undefined) return 0;
  if (typeof reply.body === 'string') return Buffer.byteLength(reply.body);
  if (reply.body instanceof Uint8Array) return reply.body.length;
  const length = headerOf(reply, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/**
 * The maximum length of a line with its line feed, in bytes. It equals PIPE_BUF of Linux: a pipe does not mix shorter
 * writes of several processes.
 */
const MAX_LINE = 4096;
/**
 * The milliseconds after which collected lines are written together. If the log is a pipe and each line has a separate
 * write, a GET takes 6 % longer (Node 26).
 */
const WRITE_PAUSE_MS = 5;

/**
 * Returns functions that write lines without blocking. All lines within `WRITE_PAUSE_MS` go into one write. At most
 * `limit` bytes are buffered. Lines that cannot be written are dropped and counted: the reader of a pipe may stop or
 * exit, and a disk may be full. Before the next line, the writer adds a line about the dropped ones, which
 * `droppedLine` returns.
 */
function lineWriter(descriptor: number, limit: number, droppedLine: (count: number) => string) {
  let stream: Writable | undefined;
  let dropped = 0;
  let reported = 0;

  function writeDropped(): void {
    if (dropped > reported) write(droppedLine(dropped - reported));
    reported = dropped;
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
      // The stream emits the error after this call. Without a listener it would end the process.
      ignoreErrors(used);
      // For the next line, a file gets a new stream, because the disk may have space again. A broken pipe stays broken.
      if (used instanceof WriteStream) stream = undefined;
    });
  }

  return {
    dropped: () => dropped,
    /** Adds a line feed and writes the line. Drops it if more than `limit` bytes would be buffered. Never throws. */
    line(text: string): void {
      if ((stream?.writableLength ?? 0) + text.length > limit) return void dropped++;
      writeDropped();
      write(text);
    },
    /** Resolves when all lines are written or dropped, or after `FLUSH_TIMEOUT_MS`. */
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

/** Returns a stream that never closes the descriptor. If the descriptor is already closed, each write fails. */
function streamOf(descriptor: number): Writable {
  const found = attempt(() => fstatSync(descriptor), undefined);
  // Every file gets a separate stream, because `process.stdout` would block if standard output is a file.
  if (!found?.isFIFO() && !found?.isSocket()) return createWriteStream('', { fd: descriptor, autoClose: false });
  if (descriptor === 1) return process.stdout;
  if (descriptor === 2) return process.stderr;
  return new Socket({ fd: descriptor, readable: false, writable: true }).unref();
}
