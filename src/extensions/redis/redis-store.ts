/** Keeps items in Redis or Valkey, for any number of processes on any number of machines. */
import { assertOptions } from '../../core/options/assert-options.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import type { Schema } from '../../operations/schema/schema.ts';
import { LastingStore, type StoreWatch } from '../collection/lasting-store.ts';
import { UNREACHABLE } from '../collection/store-error.ts';
import type { RedisPackage } from './redis-client.ts';
import { redisList } from './redis-list.ts';
import { redisLocation } from './redis-location.ts';

/** Where the items are, and how long an operation may take. */
interface RedisStoreOptions {
  /**
   * `redis://user:password@host:6379/0?list=todo`; `redis-cluster://one,two` for a cluster, by some of its nodes;
   * `redis-sentinel://one,two/0?master=mymaster` for a server that sentinels know. `rediss` in place of `redis` is TLS,
   * with `?cert=FILE&key=FILE` for a certificate of the client. The name of the list is `todo` unless given.
   */
  readonly url: string;
  /** The names of properties in JSON; `camelCase` unless given. Redis has those of the schema. */
  readonly naming?: PropertyNaming | undefined;
  /** Milliseconds for one operation, 503 afterwards; 2,000 unless given. */
  readonly timeout?: number | undefined;
  /** Milliseconds in which the server must be reached at the start; 10,000 unless given, 0 for one try. */
  readonly wait?: number | undefined;
  /** Without limit unless given. */
  readonly maxItems?: number | undefined;
  /** The package `redis`, for a program that is bundled. Unless given, it is looked for. */
  readonly redis?: RedisPackage | undefined;
  /** Is told of each operation once it has ended, to measure it. */
  readonly watch?: StoreWatch | undefined;
}

/**
 * The store of one list. Throws a `TypeError` for a URL that is not one of Redis. `open` rejects with a `StoreError`
 * where the package `redis` is not installed or the server cannot be reached.
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
