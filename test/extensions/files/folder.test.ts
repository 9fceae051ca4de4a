/** Tests the limits of the file cache and of the negative cache, and when they ask the disk again. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { AbsentNames } from '../../../src/extensions/files/absent-names.ts';
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
  const absent = new AbsentNames(root);
  for (let n = 0; n < 3000; n++) await absent.learn(`name${n}/x`);
  assert.ok(absent.size <= 1000, `${absent.size} names`);
});

test('speed – a folder that is missing answers for every name below it', async () => {
  const absent = new AbsentNames(root);
  await absent.learn('api/todo/1');
  assert.equal(absent.has('api/todo/2'), true);
  assert.equal(absent.has('api'), true);
  assert.equal(absent.has('apis/todo'), false);
  await absent.learn('deep/up/a.txt');
  assert.equal(absent.has('deep/up/b.txt'), true);
  assert.equal(absent.has('deep/down/a.txt'), false);
});

test('speed – what is known to be absent is asked of the disk again after a while, once for all who ask meanwhile', async () => {
  const absent = new AbsentNames(root);
  await absent.learn('api/todo/1');
  now = 19;
  assert.equal(absent.has('api/todo/2'), true);
  now = 20;
  const asked = absent.has('api/todo/3');
  assert.equal(asked, absent.has('api/todo/4'));
  assert.equal(await asked, true);
  assert.equal(absent.has('api/todo/5'), true);
});

test('speed – a name that is there, and one too long or too deep, are not remembered as absent', async () => {
  const absent = new AbsentNames(root);
  for (const name of ['f0.txt', 'deep', `${'x'.repeat(300)}/a`, 'deep/down/a.txt']) await absent.learn(name);
  assert.equal(absent.size, 0);
});
