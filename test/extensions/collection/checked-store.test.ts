/** What a store of another program may not answer, and what the log says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/extensions/collection/collection.ts';
import { type TodoItem, todo } from '../../../src/extensions/todo/todo.ts';
import { application } from '../../../src/index.ts';
import { MapStore } from '../../support/map-store.ts';

/** The store with some methods in place of its own. */
const storeWith = (changed: object): Store<TodoItem> => Object.assign(new MapStore(), changed);
const ROW = { key: 'a', name: 'A', isComplete: false };

for (const [what, changed, method, path, says] of [
  ['get answers null', { get: () => null }, 'GET', '/api/todo/a', /"get" of the store answers null: .*or undefined if/],
  ['get gives a row', { get: () => ROW }, 'GET', '/api/todo/a', /"get" .*an object that is no representation: return/],
  ['get gives late', { get: async () => ROW }, 'GET', '/api/todo/a', /"get" .*representation\(text, version\) makes/],
  ['list gives nothing', { list: () => undefined }, 'GET', '/api/todo', /"list" of the store answers nothing: return/],
  ['list has no body', { list: () => ({ version: 1 }) }, 'GET', '/api/todo', /"list" .*no representation: return what/],
  ['remove answers a count', { remove: () => 1 }, 'DELETE', '/api/todo/a', /"remove" .*: return true or false/],
  ['add answers nothing', { add: () => undefined }, 'POST', '/api/todo', /"add" of the store answers nothing: return/],
] as const) {
  test(`D76 – a store whose ${what} → 500, the log names the method and the remedy`, async () => {
    const messages: string[] = [];
    const log = (error: unknown): void => void messages.push((error as Error).message);
    const composed = application([todo({ store: storeWith(changed) })], { log });
    const reply = await composed.request(path, { method, ...(method === 'POST' && { json: { name: 'A' } }) });
    assert.equal(reply.status, 500);
    assert.match(messages[0] ?? '', says);
  });
}

test('D76 – a store without methods → refused at once, each is named', () => {
  const partly = { list: () => [], get: () => undefined } as unknown as Store<TodoItem>;
  assert.throws(() => todo({ store: {} as Store<TodoItem> }), /no method list, get, add, replace, remove; give each/);
  assert.throws(() => todo({ store: partly }), { name: 'TypeError', message: /no method add, replace, remove;/ });
});
