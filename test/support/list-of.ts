/** Returns the values of a store in memory. */
import assert from 'node:assert/strict';
import type { RepresentedCollection } from '../../src/plugins/collection/collection.ts';
import type { TodoSchema } from '../../src/plugins/todo/todo.ts';

export function listOf(store: RepresentedCollection<TodoSchema>): any[] {
  const list = store.list();
  assert.ok('body' in list, 'the list must not be streamed');
  return JSON.parse(list.body);
}
