/** `serve` starts, serves and stops an application (D77). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { serve } from '../../../src/core/application/serve.ts';
import { text } from '../../../src/core/http/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import { plain } from '../../support/plain-routes.ts';
import { LOADER, withLibrary } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { throwing } from '../../support/throwing.ts';

const recording = (notes: string[]): Plugin => ({
  name: 'recording',
  routes: [route({ path: 'hello', name: 'hello', handle: ({ link }) => text(link('hello')!) })],
  start: () => void notes.push('start'),
  stop: () => void notes.push('stop'),
});

test('D77 – serve → starts the application and answers below its base path; close stops everything once', async () => {
  const notes: string[] = [];
  const { url, service, close } = await serve(application([recording(notes)], { basePath: '/tools' }), { port: 0 });
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/tools$/);
  assert.equal(await (await fetch(`${url}/hello`)).text(), '/tools/hello');
  const closing = close();
  assert.equal(close(), closing);
  await closing;
  assert.deepEqual(notes, ['start', 'stop']);
  assert.equal(service.server.listening, false);
});

test('D77 – close with a drainDelay → new connections are answered for that time, then everything is stopped', async () => {
  const notes: string[] = [];
  const { url, service, close } = await serve(application([recording(notes)]), { port: 0, drainDelay: 500 });
  const closing = close();
  assert.equal(service.ready, false);
  const reply = await fetch(`${url}/hello`);
  assert.deepEqual([reply.status, reply.headers.get('Connection')], [200, 'close']);
  assert.deepEqual(notes, ['start']);
  await closing;
  assert.deepEqual(notes, ['start', 'stop']);
  assert.equal(service.server.listening, false);
});

test('D77 – the log of the application → gets errors of the server too', async () => {
  const logged: unknown[] = [];
  const broken: Plugin = { name: 'broken', outerStages: [throwing(new Error('outside of everything'))] };
  const composed = application([broken], { log: (error) => logged.push((error as Error).message) });
  const { url, close } = await serve(composed, { port: 0 });
  assert.equal((await fetch(url)).status, 500);
  await close();
  assert.deepEqual(logged, ['outside of everything']);
});

test('D77 – a port that is in use → rejects, and the started application is stopped', async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as { port: number };
  const notes: string[] = [];
  await assert.rejects(serve(application([recording(notes)]), { port }), { code: 'EADDRINUSE' });
  assert.deepEqual(notes, ['start', 'stop']);
  busy.close();
});

test('D77 – a plugin that cannot start → rejects without listening', async () => {
  const failing: Plugin = { name: 'failing', start: () => Promise.reject(new Error('no disk')) };
  await assert.rejects(serve(application([failing]), { port: 0 }), /Cannot start the plugin "failing": no disk/);
});

test('D77 – a certificate → the URL begins with https', async () => {
  const { url, close } = await serve(application([todo()]), { port: 0, tls: { cert: CERTIFICATE, key: KEY } });
  assert.match(url, /^https:/);
  await close();
});

for (const [option, value] of [
  ['basePath', '/x'],
  ['log', () => {}],
  ['trustedProxies', []],
  ['warn', () => {}],
] as const)
  test(`D77 – ${option} as an option of serve → a TypeError that names application(…)`, async () => {
    await assert.rejects(serve(application([]), { port: 0, [option]: value }), {
      name: 'TypeError',
      message: `Cannot serve with the option "${option}": it belongs to the application; write application(plugins, { ${option} })`,
    });
  });

for (const basePath of [
  ...['tools', '/tools/', '/a?b', '/', '/a b', '/a#b', '/a/../b', '/a/.', '/%2E%2e/a', '//a', '/a//b', '/\\a', '/a\\b'],
  ...['/a%', '/%zz', '/%ff', '/a%00', '/ü'],
])
  test(`D16 – the base path ${JSON.stringify(basePath)} → an error at composition and in HttpService`, () => {
    for (const compose of [
      () => application([], { basePath }),
      () => new HttpService({ handler: application([]).handler, basePath }),
    ])
      assert.throws(compose, ({ name, message }: Error) =>
        `${name}: ${message}`.startsWith(
          `TypeError: Cannot serve below the base path ${JSON.stringify(basePath)}: no request path begins with it`,
        ),
      );
  });

for (const basePath of ['/a', '/a/b.c', '/%C3%BC', '/a%2Fb', '/...', '/~a:@!$&'])
  test(`D16 – the base path ${basePath} → a request below it is answered`, async () => {
    const app = application([{ name: 'x', routes: [plain('x')] }], { basePath });
    assert.equal((await app.request(`${basePath}/x`)).status, 200);
  });

test('D18 – trusted proxies of the application → links begin with the removed prefix', async () => {
  const { url, close } = await serve(application([recording([])], { trustedProxies: ['loopback'] }), { port: 0 });
  const reply = await fetch(`${url}/hello`, {
    headers: { 'X-Forwarded-Prefix': '/outside', 'X-Forwarded-For': '10.0.0.9' },
  });
  assert.equal(await reply.text(), '/outside/hello');
  await close();
});

/** Serves with a signal, which it sends to itself at this moment. Without its handlers, its plugin would take a minute. */
const signalled = temporaryFolder({
  'program.mjs': withLibrary(`
    import { application, serve } from 'todo-item-service';
    const [signal, moment] = process.argv.slice(2);
    const raise = () => process.kill(process.pid, signal);
    const raiseIn = (...moments) => moments.includes(moment) && (raise(), new Promise((late) => setTimeout(late, 60_000)));
    const plugin = { name: 'a', start: () => raiseIn('its start'), stop: () => raiseIn('its stop', 'close()') };
    console.log(process.pid);
    const { close } = await serve(application([plugin]), { port: 0, shutdownGrace: 1000, signals: [signal] });
    if (moment === 'close()') await close();
    else raise();
  `),
});
const AS_PROCESS_1 = ['unshare', '--pid', '--fork', '--kill-child'];
const noNamespace =
  spawnSync(AS_PROCESS_1[0]!, [...AS_PROCESS_1.slice(1), 'true']).status !== 0 && 'unshare cannot make a PID namespace';

