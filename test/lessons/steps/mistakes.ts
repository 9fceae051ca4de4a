/**
 * Hastily written handlers, by path. The attacks call them, on every step and on the real core.
 *
 * They use only the members that the contexts of `tiny.ts` and of the real core share.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type Reply, text } from '../tiny.ts';

type Mistake = (context: {
  readonly method: string;
  readonly request: IncomingMessage;
  body(): Promise<Uint8Array>;
}) => Reply | Promise<Reply>;

let working = 0;
let orders = 0;

export const mistakes: Readonly<Record<string, Mistake>> = {
  '/throws': () => {
    throw 'out of stock';
  },

  /** Sends the length of the text in UTF-16 units; the correct length counts bytes. */
  '/greeting': async (context) => {
    const name = Buffer.from(await context.body()).toString();
    return { status: 200, headers: { 'Content-Length': String(name.length) }, body: name };
  },

  /** Trusts that a reverse proxy blocks all requests for the administrators' site. */
  '/page': ({ request }) => text(request.headers.host === 'admin.example' ? 'for administrators' : 'for everybody'),

  /** Answers with the number of its simultaneous calls. */
  '/work': async () => {
    working++;
    await setImmediate();
    const seen = working;
    working--;
    return text(String(seen));
  },

  /** POST stores an order. The store is slow: it waits until the client has ended its side. GET counts the orders. */
  '/order': async ({ method, request }) => {
    if (method === 'GET') return text(String(orders));
    orders++;
    if (!request.socket.readableEnded) await once(request.socket, 'end');
    return text('ordered', 201);
  },
};
