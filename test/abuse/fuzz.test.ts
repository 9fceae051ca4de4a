import assert from 'node:assert/strict';
import { test } from 'node:test';
import { often } from '../support/long-run.ts';
import { serve } from '../support/serve.ts';
import { framingOf } from './framing.ts';
import { fuzzRun } from './fuzz-run.ts';

const REQUESTS = often(500, 2000);

test('abuse – many corrupted requests → one correct answer each, nothing lost', { timeout: 60_000 }, async () => {
  const { tried, findings, lost, crashed, errors } = await fuzzRun({ seed: 20, requests: REQUESTS, concurrency: 200 });
  assert.ok(tried >= REQUESTS);
  assert.deepEqual(findings, []);
  assert.equal(lost, 0);
  assert.equal(crashed, false);
  assert.doesNotMatch(errors, /"error"/);
});

for (const line of ['GET /api/todo HTTP/1.1', 'GET  /api/todo HTTP/1.1', 'GET /api/todo  HTTP/1.1'])
  test(`RFC 9112 §3 – "${line}" and the same behind it → two answers, as many as the judge counts`, async (t) => {
    const bytes = `${line}\r\nHost: localhost\r\n\r\n`.repeat(2);
    const { client } = await serve(t);
    t.after(() => client.destroy());
    await client.send(bytes);
    for (let at = 0; at < 2; at++) assert.equal((await client.answer()).status, 200);
    assert.equal(framingOf(Buffer.from(bytes)).most, 2);
  });
