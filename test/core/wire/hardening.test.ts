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

test('hardening – standard output and standard error whose reader has gone, access log on → the service goes on', async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const child = spawn(process.execPath, [...PROGRAM, '--port', '0', '--access-log', 'on'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
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
