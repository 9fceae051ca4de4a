/** Lists that are sent page by page (D84). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamedRepresentation } from '../../../src/core/message/representation.ts';
import { LastingStore, type Page, type Place } from '../../../src/extensions/collection/lasting-store.ts';
import { todoSchema } from '../../../src/extensions/todo/todo-item.ts';
import { logged } from '../../support/serve.ts';

const text = (name: string): string => JSON.stringify({ key: 'a', name, isComplete: false });
const page = (names: readonly string[], last: number, isEnd: boolean): Page => {
  const items = names.map((name) => ({ key: 'a', value: name === 'wrong' ? '?' : text(name) }));
  return { items, version: 'v', last, isEnd };
};

/** The list of a place whose pages are these, as it is streamed. */
async function listOf(page: Place['page']) {
  const list = await new LastingStore({ page } as Place, todoSchema(), 'camelCase', '"todo.db"').list();
  assert.ok('stream' in list);
  return (list as StreamedRepresentation<unknown>).stream();
}

for (const [what, pages, names] of [
  ['two', [['1', '2'], ['3']], ['1', '2', '3']],
  ['three', [['1'], ['2', '3'], ['4']], ['1', '2', '3', '4']],
  ['an empty one at the end', [['1'], []], ['1']],
  ['empty ones in front, and wrong items', [[], ['wrong'], ['1'], ['wrong'], ['2', 'wrong']], ['1', '2']],
  ['three without items', [[], [], []], []],
] as const)
  for (const kind of ['at once', 'later'] as const)
    test(`D84 – pages: ${what}, ${kind} → the items ${names.join(', ')}`, async () => {
      const all = pages.map((names, at) => page(names, at, at === pages.length - 1));
      const stream = await listOf((after = -1) => {
        const page = all[Number(after) + 1]!;
        return kind === 'later' ? Promise.resolve(page) : page;
      });
      assert.equal(Buffer.concat(await stream.toArray()).toString(), `[${names.map(text).join(',')}]`);
      logged.splice(0);
    });

test('D84 – a page that fails → the stream fails with its cause', async () => {
  const stream = await listOf((after) =>
    after === undefined ? page(['1'], 0, false) : Promise.reject(new Error('lost')),
  );
  await assert.rejects(stream.toArray(), /^Error: lost$/);
});

test('D84 – a client that leaves after the first page → no further page is read', async () => {
  let read = 0;
  const stream = await listOf((after = -1) => page([String(++read)], Number(after) + 1, false));
  for await (const _ of stream) break;
  assert.ok(stream.destroyed);
  const before = read;
  await new Promise(setImmediate);
  assert.equal(read, before);
});

test('D115 – operations of a watched store, at once and later → told with their time and their error, and unchanged', async () => {
  const told: [string, boolean, unknown][] = [];
  const lost = new Error('lost');
  const place = {
    page: () => page(['1'], 0, true),
    get: () => Promise.resolve({ key: 'a', value: text('1'), version: 'v' }),
    remove: () => Promise.reject(lost),
    replace() {
      throw lost;
    },
  };
  const store = new LastingStore(place as unknown as Place, todoSchema(), 'camelCase', '"todo.db"', (...all) =>
    told.push([all[0], all[1] >= 0 && all[1] < 60, all[2]]),
  );
  await store.list();
  assert.ok((await store.get('a')) !== undefined);
  await assert.rejects(async () => store.remove('a'), lost);
  await assert.rejects(async () => store.replace('a', { key: 'a', name: 'b', isComplete: false }), lost);
  assert.deepEqual(told, [
    ['page', true, undefined],
    ['get', true, undefined],
    ['remove', true, lost],
    ['replace', true, lost],
  ]);
  assert.deepEqual([store.up, store.reconnections], [true, 0]);
});
