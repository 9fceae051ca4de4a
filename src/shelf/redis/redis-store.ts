/** Stores items in Redis or Valkey, for any number of processes on any number of machines. */
import { assertOptions } from '../../core/options/assert-options.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { LastingStore, type StoreWatch } from '../../plugins/collection/lasting-store.ts';
import { UNREACHABLE } from '../../plugins/collection/store-error.ts';
import type { RedisPackage } from './redis-client.ts';
import { redisList } from './redis-list.ts';
import { redisLocation } from './redis-location.ts';

/** Options of a `RedisStore`. */
interface RedisStoreOptions {
  /**
   * The URL of the list: `redis://user:password@host:6379/0?list=todo`. For a cluster, give some of its nodes:
   * `redis-cluster://one,two`. For sentinels: `redis-sentinel://one,two/0?master=mymaster`. Write `rediss` instead of
   * `redis` for TLS; add `?cert=FILE&key=FILE` for a client certificate. The default list is `todo`.
   */
  readonly url: string;
  /** The naming of properties in replies. Default: `camelCase`. Redis always stores the names of the schema. */
  readonly naming?: PropertyNaming | undefined;
  /** The time limit of one command, in milliseconds. After it, the client gets a 503. Default: 2,000. */
  readonly timeout?: number | undefined;
  /** The time limit for reaching the server at the start, in milliseconds; 0 for one attempt. Default: 10,000. */
  readonly wait?: number | undefined;
  /** The most items. Default: no limit. */
  readonly maxItems?: number | undefined;
  /** The package `redis`; pass it in a bundled program. Default: the store loads the package at the start. */
  readonly redis?: RedisPackage | undefined;
  /** Called after each access to Redis, with its duration. */
  readonly watch?: StoreWatch | undefined;
}

/**
 * A store in one Redis list. The constructor throws a `TypeError` if the URL is invalid. `open` rejects with a
 * `StoreError` if the package `redis` is not installed or the server cannot be reached.
 *
 *     application([todo({ store: new RedisStore(todoSchema(), { url: 'redis://localhost' }) })]);
 */
export class RedisStore<S extends Schema & { readonly type: 'object' }> extends LastingStore<S> {
  readonly responses = () => UNREACHABLE;

  constructor(schema: S, options: RedisStoreOptions) {
    assertOptions('keep items in Redis', options, ['url', 'naming', 'timeout', 'wait', 'maxItems', 'redis', 'watch']);
    const { url, naming = 'camelCase', timeout = 2000, wait = 10_000, maxItems, redis, watch } = options;
    const location = redisLocation(url);
    super(redisList(location, { timeout, wait }, maxItems, redis), schema, naming, location.what, watch);
  }
}