for (const [place, prefix, skip] of [
  ['', [], false],
  [' as process 1', AS_PROCESS_1, noNamespace],
] as const)
  for (const [signal, moment, code] of [
    ['SIGTERM', 'its service', 0],
    ['SIGTERM', 'its stop', 143],
    ['SIGINT', 'its stop', 130],
    ['SIGHUP', 'its stop', 129],
    ['SIGTERM', 'close()', 143],
    ['SIGTERM', 'its start', 143],
  ] as const)
    test(`D77 – a program${place} gets ${signal} during ${moment} → ends with the code ${code}`, { skip }, () => {
      const program = [process.execPath, ...LOADER, join(signalled, 'program.mjs'), signal, moment];
      const [command, ...words] = [...prefix, ...program];
      const {
        status,
        signal: killedBy,
        stdout,
        stderr,
      } = spawnSync(command!, words, { encoding: 'utf8', timeout: 30_000 });
      assert.deepEqual([status, killedBy], [code, null], stderr);
      if (prefix.length > 0) assert.equal(stdout, '1\n');
    });

test('D77 – close, or a start that fails → no handler of a signal stays', async () => {
  const before = process.listenerCount('SIGTERM');
  const signals = ['SIGTERM'] as const;
  const { close } = await serve(application([]), { port: 0, signals });
  assert.equal(process.listenerCount('SIGTERM'), before + 1);
  await close();
  const failing: Plugin = { name: 'failing', start: () => Promise.reject(new Error('no disk')) };
  await assert.rejects(serve(application([failing]), { port: 0, signals }), /no disk/);
  assert.equal(process.listenerCount('SIGTERM'), before);
});
