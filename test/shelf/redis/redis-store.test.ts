/** The tests of every store, on Redis and Valkey if the machine has them, through clients that the tests have made. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { storeConformance } from '../../../src/testing.ts';
import { ENGINES, noEngine, type RunningEngine, redis, startEngine } from '../../support/lasting-stores.ts';
import { todoItem } from '../../support/todo-item.ts';
import { until } from '../../support/until.ts';

type Items = RedisStore<ReturnType<typeof todoSchema>>;
type Client = ReturnType<ReturnType<typeof redis>['createClient']>;

for (const engine of ENGINES)
  describe(`D84 – items in ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    let client: Client;
    const lists = new WeakMap<object, string>();
    let count = 0;

    before(async () => {
      running = await startEngine(engine, '--appendonly', 'no');
      client = redis().createClient({ url: running.url() });
      await client.connect();
    });
    after(async () => {
      client?.destroy();
      await running?.stop();
    });

    async function opened(list = `list${count++}`): Promise<Items> {
      const store = new RedisStore(todoSchema(), { client, list });
      await store.open();
      lists.set(store, list);
      return store;
    }

    storeConformance({ name: engine, make: () => opened(), again: (store) => opened(lists.get(store)!) });

    test('D113 – a client of createCluster → the store works, and leaves the client open when it closes', async (t) => {
      const node = await startEngine(engine, '--cluster-enabled', 'yes', '--appendonly', 'no');
      t.after(() => node.stop());
      node.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      await until(
        () => node.command('CLUSTER', 'INFO').includes('cluster_state:ok'),
        'the cluster is whole',
        20_000,
        100,
      );
      const cluster = redis().createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${node.port}` }] });
      cluster.on('error', () => {});
      await cluster.connect();
      t.after(() => cluster.destroy());
      const store = new RedisStore(todoSchema(), { client: cluster, list: 'kept' });
      await store.open();
      const item = todoItem({ key: 'a', name: 'A' });
      const { version } = await store.add('a', item);
      assert.ok((await store.list()).version);
      assert.ok((await store.replace('a', { ...item, name: 'B' }, version)) !== undefined);
      assert.match((await store.get('a'))!.body, /"B"/);
      await store.check();
      store.close();
      assert.match(String(await cluster.hGet('{kept}:items', 'a')), /"B"/);
    });
  });
