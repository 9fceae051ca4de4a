/** Items in a Redis whose place sentinels tell: a failover, and sentinels that cannot help (D113). */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { StoreError } from '../../../src/extensions/collection/store-error.ts';
import { RedisStore } from '../../../src/extensions/redis/redis-store.ts';
import { todoSchema } from '../../../src/extensions/todo/todo.ts';
import { type RunningSentinel, startSentinel } from '../../support/engine-sentinel.ts';
import { ENGINES, freePort, noEngine, type RunningEngine, redis, startEngine } from '../../support/lasting-stores.ts';
import { logged } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const USER = ['--user', 'todo', 'on', '>secret', '~*', '+@all', '--appendonly', 'no'];
const item = (key: string) => ({ key, name: `name of ${key}`, isComplete: false });

for (const engine of ENGINES)
  describe(`D113 – sentinels of ${engine}`, { skip: noEngine(engine) }, () => {
    let master: RunningEngine;
    let replica: RunningEngine;
    let sentinel: RunningSentinel;
    let closed: number;
    const storeOf = (hosts: string, query = ''): RedisStore<ReturnType<typeof todoSchema>> => {
      const url = `redis-sentinel://todo:secret@${hosts}/0?list=kept${query}`;
      return new RedisStore(todoSchema(), { url, redis: redis(), wait: 0 });
    };

    before(async () => {
      closed = await freePort();
      master = await startEngine(engine, ...USER);
      replica = await startEngine(engine, ...USER, '--replicaof', `127.0.0.1 ${master.port}`);
      await until(() => replica.command('INFO', 'replication').includes('link_status:up'), 'it follows', 20_000, 100);
      sentinel = await startSentinel(engine, master.port);
    });
    after(async () => {
      for (const one of [sentinel, replica, master]) await one?.stop();
    });
    afterEach(() => logged.splice(0));

    for (const [question, hosts, query, exitCode, says] of [
      [
        'no sentinel is there',
        () => `127.0.0.1:${closed},localhost:${closed}`,
        '',
        1,
        /^Cannot keep items in "redis-sentinel:\/\/127\.0\.0\.1:\d+,localhost:\d+\/0\?list=kept": the server cannot be reached \(.+\); start it$/,
      ],
      [
        'none knows the name',
        () => `127.0.0.1:${sentinel.port}`,
        '&master=other',
        2,
        /: the server does not know or allow a command that the service needs \(ERR No such master with that name\)/,
      ],
    ] as const)
      test(`${question} → exit code ${exitCode} and one line, without the password`, () =>
        assert.rejects(
          async () => storeOf(hosts(), query).open(),
          (error) => {
            assert.ok(error instanceof StoreError);
            assert.match(error.message, says);
            assert.doesNotMatch(error.message, /secret/);
            assert.equal(error.exitCode, exitCode);
            return true;
          },
        ));

    test('the master is killed → the replica that takes over is found, without a restart; one loss, one return', async (t) => {
      const store = storeOf(`127.0.0.1:${closed},127.0.0.1:${sentinel.port}`);
      t.after(() => store.close());
      await store.open();
      await store.add('one', item('one'));
      await until(() => replica.command('HLEN', '{kept}:items').includes('1'), 'the replica has it', 20_000, 50);
      await master.kill();
      await until(
        async () => {
          try {
            await store.check();
            return true;
          } catch {
            return false;
          }
        },
        'changes are taken again',
        30_000,
        50,
      );
      assert.match((await store.get('one'))!.body as string, /name of one/);
      await store.add('two', item('two'));
      assert.equal(replica.command('HLEN', '{kept}:items'), '2');
      const messages = logged.map((line) => JSON.parse(line).message);
      assert.equal(messages.length, 2, messages.join('\n'));
      assert.match(messages[0], /cannot be reached: /);
      assert.match(messages[1], /is reached again$/);
    });
  });
