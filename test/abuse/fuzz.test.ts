import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzRun } from './fuzz-run.ts';

test('abuse – two thousand spoiled requests → one good answer each, nothing lost', { timeout: 60_000 }, async () => {
  const { tried, findings, lost, crashed, errors } = await fuzzRun({ seed: 20, requests: 2000, concurrency: 200 });
  assert.ok(tried >= 2000);
  assert.deepEqual(findings, []);
  assert.equal(lost, 0);
  assert.equal(crashed, false);
  assert.doesNotMatch(errors, /"error"/);
});
