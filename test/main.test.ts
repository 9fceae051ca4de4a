/** Tests what the process writes to standard error while it starts and while it runs (D32). */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from './support/program.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { until } from './support/until.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FILE = 'file\u001b[31m\u0085.js';
const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'late.js': `export default { name: "late", start() {
    setTimeout(() => { throw new Error("late\\u001b[31m\\nsecond"); });
    return new Promise(() => {});
  } };`,
  'never.js': 'export default () => new Promise(() => {});',
  'waits.js': 'export default { name: "waits", start: () => new Promise(() => {}) };',
  'composed.js': 'export default { name: "composed", composed() { throw new Error("no such route"); } };',
  'limit.js': `export default ({ route, text }) => ({ name: 'limit', routes: [{
    ...route({ path: 'big', handle: () => text('') }), assertLimits() { throw new RangeError('Cannot serve "big"'); } }] });`,
  'failing.js': 'export default { name: "failing", start() { throw new Error("no disk"); } };',
  'stuck.js': 'export default { name: "stuck", stop: () => new Promise(() => setInterval(() => {}, 1000)) };',
  'throws.js': 'throw new Error("no\\u009b31m luck");',
  [FILE]: 'export default {};',
  'talks.js': `export default { name: "talks", start() { setTimeout(() => {
    process.emitWarning("first\\nsecond", "Odd\\u001b[31mWarning");
    Promise.reject("rejected\\nby nobody");
    throw Object.assign(new Error("thrown\\u2028by nobody"), { cause: new Error("behind") });
  }, 50).unref(); }, stop() { throw new Error("stuck\\n"); } };`,
  // Standard output may have no reader, so the port is told in another way.
  'counts.js': `import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...where) {
    this.once("listening", () => process.send(this.address().port));
    return listen.apply(this, where);
  };
  let uncaught = 0;
  process.on("uncaughtExceptionMonitor", () => uncaught++);
  export default { name: "counts", stages: [(context, next) => {
    if (context.path === "/fails") throw new Error("no luck");
    return context.path === "/uncaught" ? { status: 200, headers: [], body: String(uncaught) } : next(context);
  }] };`,
});

const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:PORT|HOST|TODO_\w+|NODE_OPTIONS)$/.test(name)),
);
const command = (...flags: readonly string[]): string[] => [...PROGRAM, ...flags];
const start = (flags: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, command(...flags), {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...clean, ...environment },
  });

const plugin = (name: string): string => join(folder, name);
for (const [flags, environment, code, lines] of [
  [
    ['--port', '80a', '--prot'],
    { HOST: 'a b' },
    2,
    [/^Cannot use the flag "--prot": .*did you mean --port/, /^Cannot use --port "80a": /, /^Cannot use HOST "a b": /],
  ],
  [
    [],
    { HOST: 'no-such-host.invalid', TODO_PLUGIN: [plugin('throws.js'), plugin(FILE)].join(',') },
    1,
    [
      /^Cannot use HOST "no-such-host\.invalid": /,
      /^Cannot use TODO_PLUGIN "throws\.js": it fails with "no\\u009b31m luck"; /,
      /^Cannot use TODO_PLUGIN "file\\u001b\[31m ?\.js": its plugin has no name; /,
    ],
  ],
  [['--port', '0', '--plugin', plugin('late.js')], {}, 1, [/^Cannot start: late\\u001b\[31m second$/]],
] as const) {
  test(`D32 – ${JSON.stringify([flags, environment]).replaceAll(folder, '')} → exit code ${code}, a plain line for each fault`, () => {
    const { status, stderr } = start(flags, environment);
    const written = stderr.split('\n').slice(0, -1);
    assert.equal(written.length, lines.length, stderr);
    for (const [at, line] of written.entries()) assert.match(line, lines[at]!);
    assert.doesNotMatch(stderr, /[^\n\P{Cc}]/u);
    assert.equal(status, code);
  });
}

test('D32 – the port of the variable is taken → the line names the variable', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { status, stderr } = start([], { PORT: String(port) });
  other.close();
  assert.equal(
    stderr,
    `Cannot listen on "127.0.0.1:${port}": another program listens there; stop it, or choose another PORT\n`,
  );
  assert.equal(status, 1);
});

