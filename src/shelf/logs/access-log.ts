/**
 * Writes the access log: one line of JSON for each request, to standard output or to another open file descriptor
 * (D106).
 *
 * A line is written when the reply is sent, and no request waits for it. The query is omitted because it may contain
 * secrets. A request that is refused before any stage, for example by Node's parser, has a line with the `reason`; the
 * line has `-` for unknown values. A request that the service passes on to a surrounding framework has no line (D78), and
 * neither has a probe of `health` (D120).
 */
import { createWriteStream, fstatSync, WriteStream } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import {
  after,
  assertOptions,
  fallsThrough,
  logError,
  logLine,
  probeSlot,
  traceOf,
  whenSent,
} from '../../extending.ts';
import type { Context, Plugin, Stage } from '../../index.ts';

/** The options of `accessLog`. */
export interface AccessLogOptions {
  /** An open file descriptor. Default: 1, standard output. */
  readonly descriptor?: number | undefined;
  /**
   * Gets the members of each line instead of the descriptor: `write: (line) => logger.info(line)` for a logger of the
   * application. If the function throws, the line is dropped.
   */
  readonly write?: ((line: object) => void) | undefined;
  /**
   * Returns further members of the line, synchronously, when the reply is sent. A member replaces a standard member of
   * the same name: `{ remoteAddress: undefined }` hides the address. If the function throws, or if JSON cannot represent
   * a member, the line does not contain them.
   */
  readonly members?: ((context: Context) => object) | undefined;
}

/** The plugin that `accessLog` returns. */
export interface AccessLog extends Plugin {
  /** The lines that were not written, because the reader was too slow, the disk was full or `write` failed. */
  readonly dropped: number;
}

/**
 * Returns a plugin that writes one line for each request except probes of `health`, even if the request is refused before
 * any stage. The line has `time` and `level`, `requestId`, `method`, `path`, `status`, and the sent `bytes` of the body;
 * `ms`, the milliseconds until the reply was sent; `remoteAddress`, the client behind the trusted proxies; and `aborted`
 * if the reply was cut off. `status` is 499, as in nginx, if the client closed the connection before a reply (D110). If
 * `members` fails, the reply does not change, and the service logs the first error. All applications with the plugin
 * write to the same log.
 *
 *     const user = slot<{ readonly name: string }>('user');
 *     accessLog({
 *       members: (context) => ({ user: user.find(context)?.name, agent: context.headers['user-agent'] }),
 *     });
 */
export function accessLog(options: AccessLogOptions = {}): AccessLog {
  assertOptions('log requests', options, ['descriptor', 'members', 'write']);
  const { descriptor = 1, members = () => ({}), write } = options;
  if (write !== undefined && (typeof write !== 'function' || options.descriptor !== undefined))
    throw new TypeError('Cannot log requests with this "write": give a function (line) => …, and no descriptor');
  if (Object.prototype.toString.call(members) !== '[object Function]')
    throw new TypeError('Cannot log requests with this "members": give a synchronous function');
  const log = lineWriter(descriptor);
  let hasFailed = false;
  let unwritten = 0;

  async function addSafely(entry: object, context?: Context): Promise<void> {
    const standard = { ...entry, ...(context && traceOf(context)) };
    let isComplete = false;
    try {
      const more: unknown = context && members(context);
      const line = { ...standard, ...((more instanceof Promise ? await more : more) as object) };
      isComplete = true;
      await (write === undefined ? log.line(logLine(line)) : write(line));
    } catch (cause) {
      if (!hasFailed)
        logError(new Error('Cannot write a line of the access log; this is logged once', { cause }), context);
      hasFailed = true;
      if (write !== undefined && isComplete) unwritten++;
      else if (context !== undefined) await addSafely(standard);
    }
  }

  const accessLog: Stage = (context, next) => {
    const started = performance.now();
    // The address cannot be read after the client has disconnected.
    const { requestId, method, remoteAddress } = context;
    const path = shortened(context.path);
    let isPassedOn = false;
    whenSent(context, ({ status = 499, bytes, isWhole }) => {
      if (isPassedOn || probeSlot.find(context)) return;
      const ms = Math.round((performance.now() - started) * 1000) / 1000;
      const entry = { requestId, method, path, status, bytes, ms, remoteAddress, aborted: isWhole ? undefined : true };
      void addSafely(entry, context);
    });
    return after(next(context), (reply) => {
      isPassedOn = fallsThrough(reply, context);
      return reply;
    });
  };
  return {
    name: 'access-log',
    outerStages: [accessLog],
    stop: log.flush,
    refused({ isSeen, reason, requestId, method, path, status, remoteAddress }) {
      if (isSeen) return;
      void addSafely({ requestId, method, path: shortened(path), status, ms: 0, remoteAddress, reason });
    },
    get dropped() {
      return log.dropped() + unwritten;
    },
  };
}

/** The maximum of characters of a path, because container engines split long lines. A longer path ends with `…`. */
const MAX_PATH = 512;

const shortened = (path: string): string => (path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path);

/** The maximum number of bytes that wait for a slow reader. */
const MAX_WAITING = 2 ** 20;
/**
 * The milliseconds after which collected lines are written together. If the log is a pipe, a separate write for each
 * line takes more time.
 */
const WRITE_PAUSE_MS = 5;
/** Milliseconds for which `flush` waits for buffered lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

/**
 * Returns functions that write lines without blocking. All lines within `WRITE_PAUSE_MS` go into one write. Lines above
 * `MAX_WAITING` and lines that cannot be written are dropped and counted: the reader of a pipe may stop or exit, and a
 * disk may be full. The next line is preceded by a line with the number of dropped ones.
 */
function lineWriter(descriptor: number) {
  let stream: Writable | undefined;
  let dropped = 0;
  let reported = 0;

  function writeDropped(): void {
    if (dropped > reported) write(logLine({ level: 'warning', dropped: dropped - reported }));
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
      if (!used.listeners('error').includes(ignore)) {
        // The stream emits the error after this call. Without a listener it would end the process.
        used.on('error', ignore);
        setImmediate(() => used.off('error', ignore));
      }
      // For the next line, a file gets a new stream, because the disk may have space again. A broken pipe stays broken.
      if (used instanceof WriteStream) stream = undefined;
    });
  }

  return {
    dropped: () => dropped,
    /** Adds a line feed and writes the line. Never throws. */
    line(text: string): void {
      if ((stream?.writableLength ?? 0) + text.length > MAX_WAITING) return void dropped++;
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

const ignore = (): void => {};

/** Writes what is collected when the process exits. That includes what the program itself has just printed. */
function writeCorked(): void {
  process.stdout.uncork();
  process.stderr.uncork();
}

/** Returns a stream that never closes the descriptor. If the descriptor is already closed, each write fails. */
function streamOf(descriptor: number): Writable {
  // Every file gets a separate stream, because `process.stdout` would block if standard output is a file.
  if (!isPipe(descriptor)) return createWriteStream('', { fd: descriptor, autoClose: false });
  if (descriptor === 1 || descriptor === 2) {
    if (!process.listeners('exit').includes(writeCorked)) process.on('exit', writeCorked);
    return descriptor === 1 ? process.stdout : process.stderr;
  }
  return new Socket({ fd: descriptor, readable: false, writable: true }).unref();
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
