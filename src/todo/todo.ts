/** Makes the to-do plugin: a collection with the one item of the start (§1, D12), and its controller. */
import { randomUUID } from 'node:crypto';
import { type CollectionLimits, RepresentedCollection } from '../api/collection/represented-collection.ts';
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import type { Plugin } from '../host/plugin.ts';
import { todoController } from './todo-controller.ts';
import { type ModelVariant, type TodoSchema, todoSchema } from './todo-item.ts';

/** `camelCase`, `base` and no limits unless given. */
export interface TodoOptions extends CollectionLimits {
  readonly naming?: PropertyNaming;
  readonly model?: ModelVariant;
}

/** The plugin, and its collection for gauges of its size. */
export function todo(options: TodoOptions = {}): Plugin & { readonly store: RepresentedCollection<TodoSchema> } {
  const { naming = 'camelCase', model = 'base', ...limits } = options;
  const schema = todoSchema(model);
  const store = new RepresentedCollection(schema, naming, limits);
  const key = randomUUID();
  store.add(key, { key, name: 'Item1', isComplete: false });
  return { name: 'todo', controllers: [todoController(store, schema, naming)], store };
}
