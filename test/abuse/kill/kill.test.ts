/** A few kills of each kind. The variable `TIMES` sets another number, for example `TIMES=200`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { often } from '../../support/long-run.ts';
import { noPlace } from '../store-place.ts';
import { accountLine } from './account.ts';
import { killRun } from './kill-run.ts';
import { startKills } from './start-kills.ts';

const TIMES = Number(process.env['TIMES'] ?? often(5, 20));
const timeout = 60_000 + TIMES * 12_000;

for (const [clause, store, kill, what] of [
  ['D83', 'file', 'service', 'a service with a file is killed under load and started again'],
  ['D84', 'redis', 'service', 'a service with an engine is killed under load and started again'],
  ['D85', 'redis', 'engine', 'an engine is killed under load and started again, the service goes on'],
] as const)
  test(`${clause} – ${what} → nothing acknowledged is lost`, { skip: noPlace(store), timeout }, async (context) => {
    const account = await killRun(store, kill, TIMES);
    context.diagnostic(accountLine(account));
    assert.deepEqual(account.differences, []);
    assert.equal(account.lost, 0);
    assert.equal(account.kills, TIMES);
    assert.ok(account.operations > 10 * TIMES, `${account.operations} operations`);
    assert.ok(account.tagsTried > 10 * TIMES, `${account.tagsTried} tags`);
    assert.ok(account.uncertain > 0, 'every change was answered, so no kill has come in between');
    if (kill === 'engine') assert.ok(account.refused >= 8 * TIMES, `${account.refused} answers of 503`);
  });

test('D83 – a start on a new file is killed → the next one opens the file, with the one item of the start', {
  skip: noPlace('file'),
  timeout,
}, async (context) => {
  const { differences, kills, withoutFile, emptyFile, filledFile } = await startKills(TIMES);
  context.diagnostic(`${withoutFile} without a file, ${emptyFile} with an empty one, ${filledFile} later`);
  assert.deepEqual(differences, []);
  assert.equal(kills, TIMES);
  assert.ok(emptyFile + filledFile > 0, 'no kill has come behind the first write');
});
