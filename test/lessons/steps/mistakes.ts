/**
 * Handlers as somebody writes them in a hurry, by path. The attacks ask them, on every step and on the real core.
 *
 * They use only what the contexts of `tiny.ts` and of the real core have in common.
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

  /** The length is that of the text, in UTF-16 units; it must be that of the bytes. */
  '/greeting': async (context) => {
    const name = Buffer.from(await context.body()).toString();
    return { status: 200, headers: { 'Content-Length': String(name.length) }, body: name };
  },

  /** Trusts that a reverse proxy lets nobody ask for the site of the administrators. */
  '/page': ({ request }) => text(request.headers.host === 'admin.example' ? 'for administrators' : 'for everybody'),

  /** Answers how many of its calls are at work at the same time. */
  '/work': async () => {
    working++;
    await setImmediate();
    const seen = working;
    working--;
    return text(String(seen));
  },

  /** POST stores an order; the store takes its time, here until the client has ended its side. GET counts them. */
  '/order': async ({ method, request }) => {
    if (method === 'GET') return text(String(orders));
    orders++;
    if (!request.socket.readableEnded) await once(request.socket, 'end');
    return text('ordered', 201);
  },
};
