/** Items in a Redis whose place sentinels tell: a failover, and sentinels that cannot help (D113). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { StoreError } from '../../../src/extensions/collection/store-error.ts';
import { RedisStore } from '../../../src/extensions/redis/redis-store.ts';
import { todoSchema } from '../../../src/extensions/todo/todo.ts';
import { type RunningSentinel, startSentinel } from '../../support/engine-sentinel.ts';
import { ENGINES, freePort, noEngine, type RunningEngine, redis, startEngine } from '../../support/lasting-stores.ts';
import { logged } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const USER = ['--user', 'todo', 'on', '>secret', '~*', '+@all', '--appendonly', 'no'];
const item = (key: string) => ({ key, name: `name of ${key}`, isComplete: false });

/** What a store is told that may be asked anything. */
const REPLIES = new Map([
  ['TYPE', '+none'],
  ['HGET', '$-1'],
  ['EVAL', ':0'],
]);

/** A server that gives one answer, in the protocol of Redis, to each question for sentinels, and serves as a store. */
async function startAnswering(t: TestContext, answer: (port: number) => string) {
  let received = '';
  const server = createServer((socket) => {
    let isCut = false;
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (text: string) => {
      received += text;
      for (const [command] of text.matchAll(/\*\d+\r\n(?:\$\d+\r\n[^\r]*\r\n)+/g)) {
        const words = [...command.matchAll(/\$\d+\r\n([^\r]*)/g)].map(([, word]) => word!);
        const reply = words[0] === 'SENTINEL' ? answer(port) : (REPLIES.get(words[0]!) ?? '+OK');
        isCut ||= reply === '';
        if (isCut) socket.destroy();
        else socket.write(`${reply}\r\n`, 'latin1');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.after(() => server.close());
  return { port, received: () => received };
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}`;
const array = (...values: readonly string[]): string => [`*${values.length}`, ...values].join('\r\n');
const address = (host: string, port: number | string): string => array(bulk(host), bulk(String(port)));

const ODD =
  /127\.0\.0\.1:\d+ does not tell the address of "mymaster" \(.+\); name sentinels that know it and ask for no password, another \?master=NAME, or a server, redis:\/\/$/;
const OWN = /the sentinel 127\.0\.0\.1:\d+ names .+:\d+, which is a sentinel; correct "sentinel monitor mymaster"/;

describe('D113 – user and password never reach a sentinel', { skip: noEngine(ENGINES[0]!) }, () => {
  for (const [question, answer, exitCode, says] of [
    ['it is not a sentinel', () => "-ERR unknown command 'SENTINEL', with args beginning with: 'x' ", 2, ODD],
    ['it wants a password', () => '-NOAUTH Authentication required.', 2, ODD],
    ['it forbids the question', () => "-NOPERM User default has no permissions to run the 'sentinel' command", 2, ODD],
    ['it is in protected mode', () => '-DENIED Redis is running in protected mode', 2, ODD],
    ['it does not know the name, in an error', () => '-ERR No such master with that name', 2, ODD],
    ['it has no room', () => '-ERR max number of clients reached', 1, /raise maxclients/],
    ['it begins', () => '-LOADING Redis is loading the dataset in memory', 1, /still reads its data/],
    ['nil', () => '$-1', 2, ODD],
    ['nil as an array', () => '*-1', 2, ODD],
    ['an empty array', () => '*0', 2, ODD],
    ['a host alone', () => array(bulk('127.0.0.1')), 2, ODD],
    ['three words', (port: number) => array(bulk('127.0.0.1'), bulk(String(port)), bulk('x')), 2, ODD],
    ['a text', () => bulk('127.0.0.1'), 2, ODD],
    ['a status', () => '+OK', 2, ODD],
    ['a number', () => ':1', 2, ODD],
    ['two nils', () => array('$-1', '$-1'), 2, ODD],
    ['nil for the host', (port: number) => array('$-1', bulk(String(port))), 2, ODD],
    ['nil for the port', () => array(bulk('127.0.0.1'), '$-1'), 2, ODD],
    ['two numbers', (port: number) => array(':1', `:${port}`), 2, ODD],
    ['a number as the port', (port: number) => array(bulk('127.0.0.1'), `:${port}`), 2, ODD],
    ['arrays', (port: number) => array(array(bulk('127.0.0.1')), array(bulk(String(port)))), 2, ODD],
    ['a list of addresses', (port: number) => array(address('127.0.0.1', port)), 2, ODD],
    [
      'members by name',
      (port: number) => `%3\r\n${['ip', '127.0.0.1', 'port', String(port), 'flags', 'master'].map(bulk).join('\r\n')}`,
      2,
      ODD,
    ],
    ['an empty host', (port: number) => address('', port), 2, ODD],
    ['a host of blanks', (port: number) => address(' ', port), 2, ODD],
    ['a host with a user', (port: number) => address('a@127.0.0.1', port), 2, ODD],
    ['a host with a port', (port: number) => address(`127.0.0.1:${port}`, port), 2, ODD],
    ['any address', (port: number) => address('0.0.0.0', port), 2, ODD],
    ['any address of IPv6', (port: number) => address('::', port), 2, ODD],
    ['no port', () => address('127.0.0.1', ''), 2, ODD],
    ['the port 0', () => address('127.0.0.1', '0'), 2, ODD],
    ['the port 65536', () => address('127.0.0.1', '65536'), 2, ODD],
    ['a negative port', (port: number) => address('127.0.0.1', -port), 2, ODD],
    ['a port that is not a number', (port: number) => address('127.0.0.1', `${port}x`), 2, ODD],
    ['its own address', (port: number) => address('127.0.0.1', port), 2, OWN],
    ['its own address, by name', (port: number) => address('localhost', port), 2, OWN],
    ['its own address, by IPv4 in IPv6', (port: number) => address('::ffff:127.0.0.1', port), 2, OWN],
    ['its own address, as a short form', (port: number) => address('127.1', port), 2, OWN],
    ['bytes of another protocol', () => 'HTTP/1.1 400 Bad Request\r\n\r\n', 1, /cannot be reached/],
    ['the end of the connection', () => '', 1, /cannot be reached/],
  ] as const)
    test(`the answer is ${question} → exit code ${exitCode}, one line, no password`, async (t) => {
      const { port, received } = await startAnswering(t, answer);
      const url = `redis-sentinel://todo:s3cret@127.0.0.1:${port}`;
      const store = new RedisStore(todoSchema(), { url, redis: redis(), wait: 0, timeout: 100 });
      await assert.rejects(
        async () => store.open(),
        (error) => {
          assert.ok(error instanceof StoreError);
          assert.match(error.message, says);
          assert.doesNotMatch(error.message, /s3cret|\n/);
          assert.equal(error.isTemporary, exitCode === 1, error.message);
          return true;
        },
      );
      assert.match(received(), /SENTINEL/);
      assert.doesNotMatch(received(), /AUTH|s3cret|todo/);
    });
});

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
        /: 127\.0\.0\.1:\d+ does not tell the address of "other" \(null\); name sentinels that know it/,
      ],
    ] as const)
      test(`${question} → exit code ${exitCode} and one line, without the password`, () =>
        assert.rejects(
          async () => storeOf(hosts(), query).open(),
          (error) => {
            assert.ok(error instanceof StoreError);
            assert.match(error.message, says);
            assert.doesNotMatch(error.message, /secret/);
            assert.equal(error.isTemporary, exitCode === 1);
            return true;
          },
        ));

    test('sentinels name another server while the former one lives → changes go there; one loss, one return', async (t) => {
      const user = ['--user', 'todo', 'on', '>secret', '~*', '+@all'];
      const [former, next] = [await startEngine(engine, ...user), await startEngine(engine, ...user)];
      let named = former;
      const answering = await startAnswering(t, () => address('127.0.0.1', named.port));
      const store = storeOf(`127.0.0.1:${answering.port}`);
      t.after(async () => {
        store.close();
        for (const one of [former, next]) await one.stop();
      });
      await store.open();
      named = next;
      await until(() => logged.length === 2, 'the next one is found', 20_000);
      await store.add('one', item('one'));
      assert.deepEqual(
        [former, next].map((one) => one.command('HLEN', '{kept}:items')),
        ['0', '1'],
      );
      assert.match(JSON.parse(logged[0]!).message, /cannot be reached: the sentinels name 127\.0\.0\.1:\d+ now$/);
      assert.doesNotMatch(answering.received(), /AUTH|secret|todo/);
    });

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
