/** Chooses where the service keeps its items (`--store`), and makes the to-do plugin over it. */
import type { Plugin } from '../core/application/plugin.ts';
import type { Store } from '../extensions/collection/collection.ts';
import type { StoreWatch } from '../extensions/collection/lasting-store.ts';
import { redisLocation } from '../extensions/redis/redis-location.ts';
import { type TodoItem, todo, todoSchema } from '../extensions/todo/todo.ts';
import { storeBudget } from './memory-budgets.ts';
import type { Settings } from './settings/settings.ts';
import { isInRedis } from './store-place.ts';

/** What can be told of a store at once. */
export interface StoreFigures {
  readonly size?: number;
  readonly bytes?: number;
  readonly limit?: number;
  readonly refusals?: number;
  readonly up?: boolean;
  readonly reconnections?: number;
}

/** The plugin, its store, and what tells whether it can be reached. */
export interface ItemPlugin {
  readonly plugin: Plugin;
  readonly store: Store<TodoItem> & StoreFigures;
  /** Throws, or rejects with, an `HttpProblem` of 503 where items cannot be reached. */
  check(): void | Promise<void>;
}

/** The plugin for the place that the settings name. A store is loaded where it is chosen. */
export async function itemPlugin(settings: Settings, watch?: StoreWatch): Promise<ItemPlugin> {
  const { store: place, propertyNaming: naming, model, maxItems } = settings;
  if (place === 'memory') {
    const plugin = todo({ naming, model, maxItems, maxBytes: settings.maxStoreBytes ?? storeBudget() });
    return { plugin, store: plugin.store, check: () => {} };
  }
  const { maxStoreBytes: maxBytes, storeTimeout: timeout, storeWait: wait } = settings;
  const schema = todoSchema(model);
  if (isInRedis(place)) {
    const { RedisStore } = await import('../extensions/redis/redis-store.ts');
    const store = new RedisStore(schema, { url: place, naming, maxItems, timeout, wait, watch });
    return { plugin: todo({ naming, model, store }), store, check: () => store.check() };
  }
  const { SqliteStore } = await import('../extensions/sqlite/sqlite-store.ts');
  const limits = { maxItems, ...(maxBytes !== undefined && { maxBytes }) };
  const store = new SqliteStore(schema, { file: place, naming, watch, ...limits });
  return { plugin: todo({ naming, model, store }), store, check: () => store.check() };
}

/** Rejects with a `StoreError` for a place that is not as a store needs it. Opens, makes and connects nothing. */
export async function assertPlace(place: string): Promise<void> {
  if (place === 'memory') return;
  if (isInRedis(place)) (await import('../extensions/redis/redis-client.ts')).assertRedis(redisLocation(place));
  else (await import('../extensions/sqlite/database-file.ts')).assertStoreFile(place);
}
