/** The store against a plain array, its limits and what it counts, and what its lists share (D6, limits). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Representation } from '../../src/api/operation/representation.ts';
import { serializer } from '../../src/api/schema/serialize.ts';
import { bodyValidator } from '../../src/api/schema/validate.ts';
import { type TodoItem, todoItem } from '../../src/todo/todo-item.ts';
import { StoreFull, type StoreLimits, TodoStore } from '../../src/todo/todo-store.ts';
import { randomNumbers } from '../routing/random-routes.ts';

const made = (limits: StoreLimits = {}): TodoStore => new TodoStore(serializer(todoItem('base'), 'camelCase'), limits);
const item = (name: string | null, isComplete = false): TodoItem => ({ name, isComplete });
const bytesOf = ({ body }: Representation<unknown>): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body as Uint8Array[]);
const parsed = (list: Representation<unknown>): { key: string; name: string | null; isComplete: boolean }[] => {
  const bytes = bytesOf(list);
  assert.equal(list.length, bytes.length, 'the length that is said');
  return JSON.parse(bytes.toString());
};
const names = (store: TodoStore): (string | null)[] => parsed(store.list()).map(({ name }) => name);
const long = (letter: string, length = 10_000): string => letter.repeat(length);

test('D6 – items → in order of creation; replacing one keeps its place', () => {
  const store = made();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => store.add(item(name)));
  store.replace(b!, item('B', true));
  assert.deepEqual(names(store), ['a', 'B', 'c']);
  store.remove(a!);
  assert.deepEqual(names(store), ['B', 'c']);
  store.replace(c!, item('C'));
  store.add(item('d'));
  assert.deepEqual(names(store), ['B', 'C', 'd']);
});

test('D6 – 2,000 items in many blocks, replaced and removed in the middle → in order of creation', () => {
  const store = made();
  const stored = Array.from({ length: 2000 }, (_, at) => store.add(item(`${at} ${long('é', 40)}`)));
  for (let at = 0; at < 2000; at += 3) store.remove(stored[at]!);
  for (let at = 1; at < 2000; at += 3) store.replace(stored[at]!, item(`${at}!`));
  assert.deepEqual(
    parsed(store.list()).map(({ name }) => Number.parseInt(name!, 10)),
    Array.from({ length: 2000 }, (_, at) => at).filter((at) => at % 3 !== 0),
  );
});

test('D2 – a key → found exactly, nothing that an object inherits', () => {
  const store = made();
  const { key } = store.add(item('a'));
  assert.ok(store.get(key) !== undefined);
  for (const other of [key.toUpperCase(), `${key} `, '', '__proto__', 'constructor', 'toString'])
    assert.equal(store.get(other), undefined);
});

test('4.1.1 – an item with a key of its own → a new key, a GUID', () => {
  const store = made(),
    stored = store.add({ key: 'mine', name: 'a', isComplete: false });
  assert.match(stored.key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(store.read(stored).body, JSON.stringify({ key: stored.key, name: 'a', isComplete: false }));
});

for (const name of [
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
  for (const isComplete of [false, true]) {
    test(`limits – the name ${JSON.stringify(name)}, ${isComplete} → as long as it says before it is written, and right`, () => {
      const store = made(),
        stored = store.add(item('before'));
      store.replace(stored, item(name, isComplete));
      const { length } = stored;
      const once = store.once(stored),
        read = store.read(stored);
      assert.equal(length, Buffer.byteLength(read.body as string));
      assert.equal(read.body, JSON.stringify({ key: stored.key, name, isComplete }));
      for (const { body, length: said } of [once, store.once(stored)])
        assert.deepEqual([body, said], [read.body, length]);
    });
  }
}

test('D8 – any change → another version of the list; none → the very same list', () => {
  const store = made(),
    versions = new Set<number>();
  const note = (): void => {
    const list = store.list();
    assert.equal(store.list(), list);
    assert.ok(!versions.has(list.version), 'a version that was there already');
    versions.add(list.version);
  };
  note();
  const a = store.add(item('a'));
  note();
  store.replace(a, item('b'));
  note();
  store.replace(a, item('b'));
  note();
  store.remove(a);
  note();
});

test('limits – a list that is being read while one item changes → as it was, and all but one block shared with the next', () => {
  const store = made();
  const stored = Array.from({ length: 200 }, (_, at) => store.add(item(long(String(at % 10)))));
  const before = store.list(),
    text = bytesOf(before).toString();
  store.replace(stored[100]!, item('changed'));
  const after = store.list();
  assert.equal(bytesOf(before).toString(), text);
  assert.equal(parsed(after)[100]!.name, 'changed');
  const chunks = before.body as readonly Uint8Array[];
  const fresh = (after.body as readonly Uint8Array[]).filter(
    (one) => !chunks.some((other) => one.buffer === other.buffer && one.byteOffset === other.byteOffset),
  );
  assert.equal(fresh.length, 1, 'chunks that were made anew');
});

test('limits – as many items as there may be → StoreFull for one more, nothing changed; replacing goes on; one less makes room', () => {
  const store = made({ maxItems: 2 });
  const a = store.add(item('a'));
  store.add(item('b'));
  const before = store.list(),
    { bytes } = store;
  assert.throws(() => store.add(item('c')), StoreFull);
  assert.deepEqual([store.list(), store.bytes, store.size], [before, bytes, 2]);
  store.replace(a, item(long('A')));
  store.remove(a);
  store.add(item('c'));
  assert.deepEqual(names(store), ['b', 'c']);
});

test('limits – as many bytes as there may be → StoreFull for more, nothing changed; smaller ones, reading and removing go on', () => {
  const store = made({ maxBytes: 30_000 });
  const a = store.add(item(long('a'))),
    b = store.add(item(long('b')));
  const before = store.list(),
    { bytes } = store;
  assert.throws(() => store.add(item(long('c'))), StoreFull);
  assert.throws(() => store.replace(a, item(long('a', 20_000))), StoreFull);
  assert.deepEqual([store.list(), store.bytes, store.size], [before, bytes, 2]);
  assert.equal(JSON.parse(a.body as string).name, long('a'));
  store.replace(a, item('small'));
  store.add(item(long('c')));
  store.remove(b);
  store.remove(a);
  assert.deepEqual(names(store), [long('c')]);
});

test('limits – a store that holds more than it may → an item can still be made smaller', () => {
  const limits = { maxBytes: 20_000 };
  const store = made(limits);
  const a = store.add(item(long('a', 19_000)));
  store.replace(a, item(long('b', 18_000)));
  assert.deepEqual(names(store), [long('b', 18_000)]);
});

test('limits – items of one and of two bytes a letter, replaced and removed → the count is of what is there, and 0 when all are gone', () => {
  const store = made();
  assert.equal(store.bytes, 0);
  const stored = ['a', 'é', '日本', long('x'), long('日')].map((name) => store.add(item(name)));
  assert.ok(store.bytes > 10_000 + 20_000 && store.bytes < 36_000, `${store.bytes}`);
  store.replace(stored[0]!, item(long('日')));
  store.replace(stored[4]!, item('a'));
  store.replace(stored[3]!, item(null, true));
  for (const one of stored) store.remove(one);
  assert.deepEqual([store.bytes, store.size, bytesOf(store.list()).toString()], [0, 0, '[]']);
});

for (const seed of [1, 2, 3]) {
  test(`D6 – 3,000 random operations, seed ${seed} → as a plain array would have it, step by step`, () => {
    const random = generator(seed),
      store = made({ maxBytes: 2_000_000, maxItems: 400 });
    const model: { key: string; name: string | null; isComplete: boolean }[] = [];
    const readers: { list: Representation<unknown>; text: string }[] = [];
    for (let step = 0; step < 3000; step += 1) {
      const what = random(),
        at = Math.floor(random() * model.length),
        chosen = model[at];
      const next = item(
        random() < 0.1
          ? null
          : ['a', 'é', '日', '"\\\n'][Math.floor(random() * 4)]!.repeat(Math.floor(random() ** 4 * 9000)),
        random() < 0.5,
      );
      try {
        if (what < 0.45 || chosen === undefined) {
          const { key } = store.add(next);
          model.push({ key, name: next.name, isComplete: next.isComplete });
        } else if (what < 0.75) {
          store.replace(store.get(chosen.key)!, next);
          model[at] = { key: chosen.key, name: next.name, isComplete: next.isComplete };
        } else {
          store.remove(store.get(chosen.key)!);
          model.splice(at, 1);
          assert.equal(store.get(chosen.key), undefined);
        }
      } catch (error) {
        if (!(error instanceof StoreFull)) throw error;
      }
      assert.equal(store.size, model.length);
      if (step % 97 === 0) {
        const list = store.list();
        assert.deepEqual(parsed(list), model);
        readers.push({ list, text: bytesOf(list).toString() });
      }
    }
    for (const { list, text } of readers)
      assert.ok(bytesOf(list).toString() === text, 'a list that was handed out has changed');
    for (const { key } of model) store.remove(store.get(key)!);
    assert.equal(store.bytes, 0);
  });
}

/** Mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test('D38 – texts of an item with other blanks, order, casing, escapes and repeated members → told from what is sent of it', () => {
  const read = bodyValidator(todoItem('base'), 'camelCase'),
    store = made();
  const stored = store.add(item('a'));
  const random = randomNumbers(38),
    pick = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  let equal = 0,
    alike = 0;
  for (let round = 0; round < 20_000; round++) {
    const name = pick('', 'x', 'Item1', 'a":"b', 'é', `","key":"${stored.key}`, 'x'.repeat(50)),
      isComplete = pick(true, false);
    const nameText = pick(JSON.stringify(name), JSON.stringify(name), JSON.stringify(name).replace('x', '\\u0078'));
    const members = [
      `"${pick('key', 'key', 'key', 'Key')}":"${stored.key}"`,
      `"${pick('name', 'name', 'name', 'NAME')}":${nameText}`,
      ...pick([`"isComplete":${isComplete}`], [`"isComplete":${isComplete}`], isComplete ? [`"IsComplete":true`] : []),
    ];
    if (random() < 0.2) members.push(members.shift()!);
    const more = pick('"name":"y"', '"key":"z"', '"u":{"name":"v"}', '"isComplete":true');
    if (random() < 0.2) members.splice(Math.floor(random() * 3), 0, more);
    let text = `{${members.join(pick(',', ',', ', '))}}`;
    const { value } = read(JSON.parse(text), text);
    assert.ok(value);
    // PUT refuses any other.
    if (value.key !== stored.key) continue;
    store.replace(stored, value);
    const length = stored.length;
    // Blanks up to the length of what is sent: only a look at the text can tell it apart.
    if (text.length < length) text = text.replace(/\}$/, `${' '.repeat(length - text.length)}}`);
    const told = store.isSentAs(stored, text),
      sent = store.read(stored).body;
    assert.equal(told, text === sent, `${text} for ${sent as string}`);
    if (told) equal++;
    else if (text.length === length) alike++;
  }
  assert.ok(equal > 1000 && alike > 500, `${equal} equal ones, ${alike} of the same length`);
});
