/**
 * Unusual targets, methods and bytes, sent to the whole service: the expected status, a complete problem, and no stored
 * item.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, Client, type Question } from '../support/ask.ts';
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
    assert.deepEqual(
      { ...head.headers, 'x-request-id': '', date: '' },
      { ...whole.headers, 'x-request-id': '', date: '' },
    );
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

test('HTTP semantics – Expect: 100-continue, an acceptable body → 100 first, then 201', async (t) => {
  const { port } = await serve(t);
  const client = new Client(port);
  await client.send(
    'POST /api/todo HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n' +
      'Content-Length: 14\r\nExpect: 100-continue\r\n\r\n',
  );
  assert.equal((await client.answer()).status, 100);
  await client.send('{"name":"New"}');
  assert.equal((await client.answer()).status, 201);
  client.destroy();
});

const WITHOUT_BODY: readonly (readonly [question: Question, status: number])[] = [
  [{ target: '/api/todo' }, 200],
  [{ method: 'HEAD', target: '/swagger/v1/swagger.json' }, 200],
  [{ method: 'DELETE', target: '/api/todo/x', headers: { 'Content-Length': '0' } }, 404],
  [{ method: 'POST', target: '/api/todo', headers: { 'Content-Type': 'application/json' } }, 400],
];
for (const [question, status] of WITHOUT_BODY) {
  test(`RFC 9110 §10.1.1 – Expect: 100-continue, ${question.method ?? 'GET'} ${question.target} without a body → ${status}, and the connection stays open`, async (t) => {
    const { port } = await serve(t);
    const client = new Client(port);
    const answer = await client.ask({ ...question, headers: { ...question.headers, Expect: '100-continue' } });
    assert.deepEqual([answer.status, answer.headers['connection']], [status, 'keep-alive']);
    assert.equal((await client.ask({ target: '/nowhere' })).status, 404);
    client.destroy();
  });
}

const UNWANTED: readonly (readonly [what: string, head: string, status: number])[] = [
  ['too large', 'POST /api/todo HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1048577', 413],
  ['of the wrong type', 'POST /api/todo HTTP/1.1\r\nContent-Type: text/html\r\nContent-Length: 14', 415],
  [
    'in an unknown coding',
    'POST /api/todo HTTP/1.1\r\nContent-Type: application/json\r\nContent-Encoding: lzw\r\nContent-Length: 14',
    415,
  ],
  ['for a path without a route', 'POST /nowhere HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 14', 404],
  ['to DELETE', 'DELETE /api/todo/x HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 14', 404],
];
for (const [what, head, status] of UNWANTED) {
  test(`HTTP semantics – Expect: 100-continue, a body ${what} → ${status} before the body is sent, and the connection closes`, async (t) => {
    const { port } = await serve(t, { drainTimeout: 50 });
    const client = new Client(port);
    await client.send(`${head}\r\nHost: test\r\nExpect: 100-continue\r\n\r\n`);
    const answer = await client.answer();
    assertProblem(answer, status);
    assert.equal(answer.headers['connection'], 'close');
    client.end();
    await client.over();
    assert.equal(client.rest.length, 0);
  });
}
