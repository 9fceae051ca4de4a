/** The cases of `tiny.ts`, and of `tiny-start.ts` once its holes are filled. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Stage } from './tiny.ts';

type Tiny = typeof import('./tiny.ts');

/** Sends requests such as `GET /path` one after the other, and returns the replies. */
async function replies({ service }: Tiny, stages: readonly Stage[], ...requests: readonly string[]) {
  const server = service(stages).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const seen: string[] = [];
  for (const request of requests) {
    const [method = '', path = '', body] = request.split(' ');
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body !== undefined && { body }) });
    seen.push(`${reply.status} ${await reply.text()}`);
  }
  server.close().closeAllConnections();
  return seen;
}

export const CASES: Readonly<Record<string, (tiny: Tiny) => Promise<void>>> = {
  async 'reply: no stage answers → 404'(tiny) {
    assert.deepEqual(await replies(tiny, [], 'GET /'), ['404 Not found'], 'The reply of the handler is written');
  },
  async 'fold: two stages → the first passes on, the second answers'(tiny) {
    const stages: Stage[] = [(context, next) => next(context), () => tiny.text('second'), () => tiny.text('third')];
    assert.deepEqual(await replies(tiny, stages, 'GET /'), ['200 second'], 'Each stage has the next one as its `next`');
  },
  async 'reply: a stage throws → 500, and the next request is answered'(tiny) {
    const fails: Stage = ({ path }) => {
      if (path === '/fails') throw new Error('broken');
      return tiny.text('well');
    };
    assert.deepEqual(await replies(tiny, [fails], 'GET /fails', 'GET /'), ['500 broken', '200 well']);
  },
  async 'route: the list, an item, no item → 200, 200, 404'(tiny) {
    const item = '{"key":"1","name":"Item1"}';
    const seen = await replies(
      tiny,
      tiny.todo(),
      'GET /api/todo',
      'GET /api/todo/1',
      'GET /api/todo/2',
      'PUT /api/todo/1',
    );
    assert.deepEqual(seen, [`200 [${item}]`, `200 ${item}`, '404 Not found', '404 Not found']);
  },
  async 'route: a new item → 201, and it is in the list'(tiny) {
    const seen = await replies(tiny, tiny.todo([]), 'POST /api/todo {"name":"New"}', 'GET /api/todo');
    assert.deepEqual(seen, ['201 {"key":"1","name":"New"}', '200 [{"key":"1","name":"New"}]']);
  },
};
