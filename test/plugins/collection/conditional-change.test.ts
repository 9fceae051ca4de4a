/** Conditional changes while another process changes the item in between (RFC 9110 §13.2.2, D76). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../src/core/http/context.ts';
import { entityTag } from '../../../src/core/http/representation.ts';
import { noContent } from '../../../src/operations/operation/results.ts';
import { removeItem, replaceItem } from '../../../src/plugins/collection/conditional-change.ts';
import { RepresentedCollection } from '../../../src/plugins/collection/represented-collection.ts';
import type { Store } from '../../../src/plugins/collection/store.ts';
import { CollectionFull } from '../../../src/plugins/collection/store-error.ts';
import { type TodoItem, todoSchema } from '../../../src/plugins/todo/todo-item.ts';
import { lateStore } from '../../support/late-store.ts';
import { MapStore } from '../../support/map-store.ts';
import { throwing } from '../../support/throwing.ts';
import { todoItem } from '../../support/todo-item.ts';

type Items = Store<TodoItem>;

const item = (name: string): TodoItem => todoItem({ key: 'a', name });
const contextOf = (headers: Readonly<Record<string, string>>): Context => ({ headers }) as unknown as Context;
const memory = () => new RepresentedCollection(todoSchema(), 'camelCase');

/** Wraps a store: each of the first `times` calls of `get` reads the item and runs `between` before it returns. */
function interrupted(store: Items, times: number, between: () => unknown): Items {
  return {
    ...lateStore(store),
    async get(key) {
      const found = await store.get(key);
      // Copied, because the next change renews the record of a collection in memory.
      const read = found && { ...found };
      if (times-- > 0) await between();
      return read;
    },
  };
}

for (const [kind, make] of [
  ['in memory', memory],
  ['a Map', () => new MapStore()],
] as const) {
  for (const [what, change] of [
    [
      'replace',
      (items: Items, context: Context) =>
        replaceItem(items, { key: 'a', value: item('mine') }, context, () => noContent()),
    ],
    ['remove', (items: Items, context: Context) => removeItem(items, 'a', context)],
  ] as const) {
    for (const [condition, headers, times, other, status] of [
      ['If-Match with its ETag', { 'if-match': '{etag}' }, 1, 'replaces', 412],
      ['If-Match with its ETag', { 'if-match': '{etag}' }, 1, 'removes', 404],
      ['If-Match with its ETag', { 'if-match': '{etag}' }, 1, 'removes and adds', 412],
      ['If-Match: *', { 'if-match': '*' }, 1, 'replaces', 204],
      ['If-Match: *', { 'if-match': '*' }, 5, 'replaces', 204],
      ['If-Match: *', { 'if-match': '*' }, 1, 'removes', 404],
      ['If-None-Match with another ETag', { 'if-none-match': '"other"' }, 3, 'replaces', 204],
      ['If-None-Match with another ETag', { 'if-none-match': '"other"' }, 1, 'removes', 404],
    ] as const) {
      test(`D76 – ${kind}: ${what}, ${condition}; another process ${other} it ${times} times in between → ${status}`, async () => {
        const store = make();
        const { version } = await store.add('a', item('first'));
        const items = interrupted(store, times, async () => {
          if (other === 'replaces') return store.replace('a', item('theirs'));
          await store.remove('a');
          if (other === 'removes and adds') await store.add('a', item('theirs'));
        });
        const filled = (value: string): string => value.replace('{etag}', entityTag(version));
        const sent = Object.entries(headers).map(([name, value]) => [name, filled(value)]);
        const answer = await change(items, contextOf(Object.fromEntries(sent)));
        assert.equal(answer.status, status);
        const left = (await store.get('a'))?.body;
        if (status === 412) assert.match(String(left), /theirs/);
        else if (status === 404 || what === 'remove') assert.equal(left, undefined);
        else assert.match(String(left), /mine/);
      });
    }

    test(`D76 – ${kind}: ${what} without a condition → one call; the item is not read`, async () => {
      const store = make();
      await store.add('a', item('first'));
      const items = { ...lateStore(store), get: () => assert.fail('the item was read') };
      assert.equal((await change(items, contextOf({}))).status, 204);
      await store.remove('a');
      assert.equal((await change(items, contextOf({}))).status, 404);
    });

    test(`D76 – ${kind}: ${what}, a store that rejects its current version → an error, no endless loop`, async () => {
      const store = make();
      await store.add('a', item('first'));
      const items: Items = { ...lateStore(store), replace: async () => undefined, remove: async () => false };
      const asked = async () => change(items, contextOf({ 'if-match': '*' }));
      await assert.rejects(asked, /The store does not change "a", although the version matches/);
    });
  }
}

test('D76 – a full store that throws or rejects → the change rejects with its error', async () => {
  const store = memory();
  store.add('a', item('first'));
  const full = throwing(new CollectionFull('The disk is full'));
  for (const replace of [full, async () => full()]) {
    const items = { get: (key: string) => store.get(key), replace };
    for (const headers of [{}, { 'if-match': '*' }] as const) {
      const change = replaceItem(items, { key: 'a', value: item('b') }, contextOf(headers), () => noContent());
      await assert.rejects(change, { status: 507, message: 'The disk is full' });
    }
  }
});
