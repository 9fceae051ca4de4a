/** Requests and environments that make a naive service fail, as far as no other file of this folder tests them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask, Client, type Question, requestBytes } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { PROGRAM } from '../../support/program.ts';
import { serve } from '../../support/serve.ts';

const json = { 'Content-Type': 'application/json' };
const post = (body: Question['body'], headers: Question['headers'] = json): Question => ({
  method: 'POST',
  target: '/api/todo',
  headers,
  ...(body !== undefined && { body }),
});

test('hardening – targets that make URL and decodeURIComponent throw → an answer each, the service goes on', async (t) => {
  const { port } = await serve(t);
  const client = new Client(port);
  for (const [target, status] of [
    ['//', 404],
    ['///', 404],
    ['http://', 400],
    ['http://[', 400],
    ['http://a:b/', 400],
    ['http://%', 400],
    ['/%', 400],
    ['/%E0%A4%A', 400],
    ['/\\', 404],
    ['/?%', 404],
    ['?', 400],
    ['http:', 400],
    ['://', 400],
    ['/%2e%2e/%', 400],
    ['/a:b@c', 404],
    ['//a:b@c:d', 404],
    ['/\x7f', 400],
    ['/\xff', 400],
    ['/a#b', 400],
  ] as const)
    assertProblem(await ask(port, { target }), status);
  assert.equal((await client.ask({ target: '/api/todo' })).status, 200);
  client.destroy();
});

test('hardening – a request that is sent in the moment of the stop → answered (see shutdown for all of it)', async (t) => {
  const { port, service } = await serve(t);
  const client = new Client(port);
  await client.ask({ target: '/api/todo' });
  const [answer] = await Promise.all([client.ask({ target: '/api/todo' }), service.close()]);
  assert.equal(answer.status, 200);
});

test('hardening – names that every object inherits, as ids and as members → 404, and unknown members', async (t) => {
  const { port } = await serve(t);
  const client = new Client(port);
  for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf']) {
    assertProblem(await client.ask({ target: `/api/todo/${id}` }), 404);
    assertProblem(await client.ask({ method: 'DELETE', target: `/api/todo/${id}` }), 404);
    assertProblem(
      await client.ask({ method: 'PUT', target: `/api/todo/${id}`, headers: json, body: JSON.stringify({ key: id }) }),
      404,
    );
  }
  for (const name of ['__proto__', '__PROTO__', 'constructor', 'prototype']) {
    const { status, text } = await client.ask(
      post(`{"${name}":{"isComplete":true,"name":"x","key":"y","polluted":1}}`),
    );
    assert.equal(status, 201);
    assert.match(text, /"name":null,"isComplete":false\}$/);
  }
  assert.equal(({} as { polluted?: number }).polluted, undefined);
  client.destroy();
});

test('hardening – malformed escapes and malformed Hosts → 400, never 5xx', async (t) => {
  const { port } = await serve(t);
  for (const host of ['[', 'a b', '%', 'a/../b', '<script>alert(1)</script>', 'http://a', ':', ':80']) {
    assertProblem(await ask(port, { target: '/api/todo', headers: { Host: host } }), 400);
  }
  for (const escape of ['%', '%%', '%u0041', '%c3', '%c3%28', '%f8%88%80%80%80', '%ff%fe'])
    assertProblem(await ask(port, { target: `/api/todo/${escape}` }), 400);
});

test('hardening – a repeated Host → 400; a thousand header lines → 431, also with a Host behind them', async (t) => {
  const { port } = await serve(t);
  assertProblem(await ask(port, { target: '/api/todo', headers: { Host: ['a', 'a'] } }), 400);
  const many = Array<string>(1500).fill('1');
  assertProblem(await ask(port, { target: '/api/todo', headers: { A: many } }), 431);
  assertProblem(
    await ask(port, `GET /api/todo HTTP/1.1\r\nConnection: close\r\n${'A: 1\r\n'.repeat(1500)}Host: a\r\n\r\n`),
    431,
  );
  assert.equal((await ask(port, { target: '/api/todo', headers: { A: many.slice(0, 98) } })).status, 200);
});

test('hardening – media types that only contain "json", and content codings → judged, not guessed', async (t) => {
  const { port } = await serve(t);
  for (const type of [
    'application/jsonlines',
    'text/x-json',
    'application/x-json-stream',
    'json',
    'application/ json',
    'multipart/form-data; boundary=application/json',
  ]) {
    assertProblem(await ask(port, post('{}', { 'Content-Type': type })), 415);
  }
  assertProblem(await ask(port, post('{}', { ...json, 'Content-Encoding': 'compress' })), 415);
});

test('hardening – arrays, texts, numbers and booleans in place of an object → 400 for the body as a whole', async (t) => {
  const { port } = await serve(t);
  for (const body of ['[]', '[{}]', '[[]]', '"{}"', '0', '-1e5', 'true', 'false']) {
    assert.deepEqual(
      assertProblem(await ask(port, post(body)), 400).errors?.map(({ pointer }) => pointer),
      [''],
    );
  }
});

test('hardening – standard output and standard error whose reader has gone, access log on → the service goes on', async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const child = spawn(process.execPath, [...PROGRAM, '--port', '0', '--access-log', 'on'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  while (!/ui\n/.test(said)) said += String((await once(child.stdout, 'data'))[0]);
  const port = Number(/:(\d+)\//.exec(said)![1]);
  child.stdout.destroy();
  child.stderr.destroy();
  const client = new Client(port);
  for (let at = 0; at < 20; at += 1) assert.equal((await client.ask({ target: '/api/todo' })).status, 200);
  await client.send(Buffer.concat([requestBytes(post('{"name":"New"}')), Buffer.from('NONSENSE\r\n\r\n')]));
  assert.deepEqual(
    (await client.answers()).map(({ status }) => status),
    [201, 400],
  );
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
