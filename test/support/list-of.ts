/** Returns the values of a store in memory. */
import assert from 'node:assert/strict';
import type { RepresentedCollection } from '../../src/extensions/collection/collection.ts';
import type { TodoSchema } from '../../src/extensions/todo/todo.ts';

export function listOf(store: RepresentedCollection<TodoSchema>): any[] {
  const list = store.list();
  assert.ok('body' in list, 'the list must not be streamed');
  return JSON.parse(list.body);
}
