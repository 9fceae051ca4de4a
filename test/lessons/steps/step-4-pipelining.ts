/**
 * Step 4: pipelining.
 *
 * Without it: a client may send more requests before it has the first reply. Node calls the listener for each of them
 * at once, and only keeps the replies in order. So a GET after a POST sees the list without the new item, although its
 * reply comes second. And one packet of 64 KB starts hundreds of handlers at the same time.
 *
 * How one sees it: start the step before it, then ask from another terminal. The reply to the GET has one item.
 *
 *     node --import tsx test/lessons/steps/serve.ts 3
 *     node --import tsx test/lessons/steps/send.ts "POST /api/todo HTTP/1.1" "Host: a" "Content-Length: 14" "" "{\"name\":\"New\"}" "GET /api/todo HTTP/1.1" "Host: a" ""
 *
 * Added: a stage in which the requests of a connection wait for each other (RFC 9112 §9.3.2). Waiting requests take
 * memory, so a connection with too many of them is closed.
 *
 * The real core: `src/core/wire/connection/connection.ts` stops reading a socket while a request waits on it, and
 * counts the waiting requests of all connections together. It also lets a request wait for a client that does not read
 * its replies (backpressure).
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply, Stage } from '../tiny.ts';
import { HttpProblem } from './step-1-thrown-string.ts';
import { service as previous } from './step-3-two-hosts.ts';

/** On one connection. */
const MAX_WAITING = 100;

function inTurn(): Stage {
  const lines = new WeakMap<Socket, { waiting: number; last: Promise<unknown> }>();
  return (context, next) => {
    const { socket } = context.request;
    const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    lines.set(socket, line);
    if (++line.waiting > MAX_WAITING) socket.destroy();
    const reply = line.last.then((): Reply | Promise<Reply> => {
      line.waiting--;
      // Nobody can read the reply.
      if (socket.destroyed) throw new HttpProblem(400, 'The connection is closed');
      return next(context);
    });
    // The next one begins when this one has ended, whether well or not.
    line.last = reply.catch(() => {});
    return reply;
  };
}

export const service = (stages: readonly Stage[]): Server => previous([inTurn(), ...stages]);
