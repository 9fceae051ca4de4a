/** Stores outside the process: the stored text of a value, the sent text, and lists sent page by page (D83, D84). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { PropertyNaming } from '../../../src/operations/schema/names.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';
import {
  type Backend,
  LastingStore,
  type Page,
  type StoreWatch,
} from '../../../src/plugins/collection/lasting-store.ts';
import { StoreState } from '../../../src/plugins/collection/store-error.ts';
import { type ModelVariant, todoSchema } from '../../../src/plugins/todo/todo-item.ts';
import { logged, takeMessages } from '../../support/serve.ts';

type ObjectSchema = Schema & { readonly type: 'object' };

const itemOf = (name: string) => ({ key: 'a', name, isComplete: true });
const CAMEL = '{"key":"a","name":"A","isComplete":true}';
const PASCAL = '{"Key":"a","Name":"A","IsComplete":true}';
const text = (name: string): string => JSON.stringify(itemOf(name));

interface StoreOptions {
  readonly kind?: ObjectSchema;
  readonly naming?: PropertyNaming;
  readonly watch?: StoreWatch;
}

/** A store over a backend with these methods. */
function storeOver(backend: Partial<Backend>, { kind = todoSchema(), naming = 'camelCase', watch }: StoreOptions = {}) {
  const state = new StoreState('"todo.db"');
  return new LastingStore({ state: () => state, ...backend } as Backend, kind, naming, '"todo.db"', watch);
}

/** A backend with one text. */
const backendOf = (value: string): Partial<Backend> => ({ get: (key) => ({ key, value, version: 'v1' }) });

for (const [naming, sent] of [
  ['camelCase', CAMEL],
  ['PascalCase', PASCAL],
] as const)
  test(`D83 – a value in a service with ${naming} → stored with the names of the schema, sent as ${sent}`, async () => {
    const stored: string[] = [];
    const add: Backend['add'] = ({ value }) => stored.push(value) > 0;
    const store = storeOver({ ...backendOf(CAMEL), add }, { naming });
    assert.equal((await store.add('a', itemOf('A'))).body, sent);
    assert.deepEqual(stored, [CAMEL]);
    assert.equal((await store.get('a'))?.body, sent);
  });

test('D83 – one item in two namings → two versions, because the texts differ; each version is accepted', async () => {
  const asked: unknown[] = [];
  const replace: Backend['replace'] = (_, former) => asked.push(former) < 0;
  const stores = (['camelCase', 'PascalCase'] as const).map((naming) =>
    storeOver({ ...backendOf(CAMEL), replace }, { naming }),
  );
  const [camel, pascal] = await Promise.all(stores.map(async (store) => (await store.get('a'))!.version));
  assert.notEqual(camel, pascal);
  await stores[0]!.replace('a', itemOf('B'), camel);
  await stores[1]!.replace('a', itemOf('B'), pascal);
  await stores[1]!.replace('a', itemOf('B'), camel);
  assert.deepEqual(asked, ['v1', 'v1', '']);
});

for (const [what, stored, sent] of [
  ['written by hand', '{ "isComplete": true, "name": "A", "key": "a" }', CAMEL],
  ['with escapes', '{"key":"a","name":"\\n\\u00e9","isComplete":true}', '{"key":"a","name":"\\né","isComplete":true}'],
  ['with a member of another version', '{"key":"a","name":"A","isComplete":true,"more":1}', CAMEL],
] as const)
  test(`D83 – a stored value ${what} → sent in the format of the service`, async () => {
    assert.equal((await storeOver(backendOf(stored)).get('a'))?.body, sent);
  });

const annotated: ModelVariant = 'annotated';
const strict = schema('Strict', {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['open', 'closed'] },
    name: { type: 'string', maxLength: 3 },
    count: { type: 'integer', format: 'int32' },
  },
});
for (const [what, stored, detail, kind] of [
  ['not JSON', '{"key":', /: Expected JSON;/],
  ['an empty text', '', /: Expected JSON;/],
  ['null', 'null', /: Expected an object, not null;/],
  ['a list', '[]', /: Expected an object, not an array;/],
  ['a wrong type', '{"key":"a","name":1,"isComplete":true}', / at "\/name": Expected a string or null, not a number;/],
  [
    'no name, which is required now',
    '{"key":"a","name":null,"isComplete":true}',
    / at "\/name": /,
    todoSchema(annotated),
  ],
  ['a value outside its enum', '{"state":"other"}', / at "\/state": /, strict],
  ['a text that is too long', '{"name":"abcd"}', / at "\/name": /, strict],
  ['a number of more than 32 bits', `{"count":${2 ** 40}}`, / at "\/count": /, strict],
] as const)
  for (const naming of ['camelCase', 'PascalCase'] as const)
    test(`D83 – ${naming}, invalid data: ${what} → skipped, one warning with the store, the item and the cause`, async () => {
      const store = storeOver(backendOf(stored), { naming, ...(kind && { kind }) });
      assert.equal(await store.get('a\n'), undefined);
      assert.equal(await store.get('b'), undefined);
      const [message = '', ...others] = takeMessages();
      assert.deepEqual(others, []);
      assert.match(
        message,
        /^Wrong data in "todo\.db": the value of the item "a\\n".*; this item and other invalid items are skipped$/,
      );
      assert.match(message, detail);
    });

