/** The replies of a full store (limits). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { serve } from '../../support/serve.ts';

const headers = { 'Content-Type': 'application/json' };

test('limits – as many items as allowed → POST is 507 with Retry-After; PUT, PATCH, GET and DELETE work', async (t) => {
  const { port } = await serve(t, { maxItems: 2 });
  const client = new Client(port);
  const post = (name: string) =>
    client.ask({ method: 'POST', target: '/api/todo', headers, body: JSON.stringify({ name }) });
  const { key } = (await post('second')).json();
  const refused = await post('third');
  assertProblem(refused, 507);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await client.ask({ target: '/api/todo' })).json().length, 2);
  assert.equal(
    (
      await client.ask({
        method: 'PUT',
        target: `/api/todo/${key}`,
        headers,
        body: JSON.stringify({ key, name: 'again' }),
      })
    ).status,
    204,
  );
  assert.equal((await client.ask({ method: 'DELETE', target: `/api/todo/${key}` })).status, 204);
  assert.equal((await post('third')).status, 201);
  client.destroy();
});

test('limits – as many bytes as allowed → POST, PUT and PATCH are 507, nothing changes; 404, 412 and 400 come first', async (t) => {
  const { port } = await serve(t, { maxStoreBytes: 5000 });
  const client = new Client(port);
  const { key } = (await client.ask({ target: '/api/todo' })).json()[0];
  const before = (await client.ask({ target: '/api/todo' })).text;
  const name = 'x'.repeat(6000);
  const change = (method: string, id: string, body: object, more = {}) =>
    client.ask({ method, target: `/api/todo/${id}`, headers: { ...headers, ...more }, body: JSON.stringify(body) });
  assertProblem(
    await client.ask({ method: 'POST', target: '/api/todo', headers, body: JSON.stringify({ name }) }),
    507,
  );
  assertProblem(await change('PUT', key, { key, name }), 507);
  assertProblem(await change('PATCH', key, { name }), 507);
  assertProblem(await change('PATCH', 'nope', { name }), 404);
  assertProblem(await change('PATCH', key, { name }, { 'If-Match': '"other"' }), 412);
  assertProblem(await change('PUT', key, { name }), 400);
  assert.equal((await client.ask({ target: '/api/todo' })).text, before);
  assert.equal((await change('PATCH', key, { name: 'small' })).status, 204);
  client.destroy();
});
