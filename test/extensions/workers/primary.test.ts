/** Several processes that serve one port over one Redis list (D87), as processes of their own. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { emptyAccount, loadUntilGone } from '../../abuse/faults/load.ts';
import { CLIENT_FOLDER, noEngine, type RunningEngine, startEngine } from '../../support/lasting-stores.ts';
import { PROGRAM } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

/** Milliseconds: a worker takes a second to start on a busy machine. */
const PATIENCE = 30_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const environment = { ...process.env, NODE_PATH: CLIENT_FOLDER };
const command = (flags: readonly string[]): string[] => [...PROGRAM, '--port', '0', ...flags];

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

/** A service of several processes. */
interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  /** The processes that serve, without the primary and what tsx starts. */
  workers(): number[];
  errors(): string;
  /** What it has written to standard output. */
  said(): string;
  exited: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
}

describe('D87 – three workers', { skip: noEngine('redis-server') }, () => {
  let engine: RunningEngine;
  const all: ChildProcess[] = [];

  before(async () => {
    engine = await startEngine('redis-server', '--appendonly', 'no');
  });
  afterEach(() => engine.signal('SIGCONT'));
  after(async () => {
    for (const child of all) if (child.exitCode === null) child.kill('SIGKILL');
    await engine.stop();
  });

  async function start(flags: readonly string[] = [], fifth?: number): Promise<Running> {
    const given = ['--workers', '3', '--store', engine.url(), '--health-checks', 'on', ...flags];
    const child = spawn(process.execPath, command(given), {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', fifth ?? 'ignore'],
    });
    all.push(child);
    let said = '';
    let errors = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const exited = once(child, 'exit') as Promise<unknown> as Running['exited'];
    await until(() => /Page .*\n/.test(said) || child.exitCode !== null, 'the service listens', PATIENCE);
    const url = /http:\/\/\S+(?=\/api\/todo)/.exec(said)?.[0];
    assert.ok(url !== undefined, errors);
    assert.equal(said.split('\n').length, 4, 'the addresses are printed once');
    const workers = (): number[] => childrenOf(child.pid!).filter(isService);
    assert.equal(workers().length, 3);
    return { child, url, workers, errors: () => errors, said: () => said, exited };
  }

  const post = (url: string, name: string): Promise<Response> =>
    fetch(`${url}/api/todo`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ name }),
    });
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

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} to all processes, as a terminal and a service manager send it → each request is answered, code 0`, async () => {
      const { url, workers, child, exited } = await start();
      engine.signal('SIGSTOP');
      const answers = Array.from({ length: 6 }, (_, at) => post(url, `s${at}`));
      // The stop begins while the store keeps the requests waiting.
      await until(() => connectionsTo(url) >= 6, 'six connections', PATIENCE);
      for (const pid of [...workers(), child.pid!]) process.kill(pid, signal);
      engine.signal('SIGCONT');
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
    engine.signal('SIGSTOP');
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
    const load = loadUntilGone(
      Number(new URL(url).port),
      4,
      () => 'GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n',
      account,
    );
    await until(() => account.answered > 100, 'the load', PATIENCE);
    child.kill('SIGHUP');
    await until(() => said().includes('SIGHUP: all workers are replaced'), 'the replacement', 3 * PATIENCE);
    assert.deepEqual([account.lost, account.refused], [[], 0]);
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
    const given = ['--workers', '2', '--store', engine.url(), '--log-format', 'json', '--access-log', 'on'];
    const child = spawn(process.execPath, command(given), { cwd: ROOT, env: environment });
    all.push(child);
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

function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

function isService(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(PROGRAM.at(-1)!);
  } catch {
    return false;
  }
}

/** Established connections to the port of a URL, as the system counts those of the server. */
function connectionsTo(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => new RegExp(`^ *\\d+: 0100007F:${port} \\S+ 01 `).test(line)).length;
}