/** A program that runs until the end of the test, with what it has written to its streams. */
function running(t: TestContext, flags: readonly string[], stdio: StdioOptions = 'pipe') {
  const child = spawn(process.execPath, command('--port', '0', ...flags), { cwd: ROOT, env: clean, stdio });
  t.after(() => child.kill('SIGKILL'));
  const written = { out: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (written.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (written.errors += text));
  return { child, written };
}

/** The lines of a stream, each an object, as a parser of every line reads them. */
const objectsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, any>);

test('one line – what a plugin throws, rejects and warns while the service runs, and a stop that fails → JSON lines alone', async (t) => {
  const { child, written } = running(t, ['--plugin', plugin('talks.js')]);
  await until(() => written.errors.split('\n').length > 3, 'the plugin has talked');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [1, null]);
  const said = written.errors;
  const lines = objectsOf(said);
  const about = (text: string) => lines.find(({ error, message }) => String(error ?? message).includes(text));
  assert.equal(lines.length, 4, said);
  assert.deepEqual([about('first\nsecond')?.['level'], about('thrown')?.['level']], ['warning', 'error']);
  assert.equal(about('thrown')?.['error'], 'Error: thrown\u2028by nobody');
  assert.equal(about('thrown')?.['cause'].error, 'Error: behind');
  assert.match(about('thrown')?.['stack'], /talks\.js/);
  assert.equal(about('rejected')?.['error'], 'rejected\nby nobody');
  assert.match(JSON.stringify(about('Cannot stop')), /Cannot stop the plugin \\"talks\\" cleanly: stuck/);
  assert.doesNotMatch(said, /[^\n\P{Cc}]|\u2028/u);
});

test('D32 – a plugin whose stop never settles → the grace ends it, with a line that names it and code 0', async (t) => {
  const { child, written } = running(t, ['--shutdown-grace', '1s', '--plugin', plugin('stuck.js')]);
  await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.match(written.errors, /Cannot wait longer for the plugin \\"stuck\\": a stop may not take more time/);
});

test('D110 – --log-format json → every line of both streams is an object that names its process, from start to stop', async (t) => {
  const flags = ['--log-format', 'json', '--access-log', 'on', '--plugin', plugin('talks.js')];
  const { child, written: streams } = running(t, flags);
  const isUp = () => streams.out.includes('\n') && streams.errors.split('\n').length > 3;
  await until(isUp, 'it listens, and the plugin has talked', 20_000);
  const { url } = objectsOf(streams.out)[0] as { url: string };
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await (await fetch(`${url}/api/todo/none`, { headers: { traceparent, 'User-Agent': 'a'.repeat(1000) } })).text();
  await until(() => streams.out.includes('/api/todo/none'), 'the line of the request');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [1, null]);
  const [written, told] = [objectsOf(streams.out), objectsOf(streams.errors)];
  const [listens, request, stops] = written;
  assert.deepEqual([listens!['message'], stops!['message']], ['The service listens', 'SIGTERM: stopping']);
  assert.equal(listens!['items'], 'in memory, lost at a restart');
  assert.deepEqual(
    ['method', 'status', 'route', 'userAgent', 'traceId', 'spanId', 'aborted'].map((name) => request![name]),
    ['GET', 404, '/api/todo/{id}', 'a'.repeat(256), ...traceparent.split('-').slice(1, 3), undefined],
  );
  assert.deepEqual([written.length, told.length], [3, 4]);
  for (const line of [...written, ...told]) {
    assert.deepEqual([line['service'], line['pid']], ['todo-item-service', Number(listens!['pid'])]);
    assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(String(line['level']), /^(?:info|warning|error)$/);
  }
});

for (const [flags, environment] of [
  [['--log-format', 'json', '--port', '80a', '--prot'], {}],
  [['--port', '80a', '--prot'], { TODO_LOG_FORMAT: 'json' }],
] as const)
  test(`D110 – ${[...flags, ...Object.keys(environment)].join(' ')} → each fault of the start is an object`, () => {
    const { status, stderr } = start(flags, environment);
    assert.equal(status, 2);
    assert.deepEqual(
      objectsOf(stderr).map(({ level, message }) => [level, String(message).slice(0, 17)]),
      [
        ['error', 'Cannot use the fl'],
        ['error', 'Cannot use --port'],
      ],
    );
  });

