/**
 * The access log: one JSON line per request, to standard output or to a descriptor that the caller opened.
 *
 * A log must not be what ends a service: nobody waits for it, and lines that cannot be written are dropped and counted.
 * `ms` is the time until the answer was decided, not until the client has read it; the query is left out, as it may carry
 * what is nobody's business. What Node's parser refuses is no request and is not in the log.
 */

import type { Plugin } from '../../host/plugin.ts';
import type { Context, Reply } from '../../http/message/context.ts';
import { headerOf } from '../../http/message/replies.ts';
import { jsonLine } from '../../log/log-line.ts';
import { observed } from '../../pipeline/observed.ts';
import { lineWriter } from './line-writer.ts';

/** Where the log goes and who is said to have asked. */
export interface AccessLogOptions {
  /** An open descriptor; 1, standard output, unless given. */
  readonly descriptor?: number;
  /** Most characters that wait for a slow reader; 1 MiB unless given. */
  readonly bound?: number;
  /** Names the client, where that is not the peer of the socket. */
  readonly remoteAddress?: (context: Context) => string | undefined;
}

/** Milliseconds that the end of the service waits for a slow reader of its log. */
const PATIENCE = 500;

/** Its stage sees every answer, problems and refusals at the door included. */
export function accessLog({ descriptor = 1, bound = 2 ** 20, remoteAddress = peer }: AccessLogOptions = {}): Plugin {
  const log = lineWriter(descriptor, bound, (dropped) => jsonLine({ time: new Date().toISOString(), dropped }));
  return {
    name: 'access-log',
    outerStages: [
      function accessLog(context, next) {
        const started = performance.now(),
          from = remoteAddress(context);
        return observed(context, next, (status, reply) => {
          const { requestId, method, path } = context,
            bytes = bytesOf(context, reply),
            time = new Date().toISOString();
          const ms = Math.round((performance.now() - started) * 1000) / 1000;
          log.line(jsonLine({ time, requestId, method, path, status, bytes, ms, remoteAddress: from }));
        });
      },
    ],
    stop: () => log.flush(PATIENCE),
  };
}

const peer = (context: Context): string | undefined => context.request.socket.remoteAddress;

/** Of the body as it is sent, where that is known beforehand. */
function bytesOf({ method }: Context, reply: Reply | undefined): number | undefined {
  if (reply === undefined) return undefined;
  if (method === 'HEAD' || reply.body === undefined) return 0;
  if (typeof reply.body === 'string') return Buffer.byteLength(reply.body);
  if (reply.body instanceof Uint8Array) return reply.body.length;
  const said = headerOf(reply, 'content-length');
  return said === undefined ? undefined : Number(said);
}
