/** Makes the service with each of the libraries, on a new store, and asks it as its own test helper does. */
import { meters } from '../application.ts';
import { type Ask, KEYS, type Library, TOKENS } from '../row.ts';
import { openStore } from '../store.ts';
import * as fastify from './fastify.ts';
import * as hono from './hono.ts';

function setup() {
  const store = openStore();
  process.once('exit', () => store.close());
  return { tokens: TOKENS, keys: KEYS, store };
}

export const LIBRARIES: Readonly<Record<Library, () => Promise<Ask>>> = {
  async own() {
    const app = meters(setup());
    await app.start();
    return app.request;
  },
  async fastify() {
    const app = await fastify.meters(setup());
    return async (path, { method, headers, body }) => {
      const reply = await app.inject({
        method: method as 'GET',
        url: path,
        headers,
        ...(body !== undefined && { payload: body }),
      });
      const isEmpty = reply.statusCode === 204 || reply.statusCode === 304 || method === 'HEAD';
      return new Response(isEmpty ? null : reply.rawPayload, {
        status: reply.statusCode,
        headers: Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)]),
      });
    };
  },
  async hono() {
    const app = hono.meters(setup());
    return async (path, init) => app.request(path, init);
  },
};