const page = (names: readonly string[], last: number, isEnd: boolean): Page => {
  const items = names.map((name) => ({ key: 'a', value: name === 'wrong' ? '?' : text(name) }));
  return { items, version: undefined, last, isEnd };
};

/** The streamed list of a backend with these pages. */
async function listOf(page: Backend['page']) {
  const list = await storeOver({ page }).list();
  assert.ok('stream' in list);
  assert.equal(list.version, undefined);
  return list.stream();
}

for (const [what, pages, names] of [
  ['two', [['1', '2'], ['3']], ['1', '2', '3']],
  ['three', [['1'], ['2', '3'], ['4']], ['1', '2', '3', '4']],
  ['an empty page at the end', [['1'], []], ['1']],
  ['empty pages first, and invalid items', [[], ['wrong'], ['1'], ['wrong'], ['2', 'wrong']], ['1', '2']],
  ['three empty pages', [[], [], []], []],
] as const)
  test(`D84 – pages: ${what} → the items ${names.join(', ')}`, async () => {
    const all = pages.map((names, at) => page(names, at, at === pages.length - 1));
    const stream = await listOf(async (after = -1) => all[Number(after) + 1]!);
    assert.equal(Buffer.concat(await stream.toArray()).toString(), `[${names.map(text).join(',')}]`);
    logged.splice(0);
  });

test('D83 – a backend that keeps a long list as it was → a stream with a version, which is asked for once', async () => {
  const kept: unknown[] = [];
  const store = storeOver({
    page: (after, known) =>
      known === 'v' ? undefined : { ...page([String(after)], 7, after !== undefined), version: 'v' },
    keep: (after, stream) => kept.push(after, stream.destroyed),
  });
  const list = await store.list();
  assert.ok('stream' in list);
  assert.equal(list.version, 'v');
  assert.equal(await store.list(), list);
  for (const stream of [list.stream(), list.stream()])
    assert.equal(Buffer.concat(await stream.toArray()).toString(), `[${['undefined', '7'].map(text).join(',')}]`);
  assert.deepEqual(kept, [7, false, 7, false]);
});

test('D83 – items that were read before → a value that another program has changed since is read anew', async () => {
  let names: readonly string[] = Array.from({ length: 200 }, (_, at) => `${at}`);
  const store = storeOver({ page: () => page(names, 0, true) });
  const read = async (): Promise<string> => {
    const list = await store.list();
    return 'stream' in list ? Buffer.concat(await list.stream().toArray()).toString() : '';
  };
  for (const changed of [names, names.with(70, 'other'), names.with(199, 'last'), names.with(120, 'wrong'), names]) {
    names = changed;
    const valid = names.filter((name) => name !== 'wrong');
    for (let time = 0; time < 2; time++) assert.equal(await read(), `[${valid.map(text).join(',')}]`);
  }
  assert.equal(logged.splice(0).length, 1);
});

test('D84 – a page that fails → the stream fails with its cause', async () => {
  const stream = await listOf((after) =>
    after === undefined ? page(['1'], 0, false) : Promise.reject(new Error('lost')),
  );
  await assert.rejects(stream.toArray(), /^Error: lost$/);
});

test('D84 – a client that disconnects after the first page → no further page is read', async () => {
  let read = 0;
  const stream = await listOf((after = -1) => page([String(++read)], Number(after) + 1, false));
  for await (const _ of stream) break;
  assert.ok(stream.destroyed);
  const before = read;
  await new Promise(setImmediate);
  assert.equal(read, before);
});

test('D50 – two clients that read the first page only → share its bytes, and no further page is read', async () => {
  let read = 0;
  const store = storeOver({
    page: (after, known) => (known === 'v' ? undefined : { ...page([String(after)], ++read, false), version: 'v' }),
  });
  const firsts: unknown[] = [];
  for (let client = 0; client < 2; client++) {
    const list = await store.list();
    assert.ok('stream' in list);
    const stream = list.stream();
    // The server waits for the first bytes, and pauses the stream until the client reads on.
    await once(stream, 'readable');
    stream.once('data', (chunk) => {
      firsts.push(chunk);
      stream.pause();
    });
    await once(stream, 'pause');
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  }
  assert.equal(String(firsts[0]), `[${text('undefined')}`);
  assert.equal(firsts[1], firsts[0]);
  assert.equal(read, 1);
});

test('D115 – calls to a watched store, synchronous or not → reported with their time and error; results are unchanged', async () => {
  const calls: [string, boolean, unknown][] = [];
  const lost = new Error('lost');
  const store = storeOver(
    {
      page: () => page(['1'], 0, true),
      get: async (key) => ({ key, value: text('1'), version: 'v' }),
      remove: () => Promise.reject(lost),
      replace() {
        throw lost;
      },
    },
    { watch: (method, seconds, error) => calls.push([method, seconds >= 0 && seconds < 60, error]) },
  );
  await store.list();
  assert.ok((await store.get('a')) !== undefined);
  await assert.rejects(store.remove('a'), lost);
  await assert.rejects(store.replace('a', itemOf('b')), lost);
  assert.deepEqual(calls, [
    ['page', true, undefined],
    ['get', true, undefined],
    ['remove', true, lost],
    ['replace', true, lost],
  ]);
  assert.deepEqual([store.up, store.reconnections], [true, 0]);
});
