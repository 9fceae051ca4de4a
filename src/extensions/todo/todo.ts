/** Makes the to-do plugin: a store with the one item of the start (§1, D12), and its controller. */
import { randomUUID } from 'node:crypto';
import { assertOptions } from '../../extending.ts';
import type { Plugin } from '../../index.ts';
import type { PropertyNaming } from '../../operations.ts';
import { type CollectionLimits, checkedStore, RepresentedCollection, type Store } from '../collection/collection.ts';
import { type ModelVariant, type TodoItem, type TodoSchema, todoController, todoSchema } from './todo-controller.ts';

export { type TodoItem, type TodoSchema, todoSchema } from './todo-controller.ts';

/** `camelCase`, `base`, items in memory without limits, and random UUIDs unless given. */
export interface TodoOptions<Items extends Store<TodoItem> = Store<TodoItem>> extends CollectionLimits {
  readonly naming?: PropertyNaming | undefined;
  readonly model?: ModelVariant | undefined;
  /** Where the items are kept instead. It has its own limits; `Item1` is added if it is new and has `seed` (D76). */
  readonly store?: Items | undefined;
  /** Makes the key of each new item; `Item1` has a random one in any case. */
  readonly newKey?: (() => string) | undefined;
}

/** The plugin, and its store for gauges of its size. */
export function todo<Items extends Store<TodoItem> = RepresentedCollection<TodoSchema>>(
  options: TodoOptions<Items> = {},
): Plugin & { readonly store: Items } {
  assertOptions('make the to-do plugin', options, ['naming', 'model', 'store', 'newKey', 'maxItems', 'maxBytes']);
  const { naming = 'camelCase', model = 'base', store: given, newKey = randomUUID, ...limits } = options;
  const schema = todoSchema(model);
  const first = { key: randomUUID(), name: 'Item1', isComplete: false };
  if (given === undefined) {
    const store = new RepresentedCollection(schema, naming, limits);
    store.add(first.key, first);
    const controllers = [todoController(store, schema, naming, newKey, false)];
    return { name: 'todo', controllers, store: store as Store<TodoItem> as Items };
  }
  const controller = todoController(checkedStore(given), schema, naming, newKey, true);
  return {
    name: 'todo',
    controllers: [controller],
    responses: ({ operation }) =>
      controller.operations.includes(operation) ? (given.responses?.(operation.method) ?? {}) : {},
    async start() {
      await given.open?.();
      try {
        await given.seed?.(first.key, first);
      } catch (error) {
        await given.close?.();
        throw error;
      }
    },
    stop: () => given.close?.(),
    store: given,
  };
}
