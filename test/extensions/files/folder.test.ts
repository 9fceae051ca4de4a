/** Tests the limits of the file cache, and when it asks the disk again, also for absent names. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Folder } from '../../../src/extensions/files/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KIB = 1024;
const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.txt`, 'x'.repeat(10 * KIB)]));
const root = temporaryFolder({ ...files, 'deep/down/a.txt': 'a' });

// This clock decides when a cached entry expires (20 ms). It stands still unless a test moves it.
let now = 0;
mock.method(performance, 'now', () => now);
beforeEach(() => {
  now = 0;
});
// What was written a moment ago is read anew each time.
before(() => setTimeout(150));

const isCached = (folder: Folder, name: string): boolean => !(folder.find(name) instanceof Promise);

test('speed – more files than may be held → every file right, and the last ones held', async () => {
  const folder = new Folder(root, { maxCachedBytes: 100 * KIB });
  for (let round = 0; round < 3; round++)
    for (let n = 0; n < 40; n++) assert.equal((await folder.find(`f${n}.txt`))?.identity.length, 10 * KIB);
  const cached = Object.keys(files).filter((name) => isCached(folder, name));
  // Each takes 4 KiB beside its content.
  assert.deepEqual(cached, ['f33.txt', 'f34.txt', 'f35.txt', 'f36.txt', 'f37.txt', 'f38.txt', 'f39.txt']);
});

test('speed – a file that is asked for again and again stays, whatever else passes by', async (t) => {
  // The files are not new: a new one has no date yet, and is read again (D36).
  const later = Date.now() + 5000;
  t.mock.method(Date, 'now', () => later);
  const folder = new Folder(root, { maxCachedBytes: 50 * KIB });
  const kept = await folder.find('f0.txt');
  for (let n = 1; n < 40; n++) {
    await folder.find(`f${n}.txt`);
    now += 20;
    assert.equal(await folder.find('f0.txt'), kept);
  }
});

for (const age of [0, 200, 400, 600, 800])
  test(`D36 – a file of ${age} ms, whose time gets old while it is loaded → its date by the next check`, async (t) => {
    const { mtimeMs } = statSync(join(root, 'f0.txt'));
    let clock = mtimeMs + age;
    t.mock.method(Date, 'now', () => (clock += 200));
    const folder = new Folder(root);
    await folder.find('f0.txt');
    clock += 5000;
    now += 20;
    const found = await folder.find('f0.txt');
    assert.equal(found?.identity.modified, Math.floor(mtimeMs / 1000) * 1000);
  });

test('speed – any number of names that are not there → a bounded number remembered', async () => {
  const folder = new Folder(root);
  for (let n = 0; n < 1000; n++) await folder.find(`name${n}/x`);
  const known = Array.from({ length: 1000 }, (_, n) => isCached(folder, `name${n}/y`));
  assert.ok(known.filter(Boolean).length <= 100);
  assert.equal(known[999], true);
});

test('speed – a folder that is missing answers for every name below it', async () => {
  const folder = new Folder(root);
  await folder.find('api/todo/1');
  for (const name of ['api/todo/2', 'api']) assert.equal(folder.find(name), undefined);
  for (const name of ['apis/todo', 'deep/down/a.txt']) assert.ok(!isCached(folder, name), name);
});

test('speed – what is known to be absent is asked of the disk again after a while', async () => {
  const folder = new Folder(root);
  await folder.find('api/todo/1');
  now = 19;
  assert.equal(folder.find('api/todo/2'), undefined);
  now = 20;
  const asked = [folder.find('api/todo/3'), folder.find('api/todo/4')];
  assert.ok(asked.every((found) => found instanceof Promise));
  assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
  assert.equal(folder.find('api/todo/5'), undefined);
});
