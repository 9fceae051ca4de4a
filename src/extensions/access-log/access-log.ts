/**
 * Writes the access log: one JSON line per request, to standard output or to an open file descriptor.
 *
 * A request never waits for the log; lines that cannot be written are dropped and counted. `ms` is the time until the
 * reply is returned, not until the client has received it. The query is left out, since it may hold secrets. A message
 * that Node's parser refuses is not logged, nor is a request that a host around the service gets (D78).
 */

import { assertOptions, jsonLine, observed } from '../../extending.ts';
import { fallsThrough } from '../../http.ts';
import { type Context, headerOf, type Plugin, type Reply, type Stage } from '../../index.ts';
import { lineWriter, MAX_WRITE } from './line-writer.ts';

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
  return {
    name: 'access-log',
    outerStages: [accessLog],
    stop: () => log.flush(FLUSH_TIMEOUT_MS),
  };
}

/** The line, of at most one write: a long text in it is cut, with `…` at its end. */
function lineOf(members: Readonly<Record<string, string | number | undefined>>): string {
  let line = jsonLine(members);
  for (let longest = MAX_WRITE / 2; Buffer.byteLength(line) >= MAX_WRITE; longest /= 2)
    line = jsonLine(
      Object.fromEntries(
        Object.entries(members).map(([name, value]) => [
          name,
          typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value,
        ]),
      ),
    );
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
