/** Items in a cluster: through any node, and while nodes are down (D85). */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { StoreError } from '../../../src/plugins/collection/store-error.ts';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { ask } from '../../support/ask.ts';
import { type EngineCluster, startCluster } from '../../support/engine-cluster.ts';
import { ENGINES, noEngine, redis, workBesideClient } from '../../support/lasting-stores.ts';
import { isLong } from '../../support/long-run.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serve, takeMessages } from '../../support/serve.ts';
import { storeConformance } from '../../support/store-conformance.ts';
import { until } from '../../support/until.ts';

type Items = RedisStore<ReturnType<typeof todoSchema>>;

const LIST = { target: '/api/todo' };
const POST = { method: 'POST', ...LIST, headers: { 'Content-Type': 'application/json' }, body: '{"name":"New"}' };

for (const engine of ENGINES)
  describe(`D85 – a cluster of ${engine}`, { skip: noEngine(engine) }, () => {
    let cluster: EngineCluster;
    const stores: Items[] = [];
    const lists = new WeakMap<object, string>();
    let turn = 0;
    before(async () => {
      workBesideClient();
      // Written data survives a killed process, even if it is not on the disk yet.
      cluster = await startCluster(engine, 3, '--appendfsync', 'everysec');
    });
    // Each store has connections to every node: eighty open stores take minutes.
    afterEach(() => {
      for (const store of stores.splice(0)) store.close();
    });
    after(() => cluster?.stop());

    /** Opens a store through another node each time. */
    async function opened(list = `cluster${turn}`): Promise<Items> {
      const node = cluster.nodes[turn++ % cluster.nodes.length]!;
      const store = new RedisStore(todoSchema(), { url: cluster.url(list, node), redis: redis() });
      await store.open();
      stores.push(store);
      lists.set(store, list);
      return store;
    }

    // Each test creates a client of the cluster, which takes a third of a second.
    if (isLong)
      storeConformance({
        name: `a cluster of ${engine}`,
        make: () => opened(),
        again: (store) => opened(lists.get(store)!),
      });

    test('D85 – the service through each of three nodes → the same list', async (t) => {
      // Three services and three nodes start on what may be a slow machine; a warning of the wait would fail the test.
      const nodes = cluster.nodes.map((node) => ({ store: cluster.url('same', node), storeTimeout: 30_000 }));
      const served = await Promise.all(nodes.map((settings) => serve(t, settings)));
      for (const { port } of served) assert.equal((await ask(port, POST)).status, 201);
      const texts = await Promise.all(served.map(async ({ port }) => (await ask(port, LIST)).text));
      assert.equal(new Set(texts).size, 1);
      assert.equal(JSON.parse(texts[0]!).length, 4);
    });

    test('D85 – a node that does not have the list, named as a server of its own → exit code 2, the remedy', () => {
      const owner = cluster.ownerOf('single');
      const node = cluster.nodes.find((one) => one !== owner)!;
      const store = new RedisStore(todoSchema(), { url: node.url('single'), redis: redis() });
      return assert.rejects(
        async () => store.open(),
        (error) =>
          error instanceof StoreError &&
          !error.isTemporary &&
          /the server is a node of a cluster \(MOVED .+\); give redis-cluster:/.test(error.message),
      );
    });

    test('D85 – the slot of the list moves to another node → the service follows', async (t) => {
      const list = 'moving';
      const from = cluster.ownerOf(list);
      const to = cluster.nodes.find((node) => node !== from)!;
      const { port } = await serve(t, { store: cluster.url(list, to) });
      assert.equal((await ask(port, POST)).status, 201);
      const slot = from.command('CLUSTER', 'KEYSLOT', `{${list}}`);
      const [fromId, toId] = [from.command('CLUSTER', 'MYID'), to.command('CLUSTER', 'MYID')];
      to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
      from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
      const keys = ['items', 'order', 'list'].map((part) => `{${list}}:${part}`);
      from.command('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...keys);
      for (const node of [to, from]) node.command('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
      assert.equal((await ask(port, LIST)).json().length, 2);
      assert.equal((await ask(port, POST)).status, 201);
      assert.equal((await ask(port, LIST)).json().length, 3);
      assert.equal(to.command('HLEN', keys[0]!), '3');
    });

    test('D85 – a node is killed that does not have the list → works; the one that has it → 503, then back', async (t) => {
      const list = 'killed';
      const owner = cluster.ownerOf(list);
      const [other, third] = cluster.nodes.filter((node) => node !== owner);
      const settings = { storeTimeout: 2000, healthChecks: true };
      const { port } = await serve(t, { store: cluster.url(list, third!), ...settings });
      assert.equal((await ask(port, POST)).status, 201);
      await other!.kill();
      for (let times = 0; times < 20; times++) assert.equal((await ask(port, LIST)).status, 200);
      assert.equal((await ask(port, POST)).status, 201);
      await until(() => / \S*fail\b(?!\?)/.test(owner.command('CLUSTER', 'NODES')), 'the loss is known', 20_000, 100);
      assert.equal((await ask(port, POST)).status, 201);
      await other!.restart();
      await cluster.settled();

      await owner.kill();
      const answer = await ask(port, LIST);
      assertProblem(answer, 503);
      assert.equal(answer.headers['retry-after'], '2');
      assertProblem(await ask(port, { target: '/ready' }), 503);
      assert.equal((await ask(port, { target: '/health' })).status, 200);
      await owner.restart();
      await cluster.settled();
      await until(async () => (await ask(port, { target: '/ready' })).status === 200, 'ready again', 20_000);
      assert.equal((await ask(port, LIST)).json().length, 4);
      const messages = takeMessages();
      for (const message of messages) assert.match(message, /(?:cannot be reached: .+|is reached again)$/);
      assert.ok(messages.length >= 2 && messages.length <= 4, messages.join('\n'));
      assert.match(messages.at(-1)!, /is reached again$/);
    });

    test('D85 – a node in the URL is down → works through the other nodes, also at a start', async (t) => {
      const list = 'entry';
      const owner = cluster.ownerOf(list);
      const entry = cluster.nodes.find((node) => node !== owner)!;
      const { port } = await serve(t, { store: cluster.url(list, entry), storeTimeout: 2000 });
      await entry.kill();
      assert.equal((await ask(port, POST)).status, 201);
      const later = await serve(t, { store: cluster.url(list, entry, owner), storeTimeout: 2000 });
      assert.equal((await ask(later.port, LIST)).json().length, 2);
      await entry.restart();
      await cluster.settled();
      logged.splice(0);
    });
  });
