/** Replies and log lines while the engine is down, slow, full, replaced, or has invalid data (D85). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { application } from '../../../src/core/application/application.ts';
import { HttpProblem } from '../../../src/index.ts';
import { todo, todoSchema } from '../../../src/plugins/todo/todo.ts';
import type { Settings } from '../../../src/service/settings/settings.ts';
import { startError } from '../../../src/service/start-errors.ts';
import {
  explanation,
  isUnavailable,
  redisFault,
  startError as storeStartError,
} from '../../../src/shelf/redis/redis-fault.ts';
import { redisLocation } from '../../../src/shelf/redis/redis-location.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { type Answer, ask } from '../../support/ask.ts';
import { ENGINES, noEngine, type RunningEngine, startEngine, workBesideClient } from '../../support/lasting-stores.ts';
import { assertProblem } from '../../support/problem.ts';
import { startRelay } from '../../support/relay.ts';
import { assertTold, logged, serve, takeMessages } from '../../support/serve.ts';
import { throwing } from '../../support/throwing.ts';
import { until } from '../../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIST = { target: '/api/todo' };

/** A request of every operation, with this key. */
const operations = (key: string) =>
  [
    LIST,
    { target: `/api/todo/${key}` },
    { method: 'POST', ...LIST, headers: JSON_TYPE, body: '{"name":"New"}' },
    { method: 'PUT', target: `/api/todo/${key}`, headers: JSON_TYPE, body: JSON.stringify({ key, name: 'New' }) },
    { method: 'PATCH', target: `/api/todo/${key}`, headers: JSON_TYPE, body: JSON.stringify({ key, name: 'New' }) },
    { method: 'DELETE', target: `/api/todo/${key}` },
  ] as const;

const serveItems = (t: TestContext, store: string, settings: Partial<Settings> = {}) =>
  serve(t, { store, storeTimeout: 2000, storeWait: 0, healthChecks: true, ...settings });

/** Posts an item with this name. */
const post = (port: number, name: string): Promise<Answer> =>
  ask(port, { method: 'POST', ...LIST, headers: JSON_TYPE, body: JSON.stringify({ name }) });

async function namesOf(port: number): Promise<string[]> {
  const answer = await ask(port, LIST);
  assert.equal(answer.status, 200, answer.text);
  return answer.json().map(({ name }: { readonly name: string }) => name);
}

const answers = (port: number, status: number, deadline: number): Promise<void> =>
  until(async () => (await ask(port, LIST)).status === status, `the list is ${status}`, deadline);

/** Asserts a 503 of the store with `Retry-After`. */
function assertUnreachable(answer: Answer): void {
  const { detail } = assertProblem(answer, 503);
  assert.match(detail ?? '', /^The store (?:cannot be reached now|did not answer within \d+ ms)$/);
  assert.equal(answer.headers['retry-after'], '2');
}

/** Asserts that `/ready` stays 200 at once, and soon tells this state of the store (D120). */
async function assertReady(port: number, store: 'up' | 'down'): Promise<void> {
  const tells = async (): Promise<boolean> => {
    const { status, text } = await ask(port, { target: '/ready' });
    assert.equal(status, 200, text);
    return JSON.parse(text).store === store;
  };
  await until(tells, `the store is ${store}`, 10_000);
}

const assertLostAndFound = (): void =>
  assertTold(
    /^The store "redis:\/\/127\.0\.0\.1:\d+\/0\?list=list\d+" cannot be reached: ./,
    /^The store "redis:\/\/127\.0\.0\.1:\d+\/0\?list=list\d+" is reached again$/,
  );

/** Asserts one line for all refused changes, and one line for the first accepted change. */
const assertToldFull = (): void =>
  assertTold(
    /^The store "redis:[^"]+" is full: the server answers "OOM .+"; remove items, or raise maxmemory there$/,
    /^The store "redis:[^"]+" has room again$/,
  );

/** The one line and the exit code of a start with this list. */
async function failedStart(url: string) {
  const store = new RedisStore(todoSchema(), { url, wait: 0 });
  const made = application([todo({ store })]);
  const error = await made.start().then(throwing(new Error('the start did not fail')), (reason: unknown) => reason);
  await made.stop();
  const { lines, exitCode } = startError(error, (key) => `--${key}`);
  assert.equal(lines.length, 1, lines.join('\n'));
  return { line: lines[0]!, exitCode };
}

