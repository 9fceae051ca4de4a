/** The trace of a running service: its page, its memory, and allowed clients. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { application as composed } from '../../src/core/application/application.ts';
import type { Plugin } from '../../src/core/application/plugin.ts';
import { app } from '../../src/service/app.ts';
import { readSettings } from '../../src/service/settings/settings.ts';
import { startService } from '../abuse/running-service.ts';
import { ask } from '../support/ask.ts';
import { often } from '../support/long-run.ts';
import { SOURCE_LOADER } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'large.js': `export default ({ route, text }) => ({
    name: 'large', routes: [route({ path: 'large', handle: () => text(Buffer.alloc(2e7, 'x').toString()) })] });`,
});

async function started(t: TestContext, ...flags: readonly string[]) {
  const settings = readSettings(flags, { TODO_TRACE: 'on' });
  const { service, application } = await app(settings);
  await application.start();
  const { port } = await service.listen(0);
  t.after(async () => {
    await service.close(0);
    await application.stop();
  });
  const statusOf = async (target: string, headers: Record<string, string>) =>
    (await ask(port, { target, headers: { ...LOCAL, ...headers } })).status;
  return { port, statusOf };
}
const LOCAL = { Host: 'localhost' };

test('D120 – probes of the service → are not recorded, and /health where there is an admin port is recorded', async () => {
  for (const [flags, recorded] of [
    [['--health-checks', 'on'], ['/api/todo']],
    [
      ['--admin-port', '0'],
      ['/api/todo', '/ready/', '/health'],
    ],
  ] as const) {
    const { application } = await app(readSettings(flags, { TODO_TRACE: 'any' }));
    for (const path of ['/health', '/ready/', '/api/todo']) await application.request(path);
    const { page } = application.plugins.find(({ name }) => name === 'trace') as unknown as { readonly page: Plugin };
    const targets = async (): Promise<string[]> => {
      const requests = await composed([page]).request('/trace/requests');
      return ((await requests.json()) as { readonly target: string }[]).map(({ target }) => target);
    };
    await until(async () => (await targets()).length >= recorded.length, 'the recordings are complete');
    assert.deepEqual(await targets(), recorded);
  }
});

/** Headers of allowed requests, of requests that only `--trace any` allows, and of requests that are never allowed. */
const NEAR: readonly Record<string, string>[] = [
  ...['localhost', 'LOCALHOST:8080', 'todo.localhost', '127.1.2.3:80', '[::1]:8080'].map((Host) => ({ Host })),
  { Origin: 'http://localhost' },
];
const FAR: readonly Record<string, string>[] = [
  ...['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'].map((Host) => ({ Host })),
  ...['X-Forwarded-For', 'CF-Connecting-IP'].map((name) => ({ [name]: '192.0.2.1' })),
  ...[{ Forwarded: 'for=192.0.2.1' }, { Via: '1.1 proxy' }, { 'X-Forwarded-Proto': 'https' }],
];
const FOREIGN: readonly Record<string, string>[] = [
  ...['http://evil.example', 'null'].map((Origin) => ({ Origin })),
  { 'Sec-Fetch-Site': 'cross-site' },
];
for (const [flag, answered, refused] of [
  ['any', [...NEAR, ...FAR], FOREIGN],
  ['on', NEAR, [...FAR, ...FOREIGN]],
] as const)
  test(`trace – --trace ${flag} → answers only allowed clients`, async (t) => {
    const { statusOf } = await started(t, '--trace', flag);
    for (const headers of [...answered, ...refused])
      for (const target of ['/trace', '/trace/trace.js', '/trace/requests', '/TRACE/pipeline']) {
        const status = await statusOf(target, headers);
        assert.equal(status, answered.includes(headers) ? 200 : 403, `${target} ${JSON.stringify(headers)}`);
      }
  });

test('trace – a trusted proxy names another client → refused', async (t) => {
  const { statusOf } = await started(t, '--trusted-proxies', 'loopback');
  assert.equal(await statusOf('/trace', { 'X-Forwarded-For': '192.0.2.1' }), 403);
});

test('trace – its page → has the policy of the other page, is found with and without a slash', async (t) => {
  const { port } = await started(t);
  const page = await ask(port, { target: '/trace', headers: LOCAL });
  assert.match(
    String(page.headers['content-security-policy']),
    /^default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  assert.match(page.body.toString(), /<h1>Trace<\/h1>/);
  const slash = await ask(port, { target: '/trace/', headers: LOCAL });
  assert.deepEqual([slash.status, slash.headers['location']], [307, '../trace']);
  assert.equal((await ask(port, { target: '/trace/..%2findex.html', headers: LOCAL })).status, 404);
});

test('trace – many replies of 20 MB and a heap of 150 MB → no body is recorded', async (t) => {
  const flags = ['--trace', 'on', '--plugin', join(folder, 'large.js')];
  const { port, child } = await startService({ flags, node: ['--max-old-space-size=150'] });
  t.after(() => child.kill());
  for (let count = 0; count < often(9, 30); count++)
    assert.equal((await (await fetch(`http://127.0.0.1:${port}/large`)).text()).length, 20_000_000);
});

test('trace – off → none of its files is loaded, and /trace is 404', async () => {
  const coverage = temporaryFolder({});
  const program = [...SOURCE_LOADER, 'src/main.ts'];
  const { port, stop } = await startService({ program, env: { NODE_V8_COVERAGE: coverage } });
  assert.equal((await ask(port, { target: '/trace' })).status, 404);
  await stop();
  const loaded = readdirSync(coverage)
    .map((file) => readFileSync(join(coverage, file), 'utf8'))
    .join();
  assert.match(loaded, /\/src\/service\/app\.ts/);
  assert.doesNotMatch(loaded, /\/src\/plugins\/trace\//);
});
