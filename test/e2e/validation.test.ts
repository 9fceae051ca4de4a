/**
 * Unusual targets, methods and bytes, sent to the whole service: the expected status, a complete problem, and no stored
 * item.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/ask.ts';
import { assertProblem } from '../support/problem.ts';
import { serve } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { checkValidation } from './checks.ts';
import { METHODS, TARGETS, WIRE } from './validation.cases.ts';
import { shared } from './whole-serving.ts';

describe('odd requests', () => {
  const serving = shared(serve);
  table([...TARGETS, ...METHODS, ...WIRE], (row, t) => checkValidation(row, t, serving));
});

const READABLE = ['/swagger/ui', '/swagger/ui/', '/swagger/ui/custom.css', '/swagger/ui/swagger-ui.css'];
for (const target of READABLE) {
  test(`D9 – HEAD ${target} → the head of GET, without a body`, async (t) => {
    const { port } = await serve(t);
    const [whole, head] = [await ask(port, { target }), await ask(port, { method: 'HEAD', target })];
    assert.equal(whole.status, 200);
    assert.equal(whole.headers['content-length'], String(whole.body.length));
    const own = { 'x-request-id': '', date: '' };
    assert.deepEqual({ ...head.headers, ...own }, { ...whole.headers, ...own });
    assert.equal(head.status, whole.status);
  });
}

test('D10 – a well-formed X-Request-Id → used; any other → replaced by a new id', async (t) => {
  const { port } = await serve(t);
  for (const sent of ['abc-123', 'a/b:c.d_e~f=g@h+1', 'x'.repeat(128)]) {
    const answer = await ask(port, { target: '/nowhere', headers: { 'X-Request-Id': sent } });
    assert.equal(assertProblem(answer, 404).requestId, sent);
  }
  const newIds = new Set<string>();
  const bad = ['', 'a b', '<script>', 'x'.repeat(129), 'é', 'a"b', ['one', 'two'], ['one', 'one']];
  for (const sent of bad) {
    const { headers } = await ask(port, { target: '/api/todo', headers: { 'X-Request-Id': sent } });
    assert.ok(![sent].flat().includes(headers['x-request-id']!));
    newIds.add(headers['x-request-id']!);
  }
  assert.equal(newIds.size, bad.length);
});

const OF_ITEM = { 'Content-Type': 'application/json', 'Content-Length': '14' };
const POST = { method: 'POST', target: '/api/todo' };

test('HTTP semantics – Expect: 100-continue, an acceptable body → 100 first, then 201', async (t) => {
  const { client } = await serve(t);
  await client.send({ ...POST, headers: { ...OF_ITEM, Expect: '100-continue' } });
  assert.equal((await client.answer()).status, 100);
  await client.send('{"name":"New"}');
  assert.equal((await client.answer()).status, 201);
});

for (const [method, target, headers, status] of [
  ['GET', '/api/todo', {}, 200],
  ['HEAD', '/swagger/v1/swagger.json', {}, 200],
  ['DELETE', '/api/todo/x', { 'Content-Length': '0' }, 404],
  ['POST', '/api/todo', { 'Content-Type': 'application/json' }, 400],
] as const)
  test(`RFC 9110 §10.1.1 – Expect: 100-continue, ${method} ${target} without a body → ${status}, and the connection stays open`, async (t) => {
    const { client } = await serve(t);
    const answer = await client.ask({ method, target, headers: { ...headers, Expect: '100-continue' } });
    assert.deepEqual([answer.status, answer.headers['connection']], [status, 'keep-alive']);
    assert.equal((await client.ask({ target: '/nowhere' })).status, 404);
  });

for (const [what, question, headers, status] of [
  ['too large', POST, { 'Content-Length': '1048577' }, 413],
  ['of the wrong type', POST, { 'Content-Type': 'text/html' }, 415],
  ['in an unknown coding', POST, { 'Content-Encoding': 'lzw' }, 415],
  ['for a path without a route', { ...POST, target: '/nowhere' }, {}, 404],
  ['to DELETE', { method: 'DELETE', target: '/api/todo/x' }, {}, 404],
] as const)
  test(`HTTP semantics – Expect: 100-continue, a body ${what} → ${status} before the body is sent, and the connection closes`, async (t) => {
    const { client } = await serve(t, { drainTimeout: 50 });
    await client.send({ ...question, headers: { ...OF_ITEM, ...headers, Expect: '100-continue' } });
    const answer = await client.answer();
    assertProblem(answer, status);
    assert.equal(answer.headers['connection'], 'close');
    client.end();
    await client.over();
    assert.equal(client.rest.length, 0);
  });
