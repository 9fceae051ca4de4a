/** The operations on items over real HTTP: each row with the items of a new service, and the list afterwards. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ask } from '../support/ask.ts';
import { serve } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { checkItem } from './checks.ts';
import { BODIES, CONDITIONS, OPERATIONS, VARIANTS } from './items.cases.ts';
import { shared } from './whole-serving.ts';

describe('the operations on items', () => {
  const serving = shared(serve);
  table([...OPERATIONS, ...BODIES, ...VARIANTS, ...CONDITIONS], (row, t) => checkItem(row, t, serving));
});

test('§2.1 – an item → has the members key, name and isComplete, in this order', async (t) => {
  const { port } = await serve(t);
  const [item] = (await ask(port, { target: '/api/todo' })).json();
  assert.deepEqual(Object.keys(item), ['key', 'name', 'isComplete']);
});

test('D38, RFC 9110 9.3.4 – PUT of the exact text of the item, compressed → 204 without an ETag', async (t) => {
  const { port } = await serve(t);
  const [item] = (await ask(port, { target: '/api/todo' })).json();
  const target = `/api/todo/${item.key}`;
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const answer = await ask(port, { method: 'PUT', target, headers, body: gzipSync(JSON.stringify(item)) });
  assert.deepEqual([answer.status, answer.headers['etag']], [204, undefined]);
  assert.deepEqual((await ask(port, { target })).json(), item);
});
