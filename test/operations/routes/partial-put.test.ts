/** A PUT with Content-Range has a part of the resource, which must not be stored as the whole (RFC 9110 §14.5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContent, operation, type Plugin, route, text } from '../../../src/index.ts';
import { byteStream, bytes, form } from '../../../src/operations/uploads/upload.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { serving } from '../../support/serving.ts';

const PART = { 'Content-Range': 'bytes 0-3/9' };
const BODIES = {
  json: [{ type: 'object', properties: { a: { type: 'integer' } } }, 'application/json', '{"a":1}'],
  bytes: [bytes('text/csv'), 'text/csv', 'a,b'],
  stream: [byteStream('text/csv'), 'text/csv', 'a,b'],
  form: [form({ a: { type: 'string' } }), 'application/x-www-form-urlencoded', 'a=b'],
} as const;
const routes = Object.entries(BODIES).flatMap(([path, [body]]) =>
  (['PUT', 'POST', 'PATCH'] as const).map((method) =>
    operation({ method, path, body, responses: { 204: {} }, handle: () => noContent() } as never),
  ),
);
const { request } = serving([...routes, route({ method: 'PUT', path: 'plain', handle: () => text('stored') })]);

for (const [path, [, type, body]] of Object.entries(BODIES))
  for (const [method, headers, status] of [
    ['PUT', PART, 400],
    ['PUT', { 'Content-Range': '' }, 400],
    ['PUT', {}, 204],
    ['POST', PART, 204],
    ['PATCH', PART, 204],
  ] as const)
    test(`D38 – ${method} of ${path} with ${JSON.stringify(headers)} → ${status}`, async () => {
      const reply = await request(`/${path}`, { method, headers: { 'Content-Type': type, ...headers }, body });
      assert.equal(reply.status, status);
      if (status === 400) assert.match(await reply.text(), /replaces the whole resource/);
    });

test('D38 – PUT of a plain route with Content-Range → the route decides', async () => {
  const reply = await request('/plain', { method: 'PUT', headers: PART, body: 'a' });
  assert.equal(await reply.text(), 'stored');
});

test('D38 – PUT of an item with Content-Range → the item stays whole', async () => {
  const { request: ask } = serving([], todo() as Plugin);
  const { headers } = await ask('/api/todo', { method: 'POST', json: { name: 'whole' } });
  const path = headers.get('location')!;
  const key = path.split('/').at(-1);
  const part = await ask(path, { method: 'PUT', headers: PART, json: { key, name: 'part' } });
  const item = (await (await ask(path)).json()) as { readonly name: string };
  assert.deepEqual([part.status, item.name], [400, 'whole']);
});