/** Asserts that a start with this list fails with this line and exit code. */
async function assertFailedStart(url: string, code: number, says: RegExp): Promise<void> {
  const { line, exitCode } = await failedStart(url);
  assert.match(line, says);
  assert.equal(exitCode, code);
}

/** Starts a relay to this engine, and the service with a list behind the relay. */
async function serveThroughRelay(t: TestContext, engine: RunningEngine, settings: Partial<Settings> = {}) {
  const relay = await startRelay(engine.port);
  t.after(() => relay.close());
  const { port } = await serveItems(t, engine.url().replace(String(engine.port), String(relay.port)), settings);
  return { relay, port };
}

/** The status of a request, the exit code of a start, the remedy, and the answers. */
const REPLIES = `
503 2 correct the URL, the rights of the user, or the settings of the server
  NOAUTH Authentication required.
  NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass>
  WRONGPASS invalid username-password pair or user is disabled.
  ERR AUTH <password> called without any password configured for the default user.
  ERR Client sent AUTH, but no password is set
  ERR wrong number of arguments for 'auth' command
  ERR invalid password
  ERR DB index is out of range
  ERR SELECT is not allowed in cluster mode
  DENIED Redis is running in protected mode
  ERR unknown command 'EVAL'
  ERR unknown subcommand or wrong number of arguments
  ERR Unknown Redis command called from script script: 02, on @user_script:1.
  ERR command 'EVAL' is not allowed
  ERR This Redis command is not allowed from script
  NOPROTO unsupported protocol version
  MOVED 1234 10.0.0.1:6379
503 2 give the user the rights ~{list}:* +eval
  NOPERM this user has no permissions to run the 'eval' command
  ERR The user executing the script can't run this command or subcommand script: 02, on @user_script:1.
  ERR ACL failure in script: No permissions to access a key script: 02, on @user_script:1.
503 1 wait, repair the server, or name another server
  ERR max number of clients reached
  READONLY You can't write against a read only replica. script: 6b8184, on @user_script:1.
  LOADING Redis is loading the dataset in memory
  BUSY Redis is busy running a script.
  MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.
  MISCONF Errors writing to the AOF file: No space left on device
  NOREPLICAS Not enough good replicas to write.
  CLUSTERDOWN Hash slot not served
  TRYAGAIN Multiple keys request during rehashing of slot
507 1 remove items, or raise maxmemory there
  OOM command not allowed when used memory > 'maxmemory'. script: 38, on @user_script:3.
503 2 its keys belong to another program; name another list, ?list=NAME
  WRONGTYPE Operation against a key holding the wrong kind of value
503 2 delete the keys of the list, and copy a backup
  INCOMPLETE the items of the list are lost
500 1 see the manual and the log of the server
  ERR value is not an integer or out of range
  SOMETHING nobody knows`;
for (const [, status, exitCode, remedy, replies] of REPLIES.matchAll(/^(\d+) (\d) (.+)((?:\n {2}.+)+)/gm))
  for (const reply of replies!.split('\n  ').slice(1))
    test(`D32, D85 – ${reply} → ${status}, exit code ${exitCode}; quoted with the remedy`, () => {
      const location = { ...redisLocation('redis://todo:s3cret@localhost'), rights: '~{list}:* +eval' };
      const said = `the server answers "${reply}"; ${remedy}`;
      const repeated = `${reply}, with args beginning with: '3' 'AUTH' 'todo' 's3cret'`;
      for (const error of [new Error(reply), new Error(repeated)]) {
        const fault = redisFault(error, location);
        assert.equal(fault instanceof HttpProblem ? fault.status : 500, Number(status));
        assert.equal(explanation(error, location), said);
        const { message, isTemporary } = storeStartError(error, location);
        assert.equal(message, `Cannot keep items in "redis://localhost": ${said}`);
        assert.equal(isTemporary, exitCode === '1');
        if (!(fault instanceof HttpProblem)) assert.ok(fault.message.endsWith(said));
      }
    });

test('D85 – a replica of Redis 6 rejects a script → 503', () => {
  const reply = "ERR Error running script (call to f_10): @user_script:1: @user_script: 1: -READONLY You can't write";
  const location = redisLocation('redis://localhost');
  assert.ok(isUnavailable(new Error(reply)));
  assert.match(explanation(new Error(reply), location), /^the server answers "READONLY You can't write"; wait, repair/);
});

