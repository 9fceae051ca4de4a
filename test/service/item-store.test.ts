/** What the service prints at its start about its items: where they are, and how many the store had (D86). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { app } from '../../src/service/app.ts';
import { describedStore } from '../../src/service/item-store.ts';
import { readSettings } from '../../src/service/settings/settings.ts';
import { ENGINES, noEngine, noSqlite, startEngine, workBesideClient } from '../support/lasting-stores.ts';
import { PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder({ 'empty.db': '' });

/** Starts the service with a store, and returns what it prints about the items. Then adds or removes items. */
async function lineOf(place: string, change: 'POST' | 'DELETE', times: number): Promise<string> {
  const { application, store } = await app({ ...readSettings([], {}), store: place, storeWait: 0 });
  await application.start();
  try {
    const line = await describedStore(place, store);
    for (let count = 0; count < times; count++) {
      const [item] = (await (await application.request('/api/todo')).json()) as { readonly key: string }[];
      const path = change === 'POST' ? '/api/todo' : `/api/todo/${item!.key}`;
      const reply = await application.request(path, { method: change, ...(change === 'POST' && { json: {} }) });
      assert.ok(reply.ok);
    }
    return line;
  } finally {
    await application.stop();
  }
}

/** Starts the service several times with a store that is new at first. */
async function assertLines(place: string, name: string): Promise<void> {
  assert.equal(await lineOf(place, 'POST', 0), `${name}, new`);
  assert.equal(await lineOf(place, 'POST', 2), `${name}, 1 item`);
  assert.equal(await lineOf(place, 'DELETE', 3), `${name}, 3 items`);
  assert.equal(await lineOf(place, 'POST', 0), `${name}, 0 items`);
}

test('D86 – items in memory → lost at a restart', async () => {
  for (let times = 0; times < 2; times++)
    assert.equal(await lineOf('memory', 'POST', 3), 'in memory, lost at a restart');
});

for (const [what, file] of [
  ['a missing file', 'missing.db'],
  ['an empty file', 'empty.db'],
] as const)
  test(`D86 – ${what} → new; then the number of items`, { skip: noSqlite }, async () => {
    const path = join(folder, file);
    await assertLines(path, JSON.stringify(path));
    rmSync(path);
    for (const end of ['-wal', '-shm', '-id']) rmSync(path + end, { force: true });
    assert.equal(await lineOf(path, 'POST', 0), `${JSON.stringify(path)}, new`);
  });

for (const engine of ENGINES)
  test(`D86 – a list in ${engine} → new; then the number of items; the password is not shown`, {
    skip: noEngine(engine),
  }, async (t) => {
    const running = await startEngine(engine, '--user', 'todo', 'on', '>s3cret', '~*', '+@all');
    t.after(() => running.stop());
    const former = process.cwd();
    t.after(() => process.chdir(former));
    workBesideClient();
    const url = running.url('mine').replace('//', '//todo:s3cret@');
    await assertLines(url, `"${running.url('mine')}"`);
    running.command('FLUSHALL');
    assert.equal(await lineOf(url, 'POST', 0), `"${running.url('mine')}", new`);
  });

test('D86 – the process → a line "Items" after the addresses', async (t) => {
  const child = spawn(process.execPath, [...PROGRAM, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  assert.match(
    said,
    /^To-do items  http:.+\nDescription  http:.+\nPage         http:.+\nItems        in memory, lost at a restart\n$/,
  );
});
