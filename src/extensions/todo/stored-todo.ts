/** Makes the members of the to-do plugin that a store outside of the process needs (D76). */

import type { AddedResponses, Controller, Plugin } from '../../index.ts';
import type { Store } from '../collection/collection.ts';
import type { TodoItem } from './todo-item.ts';

/** Opens the store, adds the first item if it is new, and closes it; declares what the store answers. */
export function storeMembers(
  store: Store<TodoItem>,
  controller: Controller,
  first: TodoItem & { readonly key: string },
): Required<Pick<Plugin, 'responses' | 'start' | 'stop'>> {
  const responses: AddedResponses = ({ operation }) =>
    controller.operations.includes(operation) ? (store.responses?.(operation.method) ?? {}) : {};
  return {
    responses,
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
  };
}
