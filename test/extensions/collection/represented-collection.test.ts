/** A collection of two kinds of values: order, texts, versions, what lists share, and limits (D6, D8, limits). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Version } from '../../../src/core/message/headers/entity-tag.ts';
import { CollectionFull } from '../../../src/extensions/collection/store-error.ts';
import { randomNumbers } from '../../core/routing/random-routes.ts';
import { often } from '../../support/long-run.ts';
import { bytesOf, Collection, note, task } from './kinds.ts';

const STEPS = often(1000, 3000);
const long = (letter: string, length = 10_000): string => letter.repeat(length);

for (const kind of [task, note]) {
  const valuesOf = (...items: readonly (readonly [key: string, text: string | null, flag?: boolean])[]) =>
    items.map(([key, text, flag = false]) => kind.value(key, text, flag));

  test(`D6 – ${kind.name}: items → in order of creation; replacing one keeps its place`, async () => {
    const collection = new Collection(kind);
    const [a, b, c] = [collection.add('a'), collection.add('b'), collection.add('c')];
    collection.replace(b, 'B', true);
    assert.deepEqual(await collection.values(), valuesOf([a, 'a'], [b, 'B', true], [c, 'c']));
    collection.inner.remove(a);
    assert.deepEqual(await collection.values(), valuesOf([b, 'B', true], [c, 'c']));
    collection.replace(c, 'C');
    const d = collection.add('d');
    assert.deepEqual(await collection.values(), valuesOf([b, 'B', true], [c, 'C'], [d, 'd']));
  });

  test(`D6 – ${kind.name}: 2,000 items some replaced and removed → in order of creation`, async () => {
    const collection = new Collection(kind);
    const text = (at: number): string => `${at} ${long('é', 40)}`;
    const keys = Array.from({ length: 2000 }, (_, at) => collection.add(text(at)));
    for (let at = 0; at < 2000; at += 3) collection.inner.remove(keys[at]!);
    for (let at = 1; at < 2000; at += 3) collection.replace(keys[at]!, `${at}!`);
    const expected = keys.map((key, at) => [key, at % 3 === 1 ? `${at}!` : text(at)] as const);
    assert.deepEqual(await collection.values(), valuesOf(...expected.filter((_, at) => at % 3 !== 0)));
  });

  test(`D2 – ${kind.name}: a key → found exactly, nothing that an object inherits`, () => {
    const { inner } = new Collection(kind);
    inner.add('a-key', kind.value('a-key', 'a', false));
    assert.ok(inner.get('a-key') !== undefined);
    for (const other of ['A-KEY', 'a-key ', '', '__proto__', 'constructor', 'toString'])
      assert.equal(inner.get(other), undefined);
  });

  test(`${kind.name}: a key that is taken → an error; one that no item has → undefined, false; nothing changed`, () => {
    const collection = new Collection(kind);
    const key = collection.add('a');
    const before = collection.inner.list();
    assert.throws(() => collection.inner.add(key, kind.value(key, 'b', true)), /Cannot add an item with the key "key-/);
    assert.equal(collection.inner.replace('other', kind.value('other', 'b', true)), undefined);
    assert.equal(collection.inner.remove('other'), false);
    assert.equal(collection.inner.list(), before);
  });

  for (const text of [
    null,
    '',
    'plain',
    ' !#[]~',
    '"',
    '\\',
    '\n',
    '\x7f',
    'é',
    '日本',
    '😀',
    '\ud800',
    '</script>',
    '\u2028',
  ]) {
    for (const flag of [false, true]) {
      test(`limits – ${kind.name}: the text ${JSON.stringify(text)}, ${flag} → as JSON.stringify writes it`, async () => {
        const { inner } = new Collection(kind);
        const written = JSON.stringify(kind.value('a', text, flag));
        const added = inner.add('a', kind.value('a', text, flag));
        inner.add('b', kind.value('b', 'before', false));
        const replaced = inner.replace('b', kind.value('b', text, flag))!;
        const expected = { body: written, length: Buffer.byteLength(written) };
        for (const { body, length } of [added, inner.get('a')!]) assert.deepEqual({ body, length }, expected);
        assert.equal(added.version, inner.get('a')!.version);
        for (const { body, length } of [replaced, inner.get('b')!])
          assert.deepEqual({ body, length }, { ...expected, body: JSON.stringify(kind.value('b', text, flag)) });
        assert.equal(
          (await bytesOf(inner.list())).toString(),
          JSON.stringify([kind.value('a', text, flag), kind.value('b', text, flag)]),
        );
      });
    }
  }

  test(`D8 – ${kind.name}: any change → another version of the list; none → the very same list`, () => {
    const collection = new Collection(kind);
    const versions = new Set<Version | undefined>();
    const note = (): void => {
      const list = collection.inner.list();
      assert.equal(collection.inner.list(), list);
      assert.ok(!versions.has(list.version), 'a version that was there already');
      versions.add(list.version);
    };
    note();
    const a = collection.add('a');
    note();
    collection.replace(a, 'b');
    note();
    collection.replace(a, 'b');
    note();
    collection.inner.remove(a);
    note();
  });

  for (const size of [200, 10_000])
    test(`limits – ${kind.name}: a change after a list of ${size * 20} letters was read → the list as it was`, async () => {
      const collection = new Collection(kind);
      const keys = Array.from({ length: 20 }, (_, at) => collection.add(long(String(at % 10), size)));
      const before = collection.inner.list();
      const text = (await bytesOf(before)).toString();
      collection.replace(keys[10]!, 'changed');
      collection.inner.remove(keys[11]!);
      assert.equal((await bytesOf(before)).toString(), text);
      assert.deepEqual((await collection.values())[10], kind.value(keys[10]!, 'changed', false));
    });

  test(`limits – ${kind.name}: full of items → 507, nothing changed; replacing goes on; one less makes room`, async () => {
    const collection = new Collection(kind, { maxItems: 2 });
    const { inner } = collection;
    const a = collection.add('a');
    const b = collection.add('b');
    const before = inner.list();
    const { bytes } = inner;
    assert.throws(() => collection.add('c'), full('The store holds its 2 items'));
    assert.deepEqual([inner.list(), inner.bytes, inner.size], [before, bytes, 2]);
    collection.replace(a, long('A'));
    inner.remove(a);
    const c = collection.add('c');
    assert.deepEqual(await collection.values(), valuesOf([b, 'b'], [c, 'c']));
  });

  test(`limits – ${kind.name}: full of bytes → 507, nothing changed; smaller ones, reading, removing go on`, async () => {
    const collection = new Collection(kind, { maxBytes: 30_000 });
    const { inner } = collection;
    const a = collection.add(long('a'));
    const b = collection.add(long('b'));
    const before = inner.list();
    const { bytes } = inner;
    const isFull = full('The store holds as many bytes as it may: 30000');
    assert.throws(() => collection.add(long('c')), isFull);
    assert.throws(() => collection.replace(a, long('a', 20_000)), isFull);
    assert.deepEqual([inner.list(), inner.bytes, inner.size], [before, bytes, 2]);
    assert.deepEqual(JSON.parse(inner.get(a)!.body as string), kind.value(a, long('a'), false));
    collection.replace(a, 'small');
    const c = collection.add(long('c'));
    inner.remove(b);
    inner.remove(a);
    assert.deepEqual(await collection.values(), valuesOf([c, long('c')]));
  });

  test(`limits – ${kind.name}: a collection at its limit → an item can still be made smaller`, async () => {
    const collection = new Collection(kind, { maxBytes: 20_000 });
    const a = collection.add(long('a', 19_000));
    collection.replace(a, long('b', 18_000));
    assert.deepEqual(await collection.values(), valuesOf([a, long('b', 18_000)]));
  });

  test(`limits – ${kind.name}: one and two bytes a letter → bytes of what is there, 0 at the end`, async () => {
    const collection = new Collection(kind);
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

  test(`limits – ${kind.name}: a function as limit of bytes → called once, and not for one small item`, () => {
    let calls = 0;
    const collection = new Collection(kind, { maxBytes: () => (++calls, 1_000_000) });
    collection.add('a');
    assert.equal(calls, 0);
    for (let at = 0; at < 10; at++) collection.add('b');
    assert.equal(calls, 1);
  });

  for (const seed of [1, 2, 3]) {
    test(`D6 – ${kind.name}: random operations, seed ${seed} → as a plain array has it`, async () => {
      const random = randomNumbers(seed);
      const collection = new Collection(kind, { maxBytes: 2_000_000, maxItems: 400 });
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
            model.push({ key, value: kind.value(key, text, flag) });
          } else if (what < 0.75) {
            collection.replace(chosen.key, text, flag);
            model[at] = { key: chosen.key, value: kind.value(chosen.key, text, flag) };
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
          assert.deepEqual(
            await collection.values(),
            model.map(({ value }) => value),
          );
          const list = inner.list();
          readers.push({ list, text: (await bytesOf(list)).toString() });
        }
      }
      for (const { list, text } of readers)
        assert.ok((await bytesOf(list)).toString() === text, 'a list that was handed out has changed');
      for (const { key } of model) inner.remove(key);
      assert.equal(inner.bytes, 0);
    });
  }
}

/** Is this the error of a full collection, with this message? */
const full = (message: string) => (error: unknown) => error instanceof CollectionFull && error.message === message;
