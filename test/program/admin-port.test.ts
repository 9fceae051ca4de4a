/** A port of their own for `/metrics`, `/health`, `/ready` and `/trace` (D117), as processes of their own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { HOME, type Start, spawnService } from '../abuse/running-service.ts';
import { Client } from '../support/ask.ts';
import { PROGRAM } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const LONG = { timeout: 180_000 };
/** Milliseconds: a start takes long on a busy machine. */
const PATIENCE = 60_000;
const ALL = ['--metrics', 'on', '--health-checks', 'on'];

/** A service that listens at two ports. */
async function start(t: TestContext, flags: readonly string[], env: Start['env'] = {}) {
  const { child, exited, errors } = spawnService({ flags: [...ALL, ...flags], env });
  t.after(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => /Admin port .*\n/.test(said) || child.exitCode !== null, 'the service listens', PATIENCE);
  const found = /:(\d+)(?:\/tools)?\/api\/todo\n[^]*Admin port {3}http:\/\/\S*:(\d*)\n/.exec(said);
  assert.ok(found !== null, said + errors());
  return { child, exited, errors, said: () => said, port: Number(found[1]), admin: Number(found[2]) };
}

async function ask(place: RequestOptions, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const [response] = (await once(request({ host: '127.0.0.1', agent: false, ...place, path }).end(), 'response')) as [
    IncomingMessage,
  ];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode!, text };
}

const statusOf = async (port: number, path: string): Promise<number> => (await ask({ port }, path)).status;

test(
  'D117 – --admin-port → its paths in any spelling are there alone, and the paths of the service are not',
  LONG,
  async (t) => {
    const { port, admin } = await start(t, ['--admin-port', '0', '--trace', 'on', '--base-path', '/tools']);
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
    const { text } = await ask({ port: admin }, '/metrics');
    // What is asked at the admin port is not counted; at the other one these are paths like all.
    assert.match(text, /\nhttp_requests_total\{method="GET",route="none",status="404"\} 12\n/);
    assert.match(text, /\nhttp_requests_total\{method="GET",route="\/api\/todo",status="200"\} 1\n/);
    const recorded = JSON.parse((await ask({ port: admin }, '/trace/requests')).text) as { readonly target: string }[];
    assert.equal(recorded.length, 14);
  },
);

test(
  'D117 – a stop → the admin port answers until the last request has ended: /ready 503, /health 200; then code 0',
  LONG,
  async (t) => {
    const { child, exited, port, admin } = await start(t, ['--admin-port', '0', '--drain-delay', '500ms']);
    const client = new Client(port);
    client.socket.write(
      'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{',
    );
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
    assert.match((await ask({ port: admin }, '/metrics')).text, /\nhttp_requests_in_flight 1\n/);
    client.socket.write('"name":"a"}');
    assert.equal((await client.answer()).status, 201);
    assert.deepEqual(await exited, { code: 0, signal: null });
    await assert.rejects(statusOf(admin, '/health'), { code: 'ECONNREFUSED' });
  },
);

test('D117 – --health → asks /ready at the admin port; without health checks the service', LONG, async (t) => {
  const { port, admin } = await start(t, ['--admin-port', '0', '--allowed-hosts', 'api.example,127.0.0.1']);
  const health = (flags: readonly string[]): unknown[] => {
    const place = ['--port', String(port), '--admin-port', String(admin), '--allowed-hosts', 'api.example'];
    const asked = spawnSync(process.execPath, [...PROGRAM, '--health', ...place, ...flags], {
      cwd: HOME,
      encoding: 'utf8',
    });
    return [asked.stdout, asked.status];
  };
  assert.deepEqual(health(['--health-checks', 'on']), ['GET /ready: 200\n', 0]);
  assert.deepEqual(health(['--metrics', 'on']), ['HEAD /swagger/v1/swagger.json: 200\n', 0]);
});

test('D117 – a port that is taken → one line that names the setting, code 1', LONG, async (t) => {
  const { admin } = await start(t, ['--admin-port', '0']);
  for (const [flags, env, name] of [
    [['--admin-port', String(admin)], {}, '--admin-port'],
    [[], { TODO_ADMIN_PORT: String(admin) }, 'TODO_ADMIN_PORT'],
  ] as const) {
    const { exited, errors } = spawnService({ flags: [...ALL, ...flags], env });
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.equal(
      errors(),
      `Cannot listen on "127.0.0.1:${admin}": another program listens there; stop it, or choose another ${name}\n`,
    );
  }
});

test('D117 – an admin host that does not resolve → one line that names it, code 1', LONG, async () => {
  const { exited, errors } = spawnService({ flags: [...ALL, '--admin-port', '0', '--admin-host', 'none.invalid'] });
  assert.deepEqual(await exited, { code: 1, signal: null });
  assert.match(errors(), /^Cannot use --admin-host "none\.invalid": .*\n$/);
});

test(
  'D117 – --admin-host unix:/path → a socket, --health asks there, a stale one is replaced, a stop removes it',
  LONG,
  async (t) => {
    const path = join(temporaryFolder({}), 'admin.sock');
    const flags = ['--admin-host', `unix:${path}`, '--trace', 'on'];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { child, exited, said } = await start(t, flags);
      assert.match(said(), new RegExp(`Admin port {3}http://unix:${path}:\n`));
      assert.equal((await ask({ socketPath: path }, '/metrics')).status, 200);
      // As `curl --unix-socket` asks it; the trace is for this machine, but not for a page of another name or for a proxy.
      for (const [headers, status] of [
        [{ Host: 'localhost' }, 200],
        [{ Host: 'evil.example' }, 403],
        [{ Host: 'localhost', 'X-Forwarded-For': '192.0.2.1' }, 403],
        [{ Host: 'localhost', Origin: 'http://evil.example' }, 403],
      ] as const)
        for (const file of ['/trace', '/trace/requests'])
          assert.equal((await ask({ socketPath: path, headers }, file)).status, status, JSON.stringify(headers));
      const asked = spawnSync(process.execPath, [...PROGRAM, '--health', ...ALL, ...flags], {
        cwd: HOME,
        encoding: 'utf8',
      });
      assert.deepEqual([asked.stdout, asked.status], ['GET /ready: 200\n', 0]);
      child.kill(signal);
      await exited;
      assert.equal(existsSync(path), signal === 'SIGKILL');
    }
  },
);

test('D117 – --log-format json → the line of the start has the address', LONG, async (t) => {
  const { child } = spawnService({ flags: [...ALL, '--admin-port', '0', '--log-format', 'json'] });
  t.after(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  assert.match((JSON.parse(line) as { readonly adminUrl: string }).adminUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
});
