/** The list in the accepted media type, with a separate ETag for each type (D8). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/ask.ts';
import { serve } from '../support/serve.ts';
import { table } from '../support/table.ts';
import { checkNegotiation, negotiationRows } from './checks.ts';
import { shared } from './whole-serving.ts';

describe('Accept', () => {
  const serving = shared(serve);
  table(negotiationRows, (row, t) => checkNegotiation(row, t, serving));
});

test('D8 – the list in its three media types → the same text, three strong ETags, and 304 only for the ETag of the same type', async (t) => {
  const { port } = await serve(t);
  const types = ['text/plain', 'application/json', 'text/json'];
  const get = (Accept: string, etag: string) =>
    ask(port, { target: '/api/todo', headers: { Accept, 'If-None-Match': etag } });
  const answers = await Promise.all(types.map((type) => get(type, '"other"')));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const etags = answers.map(({ headers }) => headers['etag']!);
  assert.equal(new Set(etags).size, 3);
  for (const [at, type] of types.entries()) {
    for (const [other, etag] of etags.entries()) {
      assert.match(etag, /^"[^"]+"$/);
      const { status, headers } = await get(type, etag);
      assert.equal(status, at === other ? 304 : 200);
      assert.equal(headers['etag'], etags[at]);
      assert.equal(headers['vary'], 'Accept');
    }
  }
});

test('D8 – an item has one media type, Accept: text/plain → application/json', async (t) => {
  const { port } = await serve(t);
  const key = (await ask(port, { target: '/api/todo' })).json()[0].key as string;
  const answer = await ask(port, { target: `/api/todo/${key}`, headers: { Accept: 'text/plain' } });
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['vary'], undefined);
});

test('D10 – a problem, Accept: text/plain → application/problem+json', async (t) => {
  const { port } = await serve(t);
  const answer = await ask(port, { target: '/api/todo/nope', headers: { Accept: 'text/plain' } });
  assert.equal(answer.headers['content-type'], 'application/problem+json');
});
