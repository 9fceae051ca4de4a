/**
 * Step 4: pipelining.
 *
 * Without it: a client may send several requests before it gets the first reply. Node calls the listener for each of
 * them at once, and keeps only the replies in order. So a GET after a POST sees the list without the new item, although
 * its reply comes second. And one packet of 64 KB starts hundreds of handlers at the same time.
 *
 * See it: start the step before this one, then send requests from another terminal. The reply to the GET has one item.
 *
 *     node --import tsx test/lessons/steps/serve.ts 3
 *     node --import tsx test/lessons/steps/send.ts "POST /api/todo HTTP/1.1" "Host: a" "Content-Length: 14" "" "{\"name\":\"New\"}" "GET /api/todo HTTP/1.1" "Host: a" ""
 *
 * Added: a stage in which the requests of a connection wait for each other (RFC 9112 §9.3.2). Waiting requests use
 * memory, so a connection with too many of them is closed.
 *
 * The real core: `src/core/server/connection/connection.ts` stops reading a socket while a request waits, and limits the
 * waiting requests of all connections together. If a client does not read its replies, its next request waits, too
 * (backpressure).
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply, Stage } from '../tiny.ts';
import { HttpProblem } from './step-1-thrown-string.ts';
import { service as previous } from './step-3-two-hosts.ts';

/** The limit of one connection. */
const MAX_WAITING = 100;

function inTurn(): Stage {
  const queues = new WeakMap<Socket, { waiting: number; last: Promise<unknown> }>();
  return (context, next) => {
    const { socket } = context.request;
    const queue = queues.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    queues.set(socket, queue);
    if (++queue.waiting > MAX_WAITING) socket.destroy();
    const reply = queue.last.then((): Reply | Promise<Reply> => {
      queue.waiting--;
      // The client can no longer read the reply.
      if (socket.destroyed) throw new HttpProblem(400, 'The connection is closed');
      return next(context);
    });
    // The next request begins when this one has ended, even with an error.
    queue.last = reply.catch(() => {});
    return reply;
  };
}

export const service = (stages: readonly Stage[]): Server => previous([inTurn(), ...stages]);
