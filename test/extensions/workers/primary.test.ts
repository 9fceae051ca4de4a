/** Several processes that serve one port over one Redis list (D87), as processes of their own. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { noEngine } from '../../support/lasting-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import {
  childrenOf,
  command,
  environment,
  isService,
  PATIENCE,
  post,
  ROOT,
  runningWorkers,
} from './running-workers.ts';

for (const [flags, line] of [
  [
    ['--workers', '2'],
    /^Cannot use --workers "2": each process would have items of its own; give --store redis:\/\/…, or 1\n$/,
  ],
  [['--workers', '2', '--store', 'todo.db'], /^Cannot use --workers "2": a file is written by one process alone; give/],
  [['--workers', '0'], /^Cannot use --workers "0": it is out of bounds; give 1 to 1024\n$/],
] as const)
  test(`D87 – ${flags.join(' ')} → refused with exit code 2 and one line`, () => {
    const { status, stderr } = spawnSync(process.execPath, command(flags), { cwd: ROOT, encoding: 'utf8' });
    assert.match(stderr, line);
    assert.equal(status, 2);
  });

describe('D87 – three workers', { skip: noEngine('redis-server') }, () => {
  const { start, url: engineUrl, endLater } = runningWorkers();
  const listOf = async (url: string): Promise<{ readonly name: string }[]> =>
    (await fetch(`${url}/api/todo`)).json() as Promise<{ readonly name: string }[]>;

  for (const [host, printed] of [
    ['::', /^http:\/\/\[::\]:\d+$/],
    ['0.0.0.0', /^http:\/\/0\.0\.0\.0:\d+$/],
  ] as const)
    test(`--host ${host} → an address that can be opened`, async () => {
      const { url, child, exited } = await start(['--host', host]);
      assert.match(url, printed);
      assert.equal((await listOf(url.replace(/\[::\]|0\.0\.0\.0/, '127.0.0.1'))).length, 1);
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
    });

  test('requests on connections of their own → all processes answer; the first item is there once', async () => {
    const { url, child, exited } = await start();
    // The id of a request begins with a text that is random for the process.
    const processes = new Set<string>();
    let made = 0;
    const everyWorker = async (): Promise<boolean> => {
      const { status, headers } = await post(url, `n${made++}`);
      assert.equal(status, 201);
      return processes.add(headers.get('X-Request-Id')!.split('-')[0]!).size === 3;
    };
    await until(everyWorker, 'an answer of each worker', PATIENCE);
    const names = (await listOf(url)).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name === 'Item1'),
      ['Item1'],
    );
    assert.equal(names.length, made + 1);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });

  test('D115 – metrics of any worker → the sum of all', async () => {
    const { url, child, exited } = await start(['--metrics', 'on']);
    const scrape = async (): Promise<string> =>
      (await fetch(`${url}/metrics`, { headers: { Connection: 'close' } })).text();
    await until(async () => /^http_connections_limit 30000$/m.test(await scrape()), 'all three', PATIENCE);
    for (let made = 1; made <= 6; made++) {
      await post(url, `n${made}`);
      const text = await scrape();
      assert.match(
        text,
        new RegExp(`^http_requests_total\\{method="POST",route="/api/todo",status="201"\\} ${made}$`, 'm'),
      );
      assert.match(text, /^todo_store_up 1$/m);
      assert.match(text, /^build_info\{.*\} 1$/m);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });

  test('a worker is killed → another one takes its place, the others go on', async () => {
    const { url, workers, errors, child, exited } = await start();
    const [first, ...others] = workers();
    process.kill(first!, 'SIGKILL');
    await until(() => workers().length === 3 && !workers().includes(first!), 'another worker', PATIENCE);
    assert.ok(others.every((pid) => workers().includes(pid)));
    assert.equal((await post(url, 'a')).status, 201);
    const line = new RegExp(`The worker ${first} has ended with SIGKILL; another one is started`);
    await until(() => line.test(errors()), 'the line of the log', PATIENCE);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    assert.equal(errors().trimEnd().split('\n').length, 1, errors());
  });

  test('SIGTERM to one worker → it ends by itself, and is replaced', async () => {
    const { workers, child, exited, errors } = await start();
    const [first] = workers();
    process.kill(first!, 'SIGTERM');
    await until(() => workers().length === 3 && !workers().includes(first!), 'another worker', PATIENCE);
    await until(() => /has ended with code 0/.test(errors()), 'the line of the log', PATIENCE);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });

  test('the primary is killed → its workers end', async () => {
    const { workers, child } = await start();
    const pids = workers();
    child.kill('SIGKILL');
    await until(() => !pids.some(isService), 'no worker is left', PATIENCE);
  });

  test('the store cannot be reached at the start → one line, and the code of one process', () => {
    const flags = ['--workers', '3', '--store', 'redis://127.0.0.1:1', '--store-wait', '0'];
    const { status, stderr } = spawnSync(process.execPath, command(flags), {
      cwd: ROOT,
      encoding: 'utf8',
      env: environment,
    });
    assert.match(stderr, /^Cannot keep items in "redis:\/\/127\.0\.0\.1:1": the server cannot be reached .*\n$/);
    assert.equal(status, 1);
  });

  test('--access-log 5, an open descriptor → the workers have it as well: a line for each request', async () => {
    const file = join(temporaryFolder({}), 'access.log');
    const descriptor = openSync(file, 'a');
    const { url, child, exited } = await start(['--access-log', '5'], descriptor);
    closeSync(descriptor);
    await Promise.all(Array.from({ length: 6 }, (_, at) => post(url, `l${at}`)));
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    assert.equal(readFileSync(file, 'utf8').match(/"method":"POST"/g)?.length, 6);
  });

  test('--log-format json → each line tells the process that wrote it', async () => {
    const given = ['--workers', '2', '--store', engineUrl(), '--log-format', 'json', '--access-log', 'on'];
    const child = spawn(process.execPath, command(given), { cwd: ROOT, env: environment });
    endLater(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => said.includes('\n'), 'the service listens', PATIENCE);
    const { url, pid } = JSON.parse(said) as { url: string; pid: number };
    const workers = childrenOf(child.pid!).filter(isService);
    for (const name of ['a', 'b']) await post(url, name);
    child.kill('SIGTERM');
    await once(child, 'close');
    const lines = said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { pid: number; method?: string });
    const pids = (isRequest: boolean): number[] =>
      lines.filter(({ method }) => (method !== undefined) === isRequest).map((line) => line.pid);
    assert.deepEqual(pids(true).sort(), workers.sort());
    assert.deepEqual(pids(false), [pid, pid]);
  });

  test('--access-log 5, a pipe that is full at times → whole lines of each worker, none is missing', async () => {
    const fifo = join(temporaryFolder({}), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const descriptor = openSync(fifo, 'w');
    const { url, child, exited } = await start(['--access-log', '5'], descriptor);
    closeSync(descriptor);
    const paths = Array.from({ length: 600 }, (_, at) => `/${'a'.repeat(at)}/${'b'.repeat(at)}/${at}`);
    // Nothing is read meanwhile, and a pipe takes 64 KiB: the lines wait in the workers.
    for (let at = 0; at < paths.length; at += 20)
      await Promise.all(
        paths.slice(at, at + 20).map((path) => fetch(url + path, { headers: { Connection: 'close' } })),
      );
    const read = new Socket({ fd: reader }).toArray() as Promise<Buffer[]>;
    child.kill('SIGTERM');
    const text = Buffer.concat(await read).toString();
    assert.deepEqual(await exited, [0, null]);
    const logged = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path: string }).path);
    assert.deepEqual(logged.sort(), paths.sort());
  });

  test('nobody reads what the workers write, and requests fail → they serve, and SIGTERM ends them with 0', async () => {
    const counts = `let uncaught = 0;
      process.on('uncaughtExceptionMonitor', () => uncaught++);
      export default { name: 'counts', stages: [(context, next) => {
        if (context.path === '/fails') throw new Error('no luck');
        return context.path === '/uncaught' ? { status: 200, headers: [], body: String(uncaught) } : next(context);
      }] };`;
    const { url, child, exited } = await start([
      '--plugin',
      join(temporaryFolder({ 'counts.mjs': counts }), 'counts.mjs'),
    ]);
    child.stdout!.destroy();
    child.stderr!.destroy();
    // A connection of its own leads to the next worker.
    const get = (path: string): Promise<Response> => fetch(url + path, { headers: { Connection: 'close' } });
    for (let count = 0; count < 9; count++) assert.equal((await get('/fails')).status, 500);
    for (let count = 0; count < 9; count++) assert.equal(await (await get('/uncaught')).text(), '0');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});
