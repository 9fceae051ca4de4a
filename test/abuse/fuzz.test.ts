import assert from 'node:assert/strict';
import { test } from 'node:test';
import { often } from '../support/long-run.ts';
import { fuzzRun } from './fuzz-run.ts';

const REQUESTS = often(500, 2000);

test('abuse – many spoiled requests → one good answer each, nothing lost', { timeout: 60_000 }, async () => {
  const { tried, findings, lost, crashed, errors } = await fuzzRun({ seed: 20, requests: REQUESTS, concurrency: 200 });
  assert.ok(tried >= REQUESTS);
  assert.deepEqual(findings, []);
  assert.equal(lost, 0);
  assert.equal(crashed, false);
  assert.doesNotMatch(errors, /"error"/);
});
