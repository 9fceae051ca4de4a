/** `serve` starts, serves and stops an application (D77). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
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
