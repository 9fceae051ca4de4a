/** Makes the to-do plugin: a store with the one item of the start (§1, D12), and its controller. */
import { randomUUID } from 'node:crypto';
import { checkedStore } from '../api/collection/checked-store.ts';
import { type CollectionLimits, RepresentedCollection } from '../api/collection/represented-collection.ts';
import type { Store } from '../api/collection/store.ts';
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import type { Plugin } from '../host/plugin.ts';
import { assertOptions } from '../http/options/assert-options.ts';
import { todoController } from './todo-controller.ts';
import { type ModelVariant, type TodoItem, type TodoSchema, todoSchema } from './todo-item.ts';

/** `camelCase`, `base`, items in memory without limits, and random UUIDs unless given. */
export interface TodoOptions<Items extends Store<TodoItem> = Store<TodoItem>> extends CollectionLimits {
  readonly naming?: PropertyNaming;
  readonly model?: ModelVariant;
  /** Where the items are kept instead. It has its own limits, and nothing is added to it, not even `Item1` (D76). */
  readonly store?: Items;
  /** Makes the key of each new item; `Item1` has a random one in any case. */
  readonly newKey?: () => string;
}

/** The plugin, and its store for gauges of its size. */
export function todo<Items extends Store<TodoItem> = RepresentedCollection<TodoSchema>>(
  options: TodoOptions<Items> = {},
): Plugin & { readonly store: Items } {
  assertOptions('make the to-do plugin', options, ['naming', 'model', 'store', 'newKey', 'maxItems', 'maxBytes']);
  const { naming = 'camelCase', model = 'base', store: given, newKey = randomUUID, ...limits } = options;
  const schema = todoSchema(model);
  const store = given ?? new RepresentedCollection(schema, naming, limits);
  if (given === undefined) {
    const key = randomUUID();
    void store.add(key, { key, name: 'Item1', isComplete: false });
  }
  const checked = given === undefined ? store : checkedStore(given);
  return { name: 'todo', controllers: [todoController(checked, schema, naming, newKey)], store: store as Items };
}
