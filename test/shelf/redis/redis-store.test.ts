/** The tests of every store, run on Redis and Valkey if the machine has them. */
import { after, before, describe } from 'node:test';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { ENGINES, noEngine, type RunningEngine, redis, startEngine } from '../../support/lasting-stores.ts';
import { storeConformance } from '../../support/store-conformance.ts';

type RedisStoreOptions = ConstructorParameters<typeof RedisStore>[1];

type Items = RedisStore<ReturnType<typeof todoSchema>>;

for (const engine of ENGINES)
  describe(`D84 – items in ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    const urls = new WeakMap<object, string>();
    const stores: Items[] = [];

    before(async () => {
      running = await startEngine(engine, '--appendonly', 'no');
    });
    after(async () => {
      for (const store of stores) store.close();
      await running?.stop();
    });

    async function opened(options: Partial<RedisStoreOptions> = {}): Promise<Items> {
      const url = options.url ?? running.url();
      const store = new RedisStore(todoSchema(), { redis: redis(), ...options, url });
      await store.open();
      urls.set(store, url);
      stores.push(store);
      return store;
    }

    storeConformance({ name: engine, make: opened, again: (store) => opened({ url: urls.get(store)! }) });
  });
