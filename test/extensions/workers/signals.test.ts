/** Signals to several processes that serve one port (D87, D111). */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { emptyAccount, loadUntilGone } from '../../abuse/faults/load.ts';
import { noEngine } from '../../support/lasting-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { isService, PATIENCE, post, runningWorkers } from './running-workers.ts';

describe('D87 – signals to three workers', { skip: noEngine('redis-server') }, () => {
  const { start, signalEngine } = runningWorkers();

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} to all processes, as a terminal and a service manager send it → each request is answered, code 0`, async () => {
      const { url, workers, child, exited } = await start();
      signalEngine('SIGSTOP');
      const answers = Array.from({ length: 6 }, (_, at) => post(url, `s${at}`));
      // The stop begins while the store keeps the requests waiting.
      await until(() => connectionsTo(url) >= 6, 'six connections', PATIENCE);
      for (const pid of [...workers(), child.pid!]) process.kill(pid, signal);
      signalEngine('SIGCONT');
      assert.deepEqual(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([201]));
      assert.deepEqual(await exited, [0, null]);
    });

  test('forty connections made while all processes are stopped, then SIGTERM → each request is answered', async () => {
    const { url, workers, child, exited } = await start();
    const all = [...workers(), child.pid!];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    const answers = Array.from({ length: 40 }, (_, at) => post(url, `q${at}`));
    await until(() => connectionsTo(url) >= 40, 'forty connections', PATIENCE);
    child.kill('SIGTERM');
    for (const pid of all) process.kill(pid, 'SIGCONT');
    assert.deepEqual(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([201]));
    assert.deepEqual(await exited, [0, null]);
  });

  test('a second signal → all end at once, with the code of a killed process', async () => {
    const { url, workers, child, exited, said } = await start(['--shutdown-grace', '30s', '--store-timeout', '30s']);
    signalEngine('SIGSTOP');
    const lost = post(url, 'x').catch((error: unknown) => error);
    await until(() => connectionsTo(url) >= 1, 'a connection', PATIENCE);
    const pids = workers();
    child.kill('SIGTERM');
    await until(() => said().includes('SIGTERM: stopping'), 'the first signal has arrived', PATIENCE);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [143, null]);
    assert.ok((await lost) instanceof Error);
    await until(() => !pids.some(isService), 'no worker is left', PATIENCE);
  });

  test('SIGHUP under load → each worker is replaced, no request is lost and no connection refused', async () => {
    const { url, child, workers, said, exited, errors } = await start();
    const before = workers();
    const account = emptyAccount();
    // A worker that is replaced says 503 to no balancer: the service is ready.
    const probes = emptyAccount();
    const ask = (path: string, count: number, told: typeof account) =>
      loadUntilGone(Number(new URL(url).port), count, () => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, told);
    const load = Promise.all([ask('/api/todo', 4, account), ask('/ready', 4, probes)]);
    await until(() => account.answered > 100 && probes.answered > 100, 'the load', PATIENCE);
    child.kill('SIGHUP');
    await until(() => said().includes('SIGHUP: all workers are replaced'), 'the replacement', 3 * PATIENCE);
    for (const { lost, refused } of [account, probes]) assert.deepEqual([lost, refused], [[], 0]);
    assert.equal(workers().length, 3);
    assert.ok(!workers().some((pid) => before.includes(pid)));
    child.kill('SIGTERM');
    await load;
    assert.deepEqual(account.lost, []);
    assert.deepEqual(await exited, [0, null]);
    assert.equal(errors(), '');
  });

  test('SIGHUP to the workers and SIGUSR1 to all → they serve on', async () => {
    const { url, child, workers, exited, errors } = await start();
    const before = workers();
    for (const pid of before) process.kill(pid, 'SIGHUP');
    for (const pid of [child.pid!, ...before]) process.kill(pid, 'SIGUSR1');
    for (let count = 0; count < 6; count++) assert.equal((await post(url, 'a')).status, 201);
    assert.deepEqual(workers(), before);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    assert.equal(errors(), '');
  });

  test('SIGHUP where a plugin file has changed → the new one serves; one that fails leaves the workers as they are', async () => {
    const source = (name: string): string =>
      `export default { name: '${name}', stages: [(context, next) =>
        context.path === '/who' ? { status: 200, headers: [], body: '${name}' } : next(context)] };`;
    const file = join(temporaryFolder({ 'who.mjs': source('old') }), 'who.mjs');
    const { url, child, workers, said, errors, exited } = await start(['--plugin', file]);
    const ask = async (): Promise<string> => (await fetch(`${url}/who`, { headers: { Connection: 'close' } })).text();
    const before = workers();
    writeFileSync(file, 'throw new Error("broken");');
    child.kill('SIGHUP');
    const line = /The worker \d+ has ended with code 2 before it listened; those that it was to replace go on/;
    await until(() => line.test(errors()), 'the line of the log', PATIENCE);
    assert.deepEqual(workers(), before);
    assert.equal(await ask(), 'old');
    writeFileSync(file, source('new'));
    child.kill('SIGHUP');
    await until(() => said().includes('SIGHUP: all workers are replaced'), 'the replacement', 3 * PATIENCE);
    for (let count = 0; count < 3; count++) assert.equal(await ask(), 'new');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });

  test('SIGTERM with --drain-delay → every worker answers new connections with Connection: close, then code 0', async () => {
    const { url, child, said, exited, errors } = await start(['--drain-delay', '2s']);
    child.kill('SIGTERM');
    await until(() => said().includes('SIGTERM: stopping'), 'the signal has arrived', PATIENCE);
    const statusOf = async (path: string): Promise<readonly unknown[]> => {
      const { status, headers } = await fetch(url + path);
      return [status, headers.get('Connection')];
    };
    await until(async () => (await statusOf('/ready'))[0] === 503, 'the workers drain', PATIENCE);
    for (const [path, status] of [
      ['/ready', 503],
      ['/api/todo', 200],
      ['/health', 200],
    ] as const)
      for (const answer of await Promise.all([1, 2, 3].map(() => statusOf(path))))
        assert.deepEqual(answer, [status, 'close']);
    assert.deepEqual(await exited, [0, null]);
    assert.equal(errors(), '');
  });
});

/** Established connections to the port of a URL, as the system counts those of the server. */
function connectionsTo(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => new RegExp(`^ *\\d+: 0100007F:${port} \\S+ 01 `).test(line)).length;
}
