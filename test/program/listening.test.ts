/** Where the service listens beside a port: Unix sockets (D114). */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { HOME } from '../abuse/running-service.ts';
import { PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const LONG = { timeout: 180_000 };
/** Milliseconds: a start takes long on a busy machine. */
const PATIENCE = 60_000;

/** Starts the program. */
function run(t: TestContext, flags: readonly string[]) {
  const child = spawn(process.execPath, [...PROGRAM, ...flags], { cwd: HOME });
  t.after(() => void child.kill('SIGKILL'));
  let said = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'close') as Promise<unknown>;
  return {
    child,
    said: () => said,
    errors: () => errors,
    listens: () => until(() => /Page .*\n/.test(said) || child.exitCode !== null, 'the service listens', PATIENCE),
    async stop(): Promise<unknown> {
      child.kill('SIGTERM');
      return exited;
    },
    exited,
  };
}

interface Asked {
  readonly status: number | undefined;
  readonly location: string | undefined;
}

/** Asks at a path of a Unix socket, or at a port. */
async function ask(
  where: string | number,
  method = 'GET',
  headers: Record<string, string> = {},
  path = '/api/todo',
): Promise<Asked> {
  const place = typeof where === 'string' ? { socketPath: where } : { port: where, host: '127.0.0.1' };
  const asking = request({ ...place, method, path, headers, agent: false });
  asking.end(method === 'POST' ? '{"name":"a"}' : undefined);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, location: response.headers.location };
}

const socketPath = (): string => join(temporaryFolder({}), 'http.sock');
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

for (const [trace, line] of [
  ['on', /^Trace        http:\S+\/trace \(for this machine; --trace any for everyone\)$/m],
  ['any', /^Trace        http:\S+\/trace$/m],
] as const)
  test(`D93 – --trace ${trace} → the start prints where the trace is, and for whom`, LONG, async (t) => {
    const { listens, said, stop } = run(t, ['--port', '0', '--trace', trace]);
    await listens();
    assert.match(said(), line);
    await stop();
  });

test(
  'D114 – --host unix:/path → it serves there with the mode, --health asks there, and a stop removes the socket',
  LONG,
  async (t) => {
    const path = socketPath();
    const host = ['--host', `unix:${path}`];
    const { listens, said, stop } = run(t, [...host, '--health-checks', 'on']);
    await listens();
    assert.match(said(), new RegExp(`^To-do items  http://unix:${path}:/api/todo\n`));
    assert.equal(modeOf(path), 0o660);
    assert.equal((await ask(path)).status, 200);
    const health = spawnSync(process.execPath, [...PROGRAM, ...host, '--health', '--health-checks', 'on'], {
      cwd: HOME,
      encoding: 'utf8',
    });
    assert.deepEqual([health.stdout, health.status], ['GET /ready: 200\n', 0]);
    assert.deepEqual(await stop(), [0, null]);
    assert.equal(existsSync(path), false);
  },
);

for (const [trusted, prefix] of [
  ['unix', '/outside'],
  ['loopback', ''],
] as const)
  test(
    `D114 – --trusted-proxies ${trusted}, a proxy at the Unix socket → its prefix is ${prefix === '' ? 'not ' : ''}believed`,
    LONG,
    async (t) => {
      const path = socketPath();
      const { listens, stop } = run(t, ['--host', `unix:${path}`, '--trusted-proxies', trusted]);
      await listens();
      assert.equal(modeOf(path), 0o660);
      const headers = {
        'Content-Type': 'application/json',
        'X-Forwarded-For': '192.0.2.1',
        'X-Forwarded-Prefix': '/outside',
      };
      const { location } = await ask(path, 'POST', headers);
      assert.equal(location?.replace(/[^/]+$/, ''), `${prefix}/api/todo/`);
      await stop();
    },
  );

test(
  'D114 – a socket that a killed service has left → replaced; one that is answered, and a file → refused and left',
  LONG,
  async (t) => {
    const path = socketPath();
    const first = run(t, ['--host', `unix:${path}`]);
    await first.listens();
    first.child.kill('SIGKILL');
    await first.exited;
    assert.ok(existsSync(path));
    const second = run(t, ['--host', `unix:${path}`]);
    await second.listens();
    const third = run(t, ['--host', `unix:${path}`]);
    assert.deepEqual(await third.exited, [1, null]);
    const refused = `Cannot listen on "unix:PATH": another program answers there, or it is no socket; stop that, or choose another --host\n`;
    assert.equal(third.errors(), refused.replace('PATH', path));
    assert.equal((await ask(path)).status, 200);
    await second.stop();
    writeFileSync(path, 'kept');
    const fourth = run(t, ['--host', `unix:${path}`]);
    assert.deepEqual(await fourth.exited, [1, null]);
    assert.equal(fourth.errors(), refused.replace('PATH', path));
    assert.ok(lstatSync(path).isFile());
  },
);

test('D114 – a folder that is not there → one line, exit code 1', LONG, async (t) => {
  const path = join(temporaryFolder({}), 'none/http.sock');
  const { exited, errors } = run(t, ['--host', `unix:${path}`]);
  assert.deepEqual(await exited, [1, null]);
  assert.match(
    errors(),
    /^Cannot listen on "unix:.*": there is no such folder, or this user may not write to it; .*\n$/,
  );
});