test('D85 – an answer that repeats user and password anywhere → neither is shown', () => {
  const location = redisLocation('redis://todo:p%40ss%20w@localhost');
  for (const reply of ['NOPERM User todo has no permissions', 'ERR what is "p@ss w"?', 'p@ss w'])
    for (const said of [explanation(new Error(reply), location), storeStartError(new Error(reply), location).message])
      assert.doesNotMatch(said, /todo|p@ss/);
  assert.doesNotMatch(inspect(storeStartError(new Error('ERR p@ss w'), location)), /p@ss/);
});

for (const engine of ENGINES)
  describe(`D85 – faults of ${engine}`, { skip: noEngine(engine) }, () => {
    let running: RunningEngine;
    before(async () => {
      workBesideClient();
      running = await startEngine(engine);
    });
    after(() => running.stop());
    /** The keys of the list that the URL names. */
    const keyOf = (url: string, part: 'items' | 'order' | 'list'): string =>
      `{${new URL(url).searchParams.get('list')}}:${part}`;

    describe('down', () => {
      test('D85 – killed while the service runs → every operation 503 at once, /ready and /health 200; back by itself', async (t) => {
        // No request may wait this long.
        const { port } = await serveItems(t, running.url(), { storeTimeout: 60_000 });
        await post(port, 'Kept');
        const before = await ask(port, LIST);
        const [{ key }] = before.json();
        await running.kill();
        const begin = performance.now();
        for (const question of operations(key)) assertUnreachable(await ask(port, question));
        await assertReady(port, 'down');
        assert.equal((await ask(port, { target: '/health' })).status, 200);
        const many = await Promise.all(Array.from({ length: 100 }, () => ask(port, LIST)));
        for (const answer of many) assertUnreachable(answer);
        assert.ok(performance.now() - begin < 10_000, 'requests have waited for an engine that is down');
        assert.equal(logged.length, 1, 'one line for many requests');
        await running.restart();
        await answers(port, 200, 10_000);
        const again = await ask(port, LIST);
        assert.deepEqual([again.text, again.headers['etag']], [before.text, before.headers['etag']]);
        await assertReady(port, 'up');
        assert.equal((await post(port, 'Later')).status, 201);
        assertLostAndFound();
      });

      test('D85 – a password is set while the service runs → another line says that the server denies access', async (t) => {
        const { port } = await serveItems(t, running.url());
        running.command('CONFIG', 'SET', 'requirepass', 'other');
        t.after(() => running.command('-a', 'other', 'CONFIG', 'SET', 'requirepass', ''));
        running.command('-a', 'other', 'CLIENT', 'KILL', 'TYPE', 'normal');
        await until(() => logged.length === 2, 'the refusal is noticed', 20_000);
        running.command('-a', 'other', 'CONFIG', 'SET', 'requirepass', '');
        await answers(port, 200, 20_000);
        await until(() => logged.length === 3, 'the return is noticed', 10_000);
        const refusal = /cannot be reached again: the server answers "NOAUTH .+"; correct the URL, the rights/;
        assertTold(/cannot be reached: /, refusal, /is reached again$/);
      });

      test('D85 – the service is stopped while the engine is down → it stops', async (t) => {
        const { service, application: stopped } = await serveItems(t, running.url());
        await running.kill();
        await until(() => logged.length === 1, 'the loss is noticed');
        await service.close(0);
        await stopped.stop();
        await running.restart();
        assertTold(/ cannot be reached: ./);
      });
    });

    describe('slow', () => {
      test('D85 – suspended → 503 after --store-timeout, then at once, /ready 200; resumed → it works again', async (t) => {
        const { port } = await serveItems(t, running.url(), { storeTimeout: 200 });
        const [{ key }] = (await ask(port, LIST)).json();
        running.signal('SIGSTOP');
        t.after(() => running.signal('SIGCONT'));
        const late = await ask(port, { method: 'DELETE', target: `/api/todo/${key}` });
        assertUnreachable(late);
        assert.equal(late.json().detail, 'The store did not answer within 200 ms');
        for (const question of operations(key)) assertUnreachable(await ask(port, question));
        await assertReady(port, 'down');
        assert.equal((await ask(port, { target: '/health' })).status, 200);
        running.signal('SIGCONT');
        await answers(port, 200, 5000);
        assertLostAndFound();
        // A change whose answer came too late may have been made (D85). The stored items are complete.
        for (const item of (await ask(port, LIST)).json())
          assert.deepEqual(Object.keys(item), ['key', 'name', 'isComplete']);
        assert.equal((await post(port, 'After')).status, 201);
      });

      test('D85 – suspended for long → the connection is closed, requests no longer wait; resumed → it works again', async (t) => {
        const { port } = await serveItems(t, running.url());
        running.signal('SIGSTOP');
        t.after(() => running.signal('SIGCONT'));
        await until(() => logged.length === 1, 'the loss is noticed', 30_000);
        const begin = performance.now();
        assertUnreachable(await ask(port, LIST));
        assert.ok(performance.now() - begin < 1900, 'a request has waited for the closed connection');
        running.signal('SIGCONT');
        await answers(port, 200, 30_000);
        assertLostAndFound();
      });

      for (const [what, pause] of [
        ['no requests', undefined],
        ['many requests', 100],
      ] as const)
        test(`D85 – a connection that no longer carries data, ${what} → another one is opened`, async (t) => {
          const { relay, port } = await serveThroughRelay(t, running, { storeTimeout: 1000 });
          const { connections } = relay;
          relay.hang();
          const asked: Promise<Answer>[] = [];
          const asking = pause === undefined ? undefined : setInterval(() => asked.push(ask(port, LIST)), pause);
          try {
            await until(() => relay.connections > connections, 'another connection', 30_000);
            await answers(port, 200, 10_000);
          } finally {
            clearInterval(asking);
          }
          await Promise.all(asked);
          assertLostAndFound();
        });

      test('D85 – the connection is cut again and again → each time one line for the loss and one for the return', async (t) => {
        const { relay, port } = await serveThroughRelay(t, running);
        for (let times = 0; times < 3; times++) {
          relay.cut();
          await until(() => logged.length === 2, 'lost and found', 10_000);
          assertLostAndFound();
          assert.deepEqual(await namesOf(port), ['Item1']);
        }
      });
    });

    describe('loading', () => {
      let loading: RunningEngine;
      before(async () => {
        // Each key takes two milliseconds; the engine processes commands in between.
        const slow = ['--key-load-delay', '2000', '--loading-process-events-interval-bytes', '1024'];
        loading = await startEngine(engine, '--enable-debug-command', 'yes', ...slow);
        loading.command('DEBUG', 'POPULATE', '1000');
      });
      after(() => loading.stop());
      const isLoading = (): boolean => loading.command('GET', 'x').startsWith('LOADING');

      /** Makes the engine reload its data, as after a restart. */
      async function reload(): Promise<void> {
        spawn('redis-cli', ['-p', String(loading.port), 'DEBUG', 'RELOAD'], { stdio: 'ignore' });
        await until(isLoading, 'the engine reads its data');
      }

      test('D85 – the engine reads its data while the service runs → 503, then it works', async (t) => {
        const { port } = await serveItems(t, loading.url());
        await reload();
        assertUnreachable(await ask(port, LIST));
        await assertReady(port, 'down');
        await answers(port, 200, 20_000);
        assert.deepEqual(await namesOf(port), ['Item1']);
        await until(() => logged.length === 2, 'the return is noticed', 10_000);
        assertLostAndFound();
      });

      test('D85 – the engine reads its data when the service starts → the start waits up to --store-wait', async (t) => {
        await reload();
        const { port } = await serveItems(t, loading.url(), { storeWait: 20_000 });
        assert.deepEqual(await namesOf(port), ['Item1']);
        takeMessages();
      });
    });

    describe('fail-over', () => {
      let replica: RunningEngine;
      before(async () => {
        replica = await startEngine(engine, '--replicaof', `127.0.0.1 ${running.port}`);
      });
      after(() => replica.stop());
      const isLinked = (): boolean => /^master_link_status:up/m.test(replica.command('INFO', 'replication'));

      test('D85 – the master becomes a replica → everything 503 after a change, /ready 200; a master again → as before', async (t) => {
        const { port } = await serveItems(t, running.url());
        const [{ key }] = (await ask(port, LIST)).json();
        await until(isLinked, 'the replica follows', 10_000);
        replica.command('REPLICAOF', 'NO', 'ONE');
        running.command('REPLICAOF', '127.0.0.1', String(replica.port));
        const [list, get, ...changes] = operations(key);
        for (const question of [...changes, list, get]) assertUnreachable(await ask(port, question));
        await assertReady(port, 'down');
        running.command('REPLICAOF', 'NO', 'ONE');
        replica.command('REPLICAOF', '127.0.0.1', String(running.port));
        await answers(port, 200, 10_000);
        assert.equal((await post(port, 'New')).status, 201);
        assert.deepEqual(await namesOf(port), ['Item1', 'New']);
        assertLostAndFound();
      });

      test('D85 – its name leads to the promoted replica, the former master lives on → found there, nothing is lost', async (t) => {
        const { relay, port } = await serveThroughRelay(t, running);
        assert.equal((await post(port, 'Kept')).status, 201);
        await until(isLinked, 'the replica follows', 10_000);
        assert.equal(running.command('WAIT', '1', '5000'), '1');
        replica.command('REPLICAOF', 'NO', 'ONE');
        running.command('REPLICAOF', '127.0.0.1', String(replica.port));
        relay.lead(replica.port);
        // There are no changes, so /ready finds out.
        await assertReady(port, 'down');
        await assertReady(port, 'up');
        assert.equal((await post(port, 'New')).status, 201);
        assert.deepEqual(await namesOf(port), ['Item1', 'Kept', 'New']);
        assertLostAndFound();
        running.command('REPLICAOF', 'NO', 'ONE');
        replica.command('REPLICAOF', '127.0.0.1', String(running.port));
      });

      test('D85 – a start against a replica → exit code 1, one line with the remedy; with --store-wait it waits', async (t) => {
        const url = replica.url();
        const { port } = await serveItems(t, url.replace(String(replica.port), String(running.port)));
        await until(isLinked, 'the replica follows', 10_000);
        assert.deepEqual(await namesOf(port), ['Item1']);
        await assertFailedStart(url, 1, /^Cannot .+ the server answers "READONLY .+"; wait/);
        const late = serveItems(t, url, { storeWait: 20_000 });
        await until(() => logged.length === 1, 'the first attempt');
        replica.command('REPLICAOF', 'NO', 'ONE');
        assert.equal((await ask((await late).port, { target: '/ready' })).status, 200);
        replica.command('REPLICAOF', '127.0.0.1', String(running.port));
        takeMessages();
      });

      test('D85 – too few replicas for a change → changes 503, /ready 200, one line; reading goes on', async (t) => {
        const { port } = await serveItems(t, running.url());
        const [{ key }] = (await ask(port, LIST)).json();
        t.after(() => running.command('CONFIG', 'SET', 'min-replicas-to-write', '0'));
        running.command('CONFIG', 'SET', 'min-replicas-to-write', '2');
        const [list, get, ...changes] = operations(key);
        for (const question of changes) {
          assertUnreachable(await ask(port, question));
          await assertReady(port, 'down');
          for (const read of [list, get]) assert.equal((await ask(port, read)).status, 200);
        }
        running.command('CONFIG', 'SET', 'min-replicas-to-write', '0');
        await until(() => logged.length === 2, 'the return is noticed', 10_000);
        assertLostAndFound();
        assert.equal((await post(port, 'New')).status, 201);
      });
    });

    describe('wrong data', () => {
      for (const part of ['items', 'order', 'list'] as const)
        test(`D85 – the key of ${part} holds a text → exit code 2, one line with the remedy`, async () => {
          const url = running.url();
          const key = keyOf(url, part);
          running.command('SET', key, 'of another program');
          await assertFailedStart(
            url,
            2,
            /WRONGTYPE .+; its keys belong to another program; name another list, \?list=NAME$/,
          );
          assert.equal(running.command('GET', key), 'of another program');
        });

      test('D85 – a newer format → exit code 2, nothing is changed', async () => {
        const url = running.url();
        running.command('HSET', keyOf(url, 'list'), 'format', '2');
        await assertFailedStart(url, 2, /a newer version .+ created the list \(format 2\); run that/);
        assert.equal(running.command('HLEN', keyOf(url, 'list')), '1');
        assert.equal(running.command('EXISTS', keyOf(url, 'items'), keyOf(url, 'order')), '0');
      });

      const right = '{"key":"a","name":"A","isComplete":false}';
      for (const [what, stored] of [
        ['a value that is not JSON', 'v1 {"key":'],
        ['a member of another type', 'v1 {"key":"a","name":1,"isComplete":false}'],
        ['no version', right],
        ['bytes that are not UTF-8', 'v1 \xff\xfe'],
      ] as const)
        test(`D85 – an item with ${what} → skipped with one warning, everything else works`, async (t) => {
          const url = running.url();
          const { port } = await serveItems(t, url);
          running.command('HSET', keyOf(url, 'items'), 'a', stored, 'b', stored);
          running.command('ZADD', keyOf(url, 'order'), '10', 'a', '11', 'b');
          running.command('HSET', keyOf(url, 'list'), 'version', 'other');
          assert.deepEqual(await namesOf(port), ['Item1']);
          assertProblem(await ask(port, { target: '/api/todo/a' }), 404);
          assertTold(/^Wrong data in "redis:[^"]+": the value of the item "a"(?: at "\/name")?: /);
          assert.equal((await post(port, 'New')).status, 201);
          assert.deepEqual(await namesOf(port), ['Item1', 'New']);
          assert.equal((await ask(port, { method: 'DELETE', target: '/api/todo/a' })).status, 204);
          const whole = { method: 'PUT', target: '/api/todo/b', headers: JSON_TYPE, body: '{"key":"b","name":"B"}' };
          assert.equal((await ask(port, whole)).status, 204);
          assert.deepEqual(await namesOf(port), ['Item1', 'B', 'New']);
        });

      for (const [what, version] of [
        ['an empty version', ''],
        ['a version that is invalid in an ETag', 'v"1é'],
      ] as const)
        test(`D85 – ${what}, of the list and of an item → a valid ETag that works in If-Match`, async (t) => {
          const url = running.url();
          const { port } = await serveItems(t, url);
          running.command('HSET', keyOf(url, 'items'), 'a', `${version} ${right}`);
          running.command('ZADD', keyOf(url, 'order'), '10', 'a');
          running.command('HSET', keyOf(url, 'list'), 'version', version);
          assert.deepEqual(await namesOf(port), ['Item1', 'A']);
          const { etag = '' } = (await ask(port, { target: '/api/todo/a' })).headers;
          assert.match(etag, /^"[!#-~]*"$/);
          const change = { method: 'DELETE', target: '/api/todo/a' };
          assertProblem(await ask(port, { ...change, headers: { 'If-Match': '"other"' } }), 412);
          assert.equal((await ask(port, { ...change, headers: { 'If-Match': etag } })).status, 204);
          assert.deepEqual(await namesOf(port), ['Item1']);
        });

      test('D85 – an item that is only in the order → skipped with one warning; DELETE is 404', async (t) => {
        const url = running.url();
        const { port } = await serveItems(t, url);
        running.command('ZADD', keyOf(url, 'order'), '10', 'gone');
        running.command('HSET', keyOf(url, 'list'), 'version', 'other');
        assert.deepEqual(await namesOf(port), ['Item1']);
        assert.equal(takeMessages().length, 1);
        assertProblem(await ask(port, { target: '/api/todo/gone' }), 404);
        assertProblem(await ask(port, { method: 'DELETE', target: '/api/todo/gone' }), 404);
      });

      test('D84, D85 – the engine has evicted the hash of the list → no ETag until a change; new items follow', async (t) => {
        const url = running.url();
        const first = await serveItems(t, url);
        for (const name of ['A', 'B', 'C']) assert.equal((await post(first.port, name)).status, 201);
        running.command('DEL', keyOf(url, 'list'));
        const { port } = await serveItems(t, url);
        const { status, headers } = await ask(port, LIST);
        assert.deepEqual([status, headers['etag']], [200, undefined]);
        assert.deepEqual(await namesOf(port), ['Item1', 'A', 'B', 'C']);
        for (const name of ['D', 'E']) assert.equal((await post(port, name)).status, 201);
        assert.deepEqual(await namesOf(port), ['Item1', 'A', 'B', 'C', 'D', 'E']);
        assert.match((await ask(port, LIST)).headers['etag'] ?? '', /^".+"$/);
      });

      /** What another program does to the keys, the statuses of the list and of an item, and the cause in the log. */
      const DAMAGE = [
        ['SET', ['items'], 503, 503, 'WRONGTYPE'],
        ['SET', ['order'], 503, 200, 'WRONGTYPE'],
        ['SET', ['list'], 503, 200, 'WRONGTYPE'],
        ['DEL', ['items'], 503, 503, 'INCOMPLETE the items of the list are lost'],
        ['DEL', ['order'], 503, 200, 'INCOMPLETE the order of the items is lost'],
        ['DEL', ['items', 'list'], 503, 503, 'INCOMPLETE the items of the list are lost'],
        ['DEL', ['order', 'list'], 503, 200, 'INCOMPLETE the order of the items is lost'],
        ['EXPIRE', ['order'], 503, 200, 'INCOMPLETE the order of the items is lost'],
      ] as const;
      for (const [command, parts, listStatus, itemStatus, cause] of DAMAGE)
        test(`D85 – ${command} ${parts.join()} → changes 503, /ready 200, list ${listStatus}, item ${itemStatus}; nothing is changed; keys removed → works`, async (t) => {
          const url = running.url();
          const { port } = await serveItems(t, url, { metrics: true });
          assert.equal((await post(port, 'A')).status, 201);
          const [{ key }] = (await ask(port, LIST)).json();
          const up = async () => /^todo_store_up (\d)$/m.exec((await ask(port, { target: '/metrics' })).text)?.[1];
          assert.equal(await up(), '1');
          for (const part of parts)
            running.command(command, keyOf(url, part), ...{ SET: ['other'], DEL: [], EXPIRE: ['0'] }[command]);
          const before = running.command('DUMP', keyOf(url, 'items'));
          const [list, get, ...changes] = operations(key);
          for (const question of changes) assertUnreachable(await ask(port, question));
          await assertReady(port, 'down');
          assert.equal((await ask(port, list)).status, listStatus);
          assert.equal((await ask(port, get)).status, itemStatus);
          assert.equal(await up(), '0');
          assert.equal(running.command('DUMP', keyOf(url, 'items')), before);
          assertTold(new RegExp(`^The store "redis:.+" cannot be reached: the server answers "${cause}`));
          await assertFailedStart(url, 2, new RegExp(`: the server answers "${cause}.*"; .+`));
          running.command('DEL', keyOf(url, 'items'), keyOf(url, 'order'), keyOf(url, 'list'));
          await answers(port, 200, 10_000);
          assert.equal((await post(port, 'New')).status, 201);
          assert.deepEqual(await namesOf(port), ['New']);
          await until(async () => (await up()) === '1', 'the return is noticed', 10_000);
          assertTold(/ is reached again$/);
        });

      test('D85 – the order is lost, the command of the page → every item is listed again, with another ETag', async (t) => {
        const url = running.url();
        const { port } = await serveItems(t, url);
        for (const name of ['A', 'B', 'C']) assert.equal((await post(port, name)).status, 201);
        const { etag = '' } = (await ask(port, LIST)).headers;
        running.command('DEL', keyOf(url, 'order'));
        assertUnreachable(await ask(port, LIST));
        const page = readFileSync(new URL('../../../src/shelf/redis/README.md', import.meta.url), 'utf8');
        const [, command = ''] = /^redis-cli EVAL "([^"]+)" 3 /m.exec(page)!;
        const keys = (['items', 'order', 'list'] as const).map((part) => keyOf(url, part));
        running.command('EVAL', command.replace('\\\n', ''), '3', ...keys);
        const { status, headers } = await ask(port, { ...LIST, headers: { 'If-None-Match': etag } });
        assert.deepEqual([status, headers['etag']], [200, undefined]);
        assert.deepEqual((await namesOf(port)).sort(), ['A', 'B', 'C', 'Item1']);
        await until(() => logged.length === 2, 'the return is noticed', 10_000);
        assertLostAndFound();
        assert.equal((await post(port, 'New')).status, 201);
        assert.equal((await namesOf(port)).at(-1), 'New');
      });

      for (const parts of [['list'], ['items', 'order'], ['items', 'order', 'list']] as const)
        test(`D84 – ${parts.join()} lost twice → no ETag is used for two lists, and the former ETag gets no 304`, async (t) => {
          const url = running.url();
          const { port } = await serveItems(t, url);
          const texts = new Map<string, string>();
          let last = '"none"';
          const remember = async () => {
            const { status, headers, text } = await ask(port, { ...LIST, headers: { 'If-None-Match': last } });
            const { etag } = headers;
            if (status === 304) return assert.equal(etag, last);
            if (etag === undefined) return;
            assert.equal(texts.get(etag) ?? text, text);
            texts.set(etag, text);
            last = etag;
          };
          for (const name of ['A', 'B', 'C']) {
            assert.equal((await post(port, name)).status, 201);
            await remember();
            const { text } = await ask(port, LIST);
            running.command('DEL', ...parts.map((part) => keyOf(url, part)));
            assert.equal((await ask(port, LIST)).text, parts.length === 1 ? text : '[]');
            if (parts.length > 1)
              assert.equal((await ask(port, { ...LIST, headers: { 'If-None-Match': last } })).status, 200);
            await remember();
          }
          assert.ok(texts.size >= 3);
        });

      test('D84 – another program removes an item, without a new version → the list has another ETag', async (t) => {
        const url = running.url();
        const { port } = await serveItems(t, url);
        const [{ key }] = (await ask(port, LIST)).json();
        assert.equal((await post(port, 'A')).status, 201);
        const { etag = '' } = (await ask(port, LIST)).headers;
        running.command('HDEL', keyOf(url, 'items'), key);
        running.command('ZREM', keyOf(url, 'order'), key);
        const { status, text, headers } = await ask(port, { ...LIST, headers: { 'If-None-Match': etag } });
        assert.deepEqual([status, JSON.parse(text).length], [200, 1]);
        assert.notEqual(headers['etag'], etag);
      });

      test('D85 – every key is removed while the service runs → an empty list; Item1 only at the next start', async (t) => {
        const url = running.url();
        const { port } = await serveItems(t, url);
        running.command('FLUSHALL');
        assert.deepEqual(await namesOf(port), []);
        const other = await serveItems(t, url);
        assert.deepEqual([await namesOf(port), await namesOf(other.port)], [['Item1'], ['Item1']]);
      });
    });

    describe('a server that denies access', () => {
      for (const [options, user, exitCode, says] of [
        [['--rename-command', 'EVAL', 'other'], 'todo:s3cret@', 2, 'ERR .*'],
        [['--user', 'todo', 'on', '>s3cret', '~*', '+@all', '-eval'], 'todo:s3cret@', 2, 'NOPERM'],
        [
          ['--user', 'todo', 'on', '>s3cret', '~other:*', '+@all'],
          'todo:s3cret@',
          2,
          '(?:NOPERM|ERR ACL failure|ERR The user)',
        ],
        [['--cluster-enabled', 'yes'], '', 1, 'CLUSTERDOWN'],
        [['--min-replicas-to-write', '1'], '', 1, 'NOREPLICAS'],
      ] as const)
        test(`D32 – a start against ${options.join(' ')} → exit code ${exitCode}, the answer is quoted`, async (t) => {
          const allowed = options[0] === '--rename-command' ? ['--user', 'todo', 'on', '>s3cret', '~*', '+@all'] : [];
          const refusing = await startEngine(engine, ...options, ...allowed);
          t.after(() => refusing.stop());
          const { line, exitCode: code } = await failedStart(refusing.url().replace('//', `//${user}`));
          assert.match(line, new RegExp(`^Cannot keep items in "redis:[^"]+": the server answers "${says} .+"; .+`));
          assert.doesNotMatch(line, /s3cret|todo/);
          assert.equal(code, exitCode);
        });

      test('D32 – a server that has maxclients connections → exit code 1, the answer is quoted', async (t) => {
        const full = await startEngine(engine, '--maxclients', '1');
        t.after(() => full.stop());
        const holder = connect(full.port, '127.0.0.1').on('error', () => {});
        t.after(() => holder.destroy());
        await once(holder, 'connect');
        await assertFailedStart(full.url(), 1, /: the server answers "ERR max number of clients reached"; wait/);
      });

      test('D113 – a user without +info → works, the log is empty', async (t) => {
        const silent = await startEngine(engine, '--user', 'default', 'on', 'nopass', '~*', '+@all', '-info');
        const { port } = await serveItems(t, silent.url());
        t.after(() => silent.stop());
        assert.equal((await post(port, 'New')).status, 201);
        assert.deepEqual(logged, []);
      });
    });

    describe('full', () => {
      test('D85 – maxmemory is reached → 507 for POST, PUT and PATCH; reads and DELETE work; with room again everything works', async (t) => {
        const { port } = await serveItems(t, running.url());
        const [{ key }] = (await ask(port, LIST)).json();
        t.after(() => running.command('CONFIG', 'SET', 'maxmemory', '0'));
        running.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1');
        const [list, get, post, put, patch, remove] = operations(key);
        for (const question of [post, put, patch]) {
          const answer = await ask(port, question);
          assert.equal(assertProblem(answer, 507).detail, 'The memory of the store is full');
        }
        for (const question of [list, get]) assert.equal((await ask(port, question)).status, 200);
        await assertReady(port, 'up');
        assert.deepEqual(await namesOf(port), ['Item1']);
        assert.equal((await ask(port, remove)).status, 204);
        assert.deepEqual(await namesOf(port), []);
        assertProblem(await ask(port, post), 507);
        running.command('CONFIG', 'SET', 'maxmemory', '0');
        assert.equal((await ask(port, post)).status, 201);
        assert.deepEqual(await namesOf(port), ['New']);
        assertToldFull();
      });

      test('D85 – a new list in a full engine → the start fails with one line and exit code 1', async (t) => {
        t.after(() => running.command('CONFIG', 'SET', 'maxmemory', '0'));
        running.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1');
        await assertFailedStart(running.url(), 1, /"OOM .+"; remove items, or raise maxmemory there$/);
      });
    });
  });
