/** Items in Redis behind sentinels: failovers, and sentinels that do not know the server (D113). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../../../src/plugins/collection/store-error.ts';
import { todoSchema } from '../../../src/plugins/todo/todo.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { type RunningSentinel, startSentinel } from '../../support/engine-sentinel.ts';
import { ENGINES, freePort, noEngine, type RunningEngine, redis, startEngine } from '../../support/lasting-stores.ts';
import { logged } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const USER = ['--user', 'todo', 'on', '>secret', '~*', '+@all', '--appendonly', 'no'];
const item = (key: string) => ({ key, name: `name of ${key}`, isComplete: false });

const storeAt = (hosts: string, query = ''): RedisStore<ReturnType<typeof todoSchema>> => {
  const url = `redis-sentinel://todo:secret@${hosts}/0?list=kept${query}`;
  return new RedisStore(todoSchema(), { url, redis: redis(), wait: 0, timeout: 500 });
};

const assertFails = (hosts: string, query: string, exitCode: number, message: RegExp): Promise<void> =>
  assert.rejects(
    async () => storeAt(hosts, query).open(),
    (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /secret|\n/);
      assert.equal(error.isTemporary, exitCode === 1, error.message);
      return true;
    },
  );

describe('D113 – user and password never reach a sentinel', { skip: noEngine(ENGINES[0]!) }, () => {
  for (const [answer, exitCode, message] of [
    ["-ERR unknown command 'SENTINEL', with args beginning with: 'x'", 2, /does not know or allow a command/],
    ['-NOAUTH Authentication required.', 2, /the server denies access \(NOAUTH /],
    ['-NOPERM User default has no permissions to run this', 2, /the server denies access \(NOPERM /],
    ['-ERR No such master with that name', 2, /the sentinels do not know this name \(.+\); correct \?master=NAME$/],
    ['-LOADING Redis is loading the dataset in memory', 1, /is still loading its data/],
    ['HTTP/1.1 400 Bad Request', 1, /cannot be reached/],
    ['', 1, /cannot be reached/],
  ] as const)
    test(`a sentinel ${answer === '' ? 'closes the connection' : `answers ${answer}`} → exit code ${exitCode}, one line, no password`, async (t) => {
      let received = '';
      const server = createServer((socket) => {
        socket.setEncoding('latin1').on('error', () => {});
        socket.on('data', (text: string) => {
          received += text;
          for (const [, word] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
            if (word !== 'SENTINEL') socket.write('+OK\r\n');
            else if (answer === '') socket.destroy();
            else socket.write(`${answer}\r\n`);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      await assertFails(`127.0.0.1:${(server.address() as AddressInfo).port}`, '', exitCode, message);
      assert.match(received, /SENTINEL/);
      assert.doesNotMatch(received, /AUTH|secret|todo/);
    });
});

for (const engine of ENGINES)
  describe(`D113 – sentinels of ${engine}`, { skip: noEngine(engine) }, () => {
    let engines: readonly RunningEngine[];
    let sentinel: RunningSentinel;
    let closed: number;
    before(async () => {
      closed = await freePort();
      const first = await startEngine(engine, ...USER);
      engines = [first, await startEngine(engine, ...USER, '--replicaof', `127.0.0.1 ${first.port}`)];
      const isLinked = () => engines[1]!.command('INFO', 'replication').includes('link_status:up');
      await until(isLinked, 'the replica follows', 20_000, 100);
      sentinel = await startSentinel(engine, first.port);
    });
    after(async () => {
      for (const one of [sentinel, ...engines]) await one?.stop();
    });
    afterEach(() => logged.splice(0));

    test('no sentinel can be reached → exit code 1', () =>
      assertFails(
        `127.0.0.1:${closed},localhost:${closed}`,
        '',
        1,
        /^Cannot keep items in "redis-sentinel:\/\/127\.0\.0\.1:\d+,localhost:\d+\/0\?list=kept": the server cannot be reached \(.+\); start it$/,
      ));

    test('no sentinel knows the name → exit code 2', () =>
      assertFails(`127.0.0.1:${sentinel.port}`, '&master=other', 2, /the sentinels do not know this name/));

    test('a failover, then the new server is killed, then the sentinel stops → changes go to the current server', async (t) => {
      const store = storeAt(`127.0.0.1:${closed},127.0.0.1:${sentinel.port}`);
      t.after(() => store.close());
      const [first, second] = engines as [RunningEngine, RunningEngine];
      const sizeIn = (running: RunningEngine) => Number(running.command('HLEN', '{kept}:items'));
      const isWritten = async (key: string): Promise<boolean> => {
        try {
          return (await store.add(key, item(key))) !== undefined;
        } catch (error) {
          // A change may have been made although its answer was lost.
          return /another item has this key/.test((error as Error).message);
        }
      };
      await store.open();
      assert.ok(await isWritten('one'));
      await until(() => sizeIn(second) === 1, 'the replica has the item', 20_000, 50);
      const words = ['-p', String(sentinel.port), 'SENTINEL', 'FAILOVER', 'mymaster'];
      assert.match(spawnSync('redis-cli', words, { encoding: 'utf8' }).stdout, /^OK/);
      const isReplica = () => first.command('INFO', 'replication').includes('link_status:up');
      await until(isReplica, 'the former server follows', 30_000, 100);
      await until(() => isWritten('two'), 'the second server accepts changes', 20_000, 50);
      await until(() => sizeIn(first) === 2, 'the former server has both items', 20_000, 50);

      await second.kill();
      await until(() => isWritten('three'), 'the first server accepts changes again', 30_000, 50);
      assert.match((await store.get('one'))!.body as string, /name of one/);
      assert.equal(sizeIn(first), 3);
      const messages = logged.map((line) => JSON.parse(line).message as string);
      assert.ok(messages.length === 2 || messages.length === 4, messages.join('\n'));
      for (const [at, message] of messages.entries())
        assert.match(message, at % 2 === 0 ? /cannot be reached: / : /is reached again$/);

      logged.splice(0);
      await sentinel.stop();
      for (let times = 0; times < 100; times++) {
        assert.ok((await store.get('one')) !== undefined, 'the server is used without a sentinel');
        await setTimeout(5);
      }
    });
  });
