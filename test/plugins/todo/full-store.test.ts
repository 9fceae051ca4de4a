/** The replies of a full store (limits). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertProblem } from '../../support/problem.ts';
import { serve } from '../../support/serve.ts';

/** Starts a service with these limits. Returns a function that sends a request with this value as JSON. */
async function asking(t: TestContext, limits: Parameters<typeof serve>[1]) {
  const { client } = await serve(t, limits);
  return (method: string, id: string, value?: object, more = {}) => {
    const headers = { 'Content-Type': 'application/json', ...more };
    return client.ask({ method, target: `/api/todo${id}`, headers, ...(value && { body: JSON.stringify(value) }) });
  };
}

test('limits – as many items as allowed → POST is 507 with Retry-After; PUT, PATCH, GET and DELETE work', async (t) => {
  const ask = await asking(t, { maxItems: 2 });
  const { key } = (await ask('POST', '', { name: 'second' })).json();
  const refused = await ask('POST', '', { name: 'third' });
  assertProblem(refused, 507);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await ask('GET', '')).json().length, 2);
  assert.equal((await ask('PUT', `/${key}`, { key, name: 'again' })).status, 204);
  assert.equal((await ask('DELETE', `/${key}`)).status, 204);
  assert.equal((await ask('POST', '', { name: 'third' })).status, 201);
});

test('limits – as many bytes as allowed → POST, PUT and PATCH are 507, nothing changes; 404, 412 and 400 come first', async (t) => {
  const ask = await asking(t, { maxStoreBytes: 5000 });
  const before = await ask('GET', '');
  const [{ key }] = before.json();
  const name = 'x'.repeat(6000);
  assertProblem(await ask('POST', '', { name }), 507);
  assertProblem(await ask('PUT', `/${key}`, { key, name }), 507);
  assertProblem(await ask('PATCH', `/${key}`, { name }), 507);
  assertProblem(await ask('PATCH', '/nope', { name }), 404);
  assertProblem(await ask('PATCH', `/${key}`, { name }, { 'If-Match': '"other"' }), 412);
  assertProblem(await ask('PUT', `/${key}`, { name }), 400);
  assert.equal((await ask('GET', '')).text, before.text);
  assert.equal((await ask('PATCH', `/${key}`, { name: 'small' })).status, 204);
});
