/**
 * Step 5: a slow body.
 *
 * Without it: a client announces a body and sends a byte now and then. The handler waits, and keeps its memory and its
 * connection. Node closes the connection after five minutes. Until then, a few thousand such connections use up the
 * file descriptors of the process, and they cost the attacker almost nothing.
 *
 * See it: start the step before this one, then send requests from another terminal. There is no reply: wait some
 * seconds, then press Ctrl+C.
 *
 *     node --import tsx test/lessons/steps/serve.ts 4
 *     node --import tsx test/lessons/steps/send.ts "POST /api/todo HTTP/1.1" "Host: a" "Content-Length: 14" ""
 *
 * Added: a stage that answers with 408 if the body is not complete in time. It drops the later reply of the handler. A
 * reply before the end of the body closes the connection, because nobody reads the rest.
 *
 * The real core: `src/core/server/body/read-body.ts` reads the body and limits its size, too. Its time is the option
 * `requestTimeout` of Node. A streamed body has no time limit: only each pause is limited.
 * `src/core/server/connection/closing.ts` goes on reading for a while, because a close with unread bytes resets the
 * connection: a client that still sends could not read the 408.
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
        if (!request.complete) resolve(text('The body did not arrive in time', 408));
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
