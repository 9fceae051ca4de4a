/** Wrong results of a user's store, and the errors in the log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/index.ts';
import type { Store } from '../../../src/plugins/collection/collection.ts';
import { type TodoItem, todo } from '../../../src/plugins/todo/todo.ts';
import { MapStore } from '../../support/map-store.ts';

/** A working store with some methods replaced. */
const storeWith = (methods: object): Store<TodoItem> => Object.assign(new MapStore(), methods);
const ROW = { key: 'a', name: 'A', isComplete: false };

const NOT_ONE = 'that is not a representation; return the result of';
for (const [what, methods, method, path, message] of [
  ['get returns null', { get: () => null }, 'GET', '/api/todo/a', /"get" .* returns null; .*or undefined without/],
  ['get returns a row', { get: () => ROW }, 'GET', '/api/todo/a', RegExp(`"get" .* an object ${NOT_ONE}`)],
  ['get resolves to a row', { get: async () => ROW }, 'GET', '/api/todo/a', /"get" .*representation\(text, version\)/],
  ['list returns undefined', { list: () => undefined }, 'GET', '/api/todo', /"list" .* returns undefined; return/],
  ['list has no body', { list: () => ({ version: 1 }) }, 'GET', '/api/todo', RegExp(`"list" .*${NOT_ONE}`)],
  ['remove returns a count', { remove: () => 1 }, 'DELETE', '/api/todo/a', /"remove" .*; return true or false/],
  ['add returns undefined', { add: () => undefined }, 'POST', '/api/todo', /"add" .* returns undefined; return/],
] as const) {
  test(`D76 – a store whose ${what} → 500; the log names the method and the remedy`, async () => {
    const messages: string[] = [];
    const log = (error: unknown): void => void messages.push((error as Error).message);
    const composed = application([todo({ store: storeWith(methods) })], { log });
    const reply = await composed.request(path, { method, ...(method === 'POST' && { json: { name: 'A' } }) });
    assert.equal(reply.status, 500);
    assert.match(messages[0] ?? '', message);
  });
}

test('D76 – a store without some methods → a TypeError at once that names each missing method', () => {
  const partly = { list: () => [], get: () => undefined } as unknown as Store<TodoItem>;
  assert.throws(() => todo({ store: {} as Store<TodoItem> }), /it lacks list, get, add, replace, remove; implement/);
  assert.throws(() => todo({ store: partly }), { name: 'TypeError', message: /it lacks add, replace, remove;/ });
});
