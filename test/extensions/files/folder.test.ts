/** Tests the limits of the file cache, and when it asks the disk again, also for absent names. */
import assert from 'node:assert/strict';
import { before, beforeEach, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Folder } from '../../../src/extensions/files/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KIB = 1024;
const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.txt`, 'x'.repeat(10 * KIB)]));
const root = temporaryFolder({ ...files, 'deep/down/a.txt': 'a', 'deep/down/very/far/a.txt': 'a' });

// This clock decides when a cached entry expires (20 ms). It stands still unless a test moves it.
let now = 0;
mock.method(performance, 'now', () => now);
beforeEach(() => {
  now = 0;
});
// What was written a moment ago is read anew each time.
before(() => setTimeout(150));

test('speed – more files than may be held → never more bytes than allowed, and every file right', async () => {
  const folder = new Folder(root, { maxCachedBytes: 100 * KIB });
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 40; n++) {
      const found = await folder.find(`f${n}.txt`);
      assert.equal(found?.identity.length, 10 * KIB);
      assert.ok(folder.cachedBytes <= 100 * KIB, `${folder.cachedBytes} bytes held`);
    }
  }
  assert.equal(folder.cachedBytes, 100 * KIB);
});

test('speed – a file that is asked for again and again stays, whatever else passes by', async () => {
  const folder = new Folder(root, { maxCachedBytes: 50 * KIB });
  const kept = await folder.find('f0.txt');
  for (let n = 1; n < 40; n++) {
    await folder.find(`f${n}.txt`);
    now += 20;
    assert.equal(await folder.find('f0.txt'), kept);
  }
});

test('speed – more files than may be remembered → the others are forgotten', async () => {
  const folder = new Folder(root, { maxFiles: 3 });
  for (let n = 0; n < 40; n++) await folder.find(`f${n}.txt`);
  assert.equal(folder.cachedBytes, 3 * 10 * KIB);
});

test('speed – a file larger than the limit is not held', async () => {
  const folder = new Folder(root, { maxCachedFileBytes: KIB });
  assert.equal((await folder.find('f0.txt'))?.identity.bytes, undefined);
  assert.equal(folder.cachedBytes, 0);
});

test('speed – any number of names that are not there → a bounded number remembered', async () => {
  const folder = new Folder(root, { maxFiles: 100 });
  for (let n = 0; n < 300; n++) await folder.find(`name${n}/x`);
  for (let n = 0; n < 300; n++) assert.equal(folder.find(`name${n}/y`) instanceof Promise, n < 200, `name${n}`);
});

test('speed – a folder that is missing answers for every name below it', async () => {
  const folder = new Folder(root);
  await folder.find('api/todo/1');
  for (const name of ['api/todo/2', 'api']) assert.equal(folder.find(name), undefined);
  await folder.find('deep/up/a.txt');
  assert.equal(folder.find('deep/up/b.txt'), undefined);
  for (const name of ['apis/todo', 'deep/down/a.txt']) assert.ok(folder.find(name) instanceof Promise, name);
});

test('speed – what is known to be absent is asked of the disk again after a while', async () => {
  const folder = new Folder(root);
  await folder.find('api/todo/1');
  now = 19;
  assert.equal(folder.find('api/todo/2'), undefined);
  now = 20;
  const asked = [folder.find('api/todo/3'), folder.find('api/todo/4')];
  assert.ok(asked.every((one) => one instanceof Promise));
  assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
  assert.equal(folder.find('api/todo/5'), undefined);
});

test('speed – a name that is there, and one too long or too deep, are not remembered as absent', async () => {
  const folder = new Folder(root);
  for (const name of ['deep', `${'x'.repeat(300)}/a`, 'deep/down/very/far/b.txt']) {
    await folder.find(name);
    assert.ok(folder.find(name) instanceof Promise, name);
  }
});

test('speed – names that are not there go by → a file that is asked for in between stays', async () => {
  const folder = new Folder(root, { maxFiles: 3 });
  const kept = await folder.find('f0.txt');
  for (let n = 0; n < 40; n++) {
    assert.equal(await folder.find(`name${n}`), undefined);
    now += 20;
    assert.equal(await folder.find('f0.txt'), kept);
  }
});
