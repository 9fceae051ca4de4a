/** Chooses where the service keeps its items (`--store`), and makes the to-do plugin over it. */
import type { Plugin } from '../core/application/plugin.ts';
import { copyItems } from '../extensions/collection/lasting-store.ts';
import type { Store } from '../extensions/collection/store.ts';
import type { Gauge } from '../extensions/metrics/metrics.ts';
import { fillList, itemsOfList } from '../extensions/redis/redis-list.ts';
import { RedisStore } from '../extensions/redis/redis-store.ts';

import { SqliteStore } from '../extensions/sqlite/sqlite-store.ts';
import { fillFile, itemsOfFile } from '../extensions/sqlite/store-file.ts';
import { type TodoItem, todo, todoSchema } from '../extensions/todo/todo.ts';
import type { Settings } from './settings/settings.ts';
import { isInRedis } from './store-place.ts';

/** The plugin, the figures of its store, and what tells whether it can be reached. */
export interface ItemPlugin {
  readonly plugin: Plugin;
  readonly store: Store<TodoItem>;
  readonly gauges: readonly Gauge[];
  /** Throws, or rejects with, an `HttpProblem` of 503 where items cannot be reached. */
  check(): void | Promise<void>;
}

/** The plugin for the place that the settings name. */
export function itemPlugin(settings: Settings): ItemPlugin {
  const { store: place, propertyNaming: naming, model, maxItems } = settings;
  if (place === 'memory') {
    const plugin = todo({ naming, model, maxItems, maxBytes: settings.maxStoreBytes ?? quarterOfHeap });
    const bytes = { name: 'todo_store_bytes', help: 'Memory that the items take', read: () => plugin.store.bytes };
    return { plugin, store: plugin.store, gauges: [itemsGauge(plugin.store), bytes], check: () => {} };
  }
  const { maxStoreBytes: maxBytes, storeSync: synchronous, storeTimeout: timeout, storeWait: wait } = settings;
  const schema = todoSchema(model);
  const store = isInRedis(place)
    ? new RedisStore(schema, { url: place, naming, maxItems, timeout, wait })
    : new SqliteStore(schema, {
        file: place,
        naming,
        synchronous,
        maxItems,
        ...(maxBytes !== undefined && { maxBytes }),
      });
  const gauges = store instanceof SqliteStore ? [itemsGauge(store)] : [];
  return { plugin: todo({ naming, model, store }), store, gauges, check: () => store.check() };
}

/** Copies the items of one place to another, and returns their number. Rejects with a `StoreError`. */
export function copyStore(from: string, to: string, settings: Settings): Promise<number> {
  const { maxItems, maxStoreBytes: maxBytes, storeSync, storeTimeout: timeout, storeWait: wait } = settings;
  const times = { timeout, wait };
  return copyItems(isInRedis(from) ? itemsOfList(from, times) : itemsOfFile(from), (items) =>
    isInRedis(to) ? fillList(to, times, maxItems, items) : fillFile(to, storeSync, { maxItems, maxBytes }, items),
  );
}

const itemsGauge = (store: { readonly size: number }): Gauge => ({
  name: 'todo_store_items',
  help: 'Items in the store',
  read: () => store.size,
});

/** What the heap limit has for new objects: three half spaces of 16 MiB, unless Node is told otherwise. */
const NEW_OBJECTS = 48 * 2 ** 20;

/**
 * The default of `--max-store-bytes`: a quarter of the heap of this process in which items live, in bytes. The store
 * calls it when it needs the number: reading the heap statistics takes longer than reading all settings.
 */
export function quarterOfHeap(): number {
  const { heap_size_limit: limit } = process.getBuiltinModule('node:v8').getHeapStatistics();
  return Math.floor(Math.max(limit - NEW_OBJECTS, limit / 2) / 4);
}
