/** Requests and environments that make a naive service fail, as far as no other file of this folder tests them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, type Question } from '../../support/ask.ts';
import { assertParserProblem, assertProblem } from '../../support/problem.ts';
import { serve } from '../../support/serve.ts';

const json = { 'Content-Type': 'application/json' };
const post = (body: Question['body'], headers: Question['headers'] = json): Question => ({
  method: 'POST',
  target: '/api/todo',
  headers,
  ...(body !== undefined && { body }),
});

test('hardening – targets that make URL and decodeURIComponent throw → an answer each, the service goes on', async (t) => {
  const { port, client } = await serve(t);
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
    assertParserProblem(await ask(port, { target }), status);
  assert.equal((await client.ask({ target: '/api/todo' })).status, 200);
});

test('hardening – media types that only contain "json", and content codings → are parsed exactly', async (t) => {
  const { port } = await serve(t);
  for (const type of [
    'application/jsonlines',
    'text/x-json',
    'application/x-json-stream',
    'json',
    'application/ json',
    'multipart/form-data; boundary=application/json',
  ])
    assertProblem(await ask(port, post('{}', { 'Content-Type': type })), 415);
  assertProblem(await ask(port, post('{}', { ...json, 'Content-Encoding': 'compress' })), 415);
});
