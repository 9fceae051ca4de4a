/**
 * The store in memory: versions, snapshots of lists, limits and random changes (D6, D8). `store.test.ts` has what it
 * shares with every store.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Version } from '../../../src/core/http/representation.ts';
import { CollectionFull } from '../../../src/plugins/collection/store-error.ts';
import { randomNumbers } from '../../core/routing/random-routes.ts';
import { often } from '../../support/long-run.ts';
import { bytesOf, Collection, noteOf } from './kinds.ts';

const STEPS = often(1000, 3000);
const long = (letter: string, length = 10_000): string => letter.repeat(length);

const valuesOf = (...items: readonly (readonly [key: string, text: string | null, flag?: boolean])[]) =>
  items.map(([key, text, flag = false]) => noteOf(key, text, flag));

test(`D8 – any change → a new version of the list; no change → the same list object`, () => {
  const collection = new Collection();
  const versions = new Set<Version | undefined>();
  const noteVersion = (): void => {
    const list = collection.inner.list();
    assert.equal(collection.inner.list(), list);
    assert.ok(!versions.has(list.version), 'a version is used twice');
    versions.add(list.version);
  };
  noteVersion();
  const a = collection.add('a');
  noteVersion();
  collection.replace(a, 'b');
  noteVersion();
  collection.replace(a, 'b');
  noteVersion();
  collection.inner.remove(a);
  noteVersion();
});

test(`limits – as many items as allowed → 507, nothing changes; replacing works; removing makes room`, async () => {
  const collection = new Collection({ maxItems: 2 });
  const { inner } = collection;
  const a = collection.add('a');
  const b = collection.add('b');
  const before = inner.list();
  const { bytes } = inner;
  assert.throws(() => collection.add('c'), full('The store is limited to 2 items'));
  assert.deepEqual([inner.list(), inner.bytes, inner.size], [before, bytes, 2]);
  collection.replace(a, long('A'));
  inner.remove(a);
  const c = collection.add('c');
  assert.deepEqual(await collection.values(), valuesOf([b, 'b'], [c, 'c']));
});

test(`limits – as many bytes as allowed → 507, nothing changes; smaller items, reading and removing work`, async () => {
  const collection = new Collection({ maxBytes: 30_000 });
  const { inner } = collection;
  const a = collection.add(long('a'));
  const b = collection.add(long('b'));
  const before = inner.list();
  const { bytes } = inner;
  const isFull = full('The store is limited to 30000 bytes');
  assert.throws(() => collection.add(long('c')), isFull);
  assert.throws(() => collection.replace(a, long('a', 20_000)), isFull);
  assert.deepEqual([inner.list(), inner.bytes, inner.size], [before, bytes, 2]);
  assert.deepEqual(JSON.parse(inner.get(a)!.body as string), noteOf(a, long('a'), false));
  collection.replace(a, 'small');
  const c = collection.add(long('c'));
  inner.remove(b);
  inner.remove(a);
  assert.deepEqual(await collection.values(), valuesOf([c, long('c')]));
});

test(`limits – letters of one and two bytes → the bytes of the stored items, 0 after all are removed`, async () => {
  const collection = new Collection();
  const { inner } = collection;
  assert.equal(inner.bytes, 0);
  const keys = ['a', 'é', '日本', long('x'), long('日')].map((text) => collection.add(text));
  assert.ok(inner.bytes > 10_000 + 20_000 && inner.bytes < 36_000, `${inner.bytes}`);
  collection.replace(keys[0]!, long('日'));
  collection.replace(keys[4]!, 'a');
  collection.replace(keys[3]!, null, true);
  for (const key of keys) inner.remove(key);
  assert.deepEqual([inner.bytes, inner.size, (await bytesOf(inner.list())).toString()], [0, 0, '[]']);
});

test(`limits – an item that needs more bytes than are left → refused with the limit`, () => {
  const collection = new Collection({ maxBytes: 20_000 });
  collection.add('a');
  collection.add('b');
  assert.throws(() => collection.add(long('c', 20_000)), full('The store is limited to 20000 bytes'));
});

test(`limits – a limit below the memory of an item → the first item is still added`, () => {
  const collection = new Collection({ maxBytes: 1 });
  collection.add('a');
  assert.throws(() => collection.add('b'), CollectionFull);
});

for (const seed of [1, 2, 3]) {
  test(`D6 – random changes, seed ${seed} → the same items as in a plain array`, async () => {
    const random = randomNumbers(seed);
    const collection = new Collection({ maxBytes: 2_000_000, maxItems: 400 });
    const { inner } = collection;
    const model: { key: string; value: object }[] = [];
    const readers: { list: ReturnType<typeof inner.list>; text: string }[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const what = random();
      const at = Math.floor(random() * model.length);
      const chosen = model[at];
      const text =
        random() < 0.1
          ? null
          : ['a', 'é', '日', '"\\\n'][Math.floor(random() * 4)]!.repeat(Math.floor(random() ** 4 * 9000));
      const flag = random() < 0.5;
      try {
        if (what < 0.45 || chosen === undefined) {
          const key = collection.add(text, flag);
          model.push({ key, value: noteOf(key, text, flag) });
        } else if (what < 0.75) {
          collection.replace(chosen.key, text, flag);
          model[at] = { key: chosen.key, value: noteOf(chosen.key, text, flag) };
        } else {
          inner.remove(chosen.key);
          model.splice(at, 1);
          assert.equal(inner.get(chosen.key), undefined);
        }
      } catch (error) {
        if (!(error instanceof CollectionFull)) throw error;
      }
      assert.equal(inner.size, model.length);
      if (step % 97 === 0) {
        const values = model.map(({ value }) => value);
        assert.deepEqual(await collection.values(), values);
        const list = inner.list();
        readers.push({ list, text: (await bytesOf(list)).toString() });
      }
    }
    for (const { list, text } of readers)
      assert.ok((await bytesOf(list)).toString() === text, 'a list that was read has changed');
    for (const { key } of model) inner.remove(key);
    assert.equal(inner.bytes, 0);
  });
}

/** Matches the error of a full collection with this message. */
const full = (message: string) => (error: unknown) => error instanceof CollectionFull && error.message === message;