test('D110 – a file that is copied and emptied while it is logged to (copytruncate) → whole lines from its beginning', async (t) => {
  const file = join(temporaryFolder({}), 'access.log');
  const descriptor = openSync(file, 'a');
  const { child } = running(t, ['--access-log', 'on'], ['ignore', descriptor, 'inherit']);
  closeSync(descriptor);
  await until(() => readFileSync(file, 'utf8').includes('\n'), 'it listens', 20_000);
  const [url] = /http:\/\/\S+/.exec(readFileSync(file, 'utf8'))!;
  for (const name of ['before', 'behind']) {
    await (await fetch(`${url}/${name}`)).text();
    await until(() => readFileSync(file, 'utf8').includes(name), `the line of /${name}`);
    if (name === 'before') truncateSync(file);
  }
  const { path, status } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  assert.deepEqual([path, status], ['/api/todo/behind', 404]);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

const STUCK = 'Cannot start: a file or a plugin waits for a promise that never settles; correct the file or the start';
for (const [what, file, line] of [
  ['whose file waits for nothing', 'never.js', STUCK],
  ['whose start waits for nothing', 'waits.js', STUCK],
  ['whose start throws', 'failing.js', 'Cannot start the plugin "failing": no disk'],
  ['whose composition throws', 'composed.js', 'Cannot start: no such route'],
  ['whose limit does not fit', 'limit.js', 'Cannot serve "big"'],
] as const)
  test(`D32 – a plugin ${what} → one line and code 2, after which systemd does not restart the service`, () => {
    const { status, stderr, stdout } = start(['--port', '0', '--plugin', plugin(file)]);
    assert.equal(stderr, `${line}\n`);
    assert.deepEqual([status, stdout], [2, '']);
  });

const FIFO = join(folder, 'fifo');

/** What a log is written to, and how its reader ends. */
interface Written {
  readonly given: number | 'pipe';
  end(child?: ChildProcess): void;
  close(): void;
}

/** Each makes a descriptor that is given to the service, which writes to it while nothing takes what is written. */
const WRITTEN = {
  pipe(): Written {
    execFileSync('mkfifo', [FIFO]);
    const reader = openSync(FIFO, constants.O_RDONLY | constants.O_NONBLOCK);
    const given = openSync(FIFO, 'w');
    rmSync(FIFO);
    return { given, end: () => closeSync(reader), close: () => closeSync(given) };
  },
  // Node connects two processes by a pair of sockets.
  socket: (descriptor: number): Written => ({
    given: 'pipe',
    end: (child) => child?.stdio.at(descriptor)?.destroy(),
    close() {},
  }),
  'full disk'(): Written {
    const given = openSync('/dev/full', 'w');
    return { given, end() {}, close: () => closeSync(given) };
  },
};

type Way = readonly [kind: keyof typeof WRITTEN, when: 'at the start' | 'later'];
const LOGGED = ['--access-log', 'on'];
const LOST: readonly (readonly [descriptors: readonly number[], flags: readonly string[], ...way: Way])[] = [
  [[2], [], 'pipe', 'at the start'],
  [[2], [], 'socket', 'at the start'],
  [[1, 2], LOGGED, 'pipe', 'later'],
  [[1, 2], LOGGED, 'socket', 'later'],
  [[1, 2], LOGGED, 'full disk', 'at the start'],
];
for (const [descriptors, flags, kind, when] of LOST)
  test(`D62 – ${kind}: nobody reads ${['descriptor', ...descriptors, ...flags].join(' ')}, ${when}; three requests fail → nothing is uncaught, it serves, SIGTERM ends it with 0`, {
    skip: process.platform !== 'linux' && 'needs mkfifo and /dev/full',
  }, async (t) => {
    const written = new Map(descriptors.map((at) => [at, WRITTEN[kind](at)]));
    const end = (child?: ChildProcess): void => {
      for (const one of written.values()) one.end(child);
    };
    if (when === 'at the start' && kind === 'pipe') end();
    const stdio = [0, 1, 2, 3, 4, 5].map((at) => (at === 3 ? 'ipc' : (written.get(at)?.given ?? 'ignore')));
    const { child } = running(t, ['--plugin', plugin('counts.js'), ...flags], stdio);
    for (const one of written.values()) one.close();
    if (when === 'at the start' && kind === 'socket') end(child);
    const [port] = (await once(child, 'message')) as [number];
    if (when === 'later') end(child);
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
    for (let count = 0; count < 3; count++) assert.equal((await get('/fails')).status, 500);
    for (let count = 0; count < 50; count++) assert.equal((await get('/api/todo')).status, 200);
    assert.equal(await (await get('/uncaught')).text(), '0');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
