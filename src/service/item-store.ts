/** Creates the store that `--store` names, and the to-do plugin that uses it. */
import type { Plugin } from '../core/application/plugin.ts';
import type { Store } from '../plugins/collection/collection.ts';
import type { StoreWatch } from '../plugins/collection/lasting-store.ts';
import { type TodoItem, todo, todoSchema } from '../plugins/todo/todo.ts';
import { storeBudget } from './memory-budgets.ts';
import { quoted } from './quoted.ts';
import type { Settings } from './settings/settings.ts';
import { isInRedis } from './store-place.ts';

/** The figures of a store for the metrics. Reading them sends no request to a database. */
export interface StoreFigures {
  readonly size?: number;
  readonly bytes?: number;
  readonly limit?: number;
  readonly refusals?: number;
  readonly up?: boolean;
  readonly reconnections?: number;
  readonly found?: number | undefined;
}

export type ItemStore = Store<TodoItem> & StoreFigures;
type ItemPlugin = Plugin & { readonly store: ItemStore };

/**
 * Returns whether the last call has reached the store; undefined for items in memory. Begins a check and does not wait
 * for it, because a store that hangs must not delay a probe. The next call then knows a loss that no request has found.
 */
export function isReached(store: ItemStore): boolean | undefined {
  const check = async (): Promise<void> => store.check?.();
  // The store itself logs the loss.
  check().catch(() => {});
  return store.up;
}

/** Resolves to the plugin with the store that the settings name. Loads only the code of this store. */
export async function itemPlugin(settings: Settings, watch?: StoreWatch): Promise<ItemPlugin> {
  const { store: place, propertyNaming: naming, model, maxItems } = settings;
  if (place === 'memory') return todo({ naming, model, maxItems, maxBytes: settings.maxStoreBytes ?? storeBudget() });
  const { maxStoreBytes: maxBytes, storeTimeout: timeout, storeWait: wait } = settings;
  const schema = todoSchema(model);
  if (isInRedis(place)) {
    const { RedisStore } = await import('../shelf/redis/redis-store.ts');
    return todo({
      naming,
      model,
      store: new RedisStore(schema, { url: place, naming, maxItems, timeout, wait, watch }),
    });
  }
  const { SqliteStore } = await import('../shelf/sqlite/sqlite-store.ts');
  const limits = { maxItems, ...(maxBytes !== undefined && { maxBytes }) };
  return todo({ naming, model, store: new SqliteStore(schema, { file: place, naming, watch, ...limits }) });
}

/** Describes where the items are, and whether the opened store was new, for the lines of the start. */
export async function describedStore(place: string, { found }: StoreFigures): Promise<string> {
  if (place === 'memory') return 'in memory, lost at a restart';
  const { redisLocation } = isInRedis(place) ? await import('../shelf/redis/redis-location.ts') : {};
  const what = redisLocation?.(place).what ?? quoted(place);
  return `${what}, ${found === undefined ? 'new' : `${found} ${found === 1 ? 'item' : 'items'}`}`;
}

/** Rejects with a `StoreError` if a store cannot work at this place. Does not open, create or connect to the store. */
export async function assertPlace(place: string): Promise<void> {
  if (place === 'memory') return;
  if (isInRedis(place)) (await import('../shelf/redis/redis-client.ts')).assertRedis(place);
  else (await import('../shelf/sqlite/database-file.ts')).assertStoreFile(place);
}
