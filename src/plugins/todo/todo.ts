/** Creates the to-do plugin with its controller and its store, which has one item at the first start (§1, D12). */
import { randomUUID } from 'node:crypto';
import { type Plugin, PluginError } from '../../core/application/plugin.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Route } from '../../core/routing/route.ts';
import { type Controller, operationOf } from '../../operations/operation/controller.ts';
import { routesOf } from '../../operations/routes/operation-routes.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import { RepresentedCollection, type Store } from '../collection/collection.ts';
import type { CollectionLimits } from '../collection/represented-collection.ts';
import { checkedStore } from '../collection/store.ts';
import { todoController } from './todo-controller.ts';
import { type ModelVariant, type TodoItem, type TodoSchema, todoSchema } from './todo-item.ts';

export { type TodoItem, type TodoSchema, todoSchema } from './todo-item.ts';

/** Options of `todo`. Defaults: `camelCase`, `base`, items in memory without limits, and random UUIDs. */
interface TodoOptions<Items extends Store<TodoItem> = Store<TodoItem>> extends CollectionLimits {
  /** The naming of the properties in the stored texts. It must equal the naming of `operations(…)`. */
  readonly naming?: PropertyNaming | undefined;
  readonly model?: ModelVariant | undefined;
  /**
   * A custom store, to which `maxItems` and `maxBytes` do not apply. If the store has a method `seed`, this method adds
   * `Item1` to a new store (D76).
   */
  readonly store?: Items | undefined;
  /** Returns the key of a new item. Default: a random UUID. `Item1` always has a random key. */
  readonly newKey?: (() => string) | undefined;
}

/**
 * Returns the plugin. Its member `store` gives access to the store, for example to measure the size. All applications
 * and mounts with the plugin share the store, and the last of them that stops closes it. For a second list, call `todo`
 * again.
 */
export function todo<Items extends Store<TodoItem> = RepresentedCollection<TodoSchema>>(
  options: TodoOptions<Items> = {},
): Plugin & { readonly store: Items } {
  assertOptions('make the to-do plugin', options, ['naming', 'model', 'store', 'newKey', 'maxItems', 'maxBytes']);
  const { naming = 'camelCase', model = 'base', store: customStore, newKey = randomUUID, ...limits } = options;
  const schema = todoSchema(model);
  const first = { key: randomUUID(), name: 'Item1', isComplete: false };
  const isInMemory = customStore === undefined;
  const store: Store<TodoItem> = isInMemory ? new RepresentedCollection(schema, naming, limits) : customStore;
  if (isInMemory) store.add(first.key, first);
  const items = isInMemory ? store : checkedStore(store);
  const controller = todoController(items, schema, naming, newKey, !isInMemory);
  let users = 0;
  const stop = async (): Promise<void> => {
    users -= 1;
    if (users === 0) await store.close?.();
  };
  return {
    name: 'todo',
    routes: routesOf(controller),
    composed: (routes) => assertNaming(routes, controller, naming),
    async start() {
      users += 1;
      try {
        await store.open?.();
        await store.seed?.(first.key, first);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    store: store as Items,
  };
}

/** Throws if the naming of the operations differs from `naming`: the description would not have the stored names. */
function assertNaming(routes: Iterable<Route>, controller: Controller, naming: PropertyNaming): void {
  const other = [...routes].map(operationOf).find((meta) => meta?.controller === controller && meta.naming !== naming);
  if (other === undefined) return;
  const remedy = `use todo({ naming: '${other.naming}' }), and the same naming for its store`;
  const fault = `its items are in ${naming}, its operations in ${other.naming}; ${remedy}`;
  throw new PluginError('Cannot add the plugin', 'todo', fault);
}
