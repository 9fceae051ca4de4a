/**
 * The whole service over real HTTP with items in a file or in an engine: the same rows as for items in memory. Every
 * reply is checked against the description. The long run has all rows of the whole service.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Settings } from '../../src/service/settings/settings.ts';
import { ask } from '../support/ask.ts';
import {
  ENGINES,
  noEngine,
  noSqlite,
  type RunningEngine,
  startEngine,
  workBesideClient,
} from '../support/lasting-stores.ts';
import { isLong } from '../support/long-run.ts';
import { logged, serve } from '../support/serve.ts';
import { type Row, table } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { checkItem, checkNegotiation, checkValidation, negotiationRows } from './checks.ts';
import { BODIES, CONDITIONS, OPERATIONS, VARIANTS } from './items.cases.ts';
import { METHODS, TARGETS, WIRE } from './validation.cases.ts';
import { shared } from './whole-serving.ts';

/** Runs all rows. `place` returns the settings of a new store. */
function everyRow(decision: string, where: string, place: () => Partial<Settings>): void {
  const serveThere = shared((t, settings) => serve(t, { ...settings, ...place() }));
  const named = <R extends Row>(rows: readonly R[]): R[] =>
    rows.map((row) => ({ ...row, clause: `${decision}, ${row.clause}`, question: `${where}: ${row.question}` }));
  table(named([...OPERATIONS, ...CONDITIONS]), (row, t) => checkItem(row, t, serveThere));
  if (!isLong) return;
  // Most of these rows do not use the store.
  table(named([...BODIES, ...VARIANTS]), (row, t) => checkItem(row, t, serveThere));
  table(named(negotiationRows), (row, t) => checkNegotiation(row, t, serveThere));
  table(named([...TARGETS, ...METHODS, ...WIRE]), (row, t) => checkValidation(row, t, serveThere));
}

describe('D83 – the whole service with an SQLite file', { skip: noSqlite }, () => {
  const folder = temporaryFolder();
  everyRow('D83', 'a file', () => ({ store: join(folder, `${randomUUID()}.db`), storeSync: 'normal' }));

  test('D83, the file is removed while the service runs → changes are 503; reading, /health and /ready are 200, and /ready tells it', async (t) => {
    const store = join(folder, `${randomUUID()}.db`);
    const { port } = await serve(t, { store, healthChecks: true });
    const ready = async () => (await ask(port, { target: '/ready' })).json();
    assert.deepEqual(await ready(), { status: 'ready', store: 'up' });
    renameSync(store, `${store}.moved`);
    assert.deepEqual(await ready(), { status: 'ready', store: 'down' });
    const body = { headers: { 'Content-Type': 'application/json' }, body: '{"name":"New"}' };
    for (const [method, target, status] of [
      ['POST', '/api/todo', 503],
      ['GET', '/api/todo', 200],
      ['HEAD', '/ready', 200],
      ['GET', '/health', 200],
    ] as const)
      assert.equal((await ask(port, { method, target, ...(method === 'POST' && body) })).status, status);
    renameSync(`${store}.moved`, store);
    await until(async () => (await ready()).store === 'up', 'the store is reached again');
    assert.equal(logged.splice(0).length, 2);
  });
});

for (const engine of ENGINES)
  describe(`D84 – the whole service with ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    before(async () => {
      workBesideClient();
      running = await startEngine(engine, '--appendonly', 'no');
    });
    everyRow('D84', engine, () => ({ store: running.url() }));
    // After the services have ended. They would warn about a missing engine.
    after(() => running.stop());
  });
