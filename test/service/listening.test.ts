/**
 * Tests Unix sockets (D114), the admin port (D117) and the output of `--health`, in separate processes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { askHealth } from '../../src/service/ask-health.ts';
import { readSettings } from '../../src/service/settings/settings.ts';
import { type Start, spawnService } from '../abuse/running-service.ts';
import { Client } from '../support/ask.ts';
import { freePort } from '../support/lasting-stores.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const LONG = { timeout: 180_000 };
/** In milliseconds: a start is slow on a busy machine. */
const PATIENCE = 60_000;
const ADMIN = ['--metrics', 'on', '--health-checks', 'on', '--admin-port', '0'];

/** Starts the program and waits until it has printed its addresses. */
async function start(t: TestContext, flags: readonly string[], env: Start['env'] = {}) {
  const { child, exited, errors } = spawnService({ flags, env });
  t.after(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // The line of the admin port is the last line.
  const last = flags.some((flag) => flag.startsWith('--admin')) ? /Admin port .*\n/ : /Page .*\n/;
  const isOver = () => last.test(said) || child.exitCode !== null;
  await until(isOver, 'the service listens', PATIENCE);
  assert.match(said, /\/api\/todo\n/, errors());
  const [port = 0, admin = 0] = [/:(\d+)(?:\/tools)?\/api\/todo\n/, /Admin port {3}http:\/\/\S*:(\d*)\n/].map((one) =>
    Number(one.exec(said)?.[1]),
  );
  return { child, exited, said, port, admin };
}

/** Starts the program, expects this exit code, and returns the error line. */
async function failed(code: number, flags: readonly string[], env: Start['env'] = {}): Promise<string> {
  const { exited, errors } = spawnService({ flags, env });
  assert.deepEqual(await exited, { code, signal: null });
  return errors();
}

/** Sends a request to a Unix socket or to a port. */
async function ask(place: number | RequestOptions, path: string, body?: string) {
  const where = typeof place === 'number' ? { port: place } : place;
  const asking = request({ host: '127.0.0.1', agent: false, ...where, path }).end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response), location: response.headers.location };
}

const statusOf = async (place: number | RequestOptions, path: string) => (await ask(place, path)).status;

/** Returns the output of `--health` with these flags, and its exit code. */
function health(...flags: readonly string[]): unknown[] {
  const { stdout, status } = runProgram('--health', ...flags);
  return [stdout, status];
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

test(
  'D114 – --host unix:/path → the service listens there with the mode, --health uses it, a stop removes it',
  LONG,
  async (t) => {
    const path = join(temporaryFolder({}), 'http.sock');
    const flags = ['--host', `unix:${path}`, '--health-checks', 'on'];
    const { child, exited, said } = await start(t, [...flags, '--trace', 'on']);
    assert.match(said, new RegExp(`^To-do items  http://unix:${path}:/api/todo\n`));
    assert.match(said, /^Trace        http:\S+\/trace \(for this machine; --trace any for everyone\)$/m);
    assert.equal(modeOf(path), 0o660);
    assert.equal(await statusOf({ socketPath: path }, '/api/todo'), 200);
    assert.deepEqual(health(...flags), ['GET /health: 200\n', 0]);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null });
    assert.equal(existsSync(path), false);
  },
);

test(
  'D114 – a proxy at the Unix socket → its prefix is used if unix is trusted, not if loopback is trusted',
  LONG,
  async (t) => {
    for (const [trusted, prefix] of [
      ['unix', '/outside'],
      ['loopback', ''],
    ] as const) {
      const socketPath = join(temporaryFolder({}), 'http.sock');
      const { said } = await start(t, ['--host', `unix:${socketPath}`, '--trusted-proxies', trusted, '--trace', 'any']);
      assert.match(said, /^Trace        http:\S+\/trace$/m);
      const headers = {
        'Content-Type': 'application/json',
        'X-Forwarded-For': '192.0.2.1',
        'X-Forwarded-Prefix': '/outside',
      };
      const { location } = await ask({ socketPath, method: 'POST', headers }, '/api/todo', '{"name":"a"}');
      assert.equal(location?.replace(/[^/]+$/, ''), `${prefix}/api/todo/`);
    }
  },
);

