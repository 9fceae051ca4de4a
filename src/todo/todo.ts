/** The to-do items as a plugin: a store with the one item that is there at the start (§1, D12), and its controller. */
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import { serializer } from '../api/schema/serialize.ts';
import type { Plugin } from '../host/plugin.ts';
import { todoController } from './todo-controller.ts';
import { type ModelVariant, todoItem } from './todo-item.ts';
import { type StoreLimits, TodoStore } from './todo-store.ts';

/** What may be told; `camelCase`, `base` and no limit unless given. */
export interface TodoOptions extends StoreLimits {
  readonly naming?: PropertyNaming;
  readonly model?: ModelVariant;
}

/** The plugin, and its store for whoever wants to measure it. */
export function todo({
  naming = 'camelCase',
  model = 'base',
  ...limits
}: TodoOptions = {}): Plugin & { readonly store: TodoStore } {
  const store = new TodoStore(serializer(todoItem(model), naming), limits);
  store.add({ name: 'Item1', isComplete: false });
  return { name: 'todo', controllers: [todoController(store, model, naming)], store };
}
