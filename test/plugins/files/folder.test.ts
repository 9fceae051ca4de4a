/** Tests the limits of the file cache, and when it reads the disk again, also for absent names. */
import assert from 'node:assert/strict';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Folder } from '../../../src/plugins/files/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder({ 'f0.txt': 'x', 'deep/down/a.txt': 'a' });
const LARGEST = 4 * 2 ** 20;
const LARGE = Array.from({ length: 17 }, (_, n) => `large${n}.bin`);
for (const name of LARGE) {
  writeFileSync(join(root, name), '');
  truncateSync(join(root, name), LARGEST);
}
const newFolder = (): Folder => new Folder(root, { headers: [] });

// This clock decides when a cached entry expires (20 ms). It stops unless a test changes it.
let now = 0;
mock.method(performance, 'now', () => now);
beforeEach(() => {
  now = 0;
});
// A file that was written a moment ago is read again each time.
before(() => setTimeout(150));

test('speed – more files than may be cached → every reply is right, at most 64 MiB are cached', async () => {
  const folder = newFolder();
  const found = new Map<string, unknown>();
  for (const name of LARGE) {
    found.set(name, await folder.find(name));
    assert.equal(await folder.find(name), found.get(name), `${name} is cached`);
    assert.equal((await folder.find(name))?.identity.length, LARGEST);
  }
  assert.notEqual(await folder.find(LARGE[0]!), found.get(LARGE[0]!));
});

for (const age of [0, 400, 800])
  test(`D36 – a file that is ${age} ms old, and old enough for a date after it is loaded → has its date at the next check`, async (t) => {
    const { mtimeMs } = statSync(join(root, 'f0.txt'));
    let clock = mtimeMs + age;
    t.mock.method(Date, 'now', () => (clock += 200));
    const folder = newFolder();
    await folder.find('f0.txt');
    clock += 5000;
    now += 20;
    const found = await folder.find('f0.txt');
    assert.equal(found?.identity.modified, Math.floor(mtimeMs / 1000) * 1000);
  });

test('speed – a missing folder → names below it do not reach the disk for 20 ms; the number of cached names is bounded', async () => {
  const folder = newFolder();
  const isAsked = (name: string): boolean => folder.find(name) !== undefined;
  await folder.find('api/todo/1');
  now = 19;
  for (const name of ['api/todo/2', 'api']) assert.ok(!isAsked(name), name);
  for (const name of ['apis/todo', 'deep/down/a.txt']) assert.ok(isAsked(name), name);
  now = 20;
  assert.equal(await folder.find('api/todo/3'), undefined);
  assert.ok(!isAsked('api/todo/4'));
  for (let n = 0; n < 1000; n++) await folder.find(`name${n}/x`);
  const known = Array.from({ length: 1000 }, (_, n) => !isAsked(`name${n}/y`));
  assert.ok(known.filter(Boolean).length <= 100);
  assert.equal(known[999], true);
});