test(
  'D114 – a stale socket of a killed service → replaced; a socket in use and a file → an error, and both stay',
  LONG,
  async (t) => {
    const path = join(temporaryFolder({}), 'http.sock');
    const host = ['--host', `unix:${path}`];
    const first = await start(t, host);
    first.child.kill('SIGKILL');
    await first.exited;
    assert.ok(existsSync(path));
    const second = await start(t, host);
    const refused = `Cannot listen on "unix:${path}": another program answers there, or the file is not a socket; choose another --host\n`;
    assert.equal(await failed(1, host), refused);
    assert.equal(await statusOf({ socketPath: path }, '/api/todo'), 200);
    second.child.kill('SIGTERM');
    await second.exited;
    writeFileSync(path, 'kept');
    assert.equal(await failed(1, host), refused);
    assert.ok(lstatSync(path).isFile());
    const folder = 'the folder does not exist, or this user may not write to it';
    assert.match(
      await failed(1, ['--host', `unix:${temporaryFolder({})}/none/a.sock`]),
      new RegExp(`": ${folder}; .*\n$`),
    );
  },
);

test('D117 – --admin-port → serves its paths in any spelling, and not those of the service', LONG, async (t) => {
  const { port, admin } = await start(t, [...ADMIN, '--trace', 'on', '--base-path', '/tools']);
  for (const [path, service, operators] of [
    ['/metrics', 404, 200],
    ['/METRICS', 404, 200],
    ['/./metrics', 404, 200],
    ['/x/../metrics', 404, 200],
    ['/%6Detrics', 404, 404],
    ['/metrics/', 404, 200],
    ['/tools/metrics', 404, 404],
    ['/health', 404, 200],
    ['/ready', 404, 200],
    ['/trace', 404, 200],
    ['/Trace/requests', 404, 200],
    ['/tools/trace', 404, 404],
    ['/api/todo', 200, 404],
    ['/swagger/ui', 200, 404],
  ] as const)
    assert.deepEqual([path, await statusOf(port, path), await statusOf(admin, path)], [path, service, operators]);
  const { text } = await ask(admin, '/metrics');
  // Requests to the admin port are not counted. On the main port these paths are ordinary paths.
  assert.match(text, /\nhttp_requests_total\{method="GET",route="none",status="404"\} 12\n/);
  assert.match(text, /\nhttp_requests_total\{method="GET",route="\/api\/todo",status="200"\} 1\n/);
  assert.equal(JSON.parse((await ask(admin, '/trace/requests')).text).length, 14);
});

test(
  'D117 – shutdown → the admin port answers until the last request ends: /ready 503, /health 200; then code 0',
  LONG,
  async (t) => {
    const { child, exited, port, admin } = await start(t, [...ADMIN, '--drain-delay', '500ms']);
    const client = new Client(port);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '12' };
    await client.send({ method: 'POST', target: '/api/todo', headers, body: '{' });
    assert.equal(await statusOf(admin, '/ready'), 200);
    child.kill('SIGTERM');
    await until(async () => (await statusOf(admin, '/ready')) === 503, 'the drain');
    const refused = (): Promise<boolean> =>
      statusOf(port, '/api/todo').then(
        () => false,
        () => true,
      );
    await until(refused, 'the port of the service is closed');
    assert.deepEqual([await statusOf(admin, '/ready'), await statusOf(admin, '/health')], [503, 200]);
    assert.match((await ask(admin, '/metrics')).text, /\nhttp_requests_in_flight 1\n/);
    await client.send('"name":"a"}');
    assert.equal((await client.answer()).status, 201);
    assert.deepEqual(await exited, { code: 0, signal: null });
    await assert.rejects(statusOf(admin, '/health'), { code: 'ECONNREFUSED' });
  },
);

