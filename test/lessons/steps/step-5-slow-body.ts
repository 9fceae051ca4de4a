/**
 * Step 5: a slow body.
 *
 * Without it: a client announces a body and sends a byte now and then. The handler waits, and its memory and its
 * connection wait with it. Node ends that after five minutes. Until then a few thousand such connections, which cost
 * the attacker nothing, use up the file descriptors of the process.
 *
 * How one sees it: start the step before it, then ask from another terminal. There is no reply: wait some seconds, then
 * end it by Ctrl+C.
 *
 *     node --import tsx test/lessons/steps/serve.ts 4
 *     node --import tsx test/lessons/steps/send.ts "POST /api/todo HTTP/1.1" "Host: a" "Content-Length: 14" ""
 *
 * Added: a stage that answers 408 itself when the body is not complete in time. The reply that the handler makes later
 * is dropped. A reply before the end of the body closes the connection, because nobody reads the rest.
 *
 * The real core: `src/core/wire/body/read-body.ts` reads the body, and bounds its size too.
 * `src/core/wire/watch.ts` demands a minimum rate instead of a time, so a large body on a slow
 * line still comes in. `src/core/wire/connection/closing.ts` goes on reading for a while, so that the client,
 * which still sends, can read the 408: a close with unread bytes resets the connection.
 */
import type { Server } from 'node:http';
import { type Reply, type Stage, text } from '../tiny.ts';
import { service as previous } from './step-4-pipelining.ts';

/** `limit` is in milliseconds. */
function bodyWithin(limit: number): Stage {
  return async (context, next) => {
    const { request } = context;
    if (request.complete) return next(context);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Reply>((resolve) => {
      const check = (): void => {
        if (!request.complete) resolve(text('The body did not come in in time', 408));
      };
      timer = setTimeout(check, limit);
    });
    try {
      const reply = await Promise.race([next(context), late]);
      return request.complete ? reply : { ...reply, headers: { ...reply.headers, Connection: 'close' } };
    } finally {
      clearTimeout(timer);
    }
  };
}

export const service = (stages: readonly Stage[], bodyTime = 10_000): Server =>
  previous([bodyWithin(bodyTime), ...stages]);
