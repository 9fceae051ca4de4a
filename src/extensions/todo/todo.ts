/** Makes the to-do plugin: a store with the one item of the start (§1, D12), and its controller. */
import { randomUUID } from 'node:crypto';
import { type Plugin, PluginError } from '../../core/application/plugin.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Route } from '../../core/routing/route.ts';
import { type Controller, operationOf } from '../../operations/operation/controller.ts';
import { addedResponses } from '../../operations/operations.ts';
import { routesOf } from '../../operations/routes/operation-routes.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import { RepresentedCollection, type Store } from '../collection/collection.ts';
import type { CollectionLimits } from '../collection/represented-collection.ts';
import { checkedStore } from '../collection/store.ts';
import { todoController } from './todo-controller.ts';
import { type ModelVariant, type TodoItem, type TodoSchema, todoSchema } from './todo-item.ts';

export { type TodoItem, type TodoSchema, todoSchema } from './todo-item.ts';

/** `camelCase`, `base`, items in memory without limits, and random UUIDs unless given. */
interface TodoOptions<Items extends Store<TodoItem> = Store<TodoItem>> extends CollectionLimits {
  /** That of `operations(…)`: the texts that are kept are in it. */
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
  const isInMemory = given === undefined;
  const store: Store<TodoItem> = isInMemory ? new RepresentedCollection(schema, naming, limits) : given;
  if (isInMemory) store.add(first.key, first);
  const items = isInMemory ? store : checkedStore(store);
  const controller = todoController(items, schema, naming, newKey, !isInMemory);
  return {
    name: 'todo',
    routes: routesOf(controller),
    composed: (routes) => assertNaming(routes, controller, naming),
    offers: [
      addedResponses.of(({ operation }) =>
        controller.operations.includes(operation) ? (store.responses?.(operation.method) ?? {}) : {},
      ),
    ],
    async start() {
      await store.open?.();
      try {
        await store.seed?.(first.key, first);
      } catch (error) {
        await store.close?.();
        throw error;
      }
    },
    stop: () => store.close?.(),
    store: store as Items,
  };
}

/** Throws for operations of another naming, which would describe other names than those of the items that are kept. */
function assertNaming(routes: Iterable<Route>, controller: Controller, naming: PropertyNaming): void {
  const other = [...routes].map(operationOf).find((one) => one?.controller === controller && one.naming !== naming);
  if (other === undefined) return;
  const remedy = `give todo({ naming: '${other.naming}' }), and its store the same`;
  const fault = `its items are ${naming}, its operations ${other.naming}; ${remedy}`;
  throw new PluginError('Cannot add the plugin', 'todo', fault);
}