test(
  'D117 – --health → requests /health at the admin port, or without checks the service; a second service → code 1',
  LONG,
  async (t) => {
    const { port, admin } = await start(t, [...ADMIN, '--allowed-hosts', 'api.example,127.0.0.1']);
    const place = ['--port', String(port), '--admin-port', String(admin), '--allowed-hosts', 'api.example'];
    assert.deepEqual(health(...place), ['GET /health: 200\n', 0]);
    assert.deepEqual(health(...place, '--health-checks', 'off'), ['HEAD /swagger/v1/swagger.json: 200\n', 0]);
    const taken = `Cannot listen on "127.0.0.1:${admin}": another program listens there; stop it, or choose another`;
    assert.equal(await failed(1, ['--admin-port', String(admin)]), `${taken} --admin-port\n`);
    assert.equal(await failed(1, [], { TODO_ADMIN_PORT: String(admin) }), `${taken} TODO_ADMIN_PORT\n`);
    const unknown = /^Cannot use --admin-host "none\.invalid": .*\n$/;
    assert.match(await failed(1, [...ADMIN, '--admin-host', 'none.invalid']), unknown);
  },
);

test(
  'D117 – --admin-host unix:/path → a socket; --health uses it, a stale socket is replaced, a stop removes it',
  LONG,
  async (t) => {
    const socketPath = join(temporaryFolder({}), 'admin.sock');
    const flags = ['--metrics', 'on', '--health-checks', 'on', '--admin-host', `unix:${socketPath}`, '--trace', 'on'];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { child, exited, said } = await start(t, flags);
      assert.match(said, new RegExp(`Admin port {3}http://unix:${socketPath}:\n`));
      assert.equal(await statusOf({ socketPath }, '/metrics'), 200);
      // The request of `curl --unix-socket`. The trace refuses requests with another host name or from a proxy.
      for (const [headers, status] of [
        [{ Host: 'localhost' }, 200],
        [{ Host: 'evil.example' }, 403],
        [{ Host: 'localhost', 'X-Forwarded-For': '192.0.2.1' }, 403],
        [{ Host: 'localhost', Origin: 'http://evil.example' }, 403],
      ] as const)
        for (const file of ['/trace', '/trace/requests'])
          assert.equal(await statusOf({ socketPath, headers }, file), status, JSON.stringify(headers));
      assert.deepEqual(health(...flags), ['GET /health: 200\n', 0]);
      child.kill(signal);
      await exited;
      assert.equal(existsSync(socketPath), signal === 'SIGKILL');
    }
  },
);

test('D117 – --log-format json → the start line has the address', LONG, async (t) => {
  const { child } = spawnService({ flags: [...ADMIN, '--log-format', 'json'] });
  t.after(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  assert.match((JSON.parse(line) as { readonly adminUrl: string }).adminUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
});

async function asked(answer: RequestListener, healthChecks = false, host = '0.0.0.0', address = '127.0.0.1') {
  const server = createServer(answer).listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const health = await askHealth({ ...readSettings([], {}), host, port, healthChecks });
  server.close();
  server.closeAllConnections();
  return health;
}

test('operation – the connection is cut → unhealthy', async () => {
  const health = await asked((request) => request.socket.destroy());
  assert.equal(health.healthy, false);
});

test('operation – nothing listens, or the address is unknown → unhealthy, and an error line', async () => {
  const port = await freePort();
  const line = `Cannot ask the service at "127.0.0.1" port ${port}: ECONNREFUSED`;
  assert.deepEqual(await askHealth({ ...readSettings([], {}), port }), { healthy: false, line });
  assert.equal((await askHealth({ ...readSettings([], {}), port: 0 })).healthy, false);
});

for (const [host, address] of [
  ['::', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
] as const)
  test(`D45 – the service has ${host} and answers only at ${address} → the check uses this address`, async () => {
    assert.equal((await asked((_, response) => response.end('{}'), true, host, address)).healthy, true);
  });
