/** Stores items in Redis or Valkey, for any number of processes on any number of machines. */
import { assertOptions } from '../../extending.ts';
import type { PropertyNaming, Schema } from '../../index.ts';
import { LastingStore, type StoreWatch } from '../../plugins/collection/lasting-store.ts';
import type { RedisClient } from './redis-client.ts';
import { redisList } from './redis-list.ts';
import { locationOf, redisLocation } from './redis-location.ts';

/** Options of a `RedisStore`: either `url` or `client`. */
interface RedisStoreOptions {
  /**
   * The URL of the list: `redis://user:password@host:6379/0?list=todo`. Write `rediss` instead of `redis` for TLS. The
   * default list is `todo`.
   */
  readonly url?: string | undefined;
  /**
   * A connected client of the package `redis`, made by `createClient`, `createCluster` or `createSentinel`. The store
   * does not close it. Use it for a cluster, for sentinels, and in a bundled program.
   */
  readonly client?: RedisClient | undefined;
  /** The name of the list that `client` reaches. Default: `todo`. */
  readonly list?: string | undefined;
  /** The naming of properties in replies. Default: `camelCase`. Redis always stores the names of the schema. */
  readonly naming?: PropertyNaming | undefined;
  /** The time limit of one command, in milliseconds. After it, the client gets a 503. Default: 2,000. */
  readonly timeout?: number | undefined;
  /** The time limit for reaching the server at the start, in milliseconds; 0 for one attempt. Default: 10,000. */
  readonly wait?: number | undefined;
  /** The most items. Default: no limit. */
  readonly maxItems?: number | undefined;
  /** Called after each access to Redis, with its duration. */
  readonly watch?: StoreWatch | undefined;
}

/**
 * A store in one Redis list. The constructor throws a `StoreError` if the URL or the name of the list is invalid.
 * `open` rejects with a `StoreError` if the package `redis` is not installed or the server cannot be reached.
 *
 *     application([todo({ store: new RedisStore(todoSchema(), { url: 'redis://localhost' }) })]);
 */
export class RedisStore<S extends Schema & { readonly type: 'object' }> extends LastingStore<S> {
  constructor(schema: S, options: RedisStoreOptions) {
    const names = ['url', 'client', 'list', 'naming', 'timeout', 'wait', 'maxItems', 'watch'] as const;
    assertOptions('keep items in Redis', options, names);
    const {
      url,
      client,
      list = 'todo',
      naming = 'camelCase',
      timeout = 2000,
      wait = 10_000,
      maxItems,
      watch,
    } = options;
    const location = client === undefined ? redisLocation(url ?? '') : locationOf(list);
    super(redisList(location, { timeout, wait }, maxItems, client), schema, naming, location.what, watch);
  }
}
