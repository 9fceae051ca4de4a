/** Requests that are refused before any stage, or by a limit of the whole service: plugins and the log get them. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { refusals } from '../../../src/core/application/lifecycle.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { RouteInput } from '../../../src/core/routing/route.ts';
import type { Refusal } from '../../../src/core/server/served.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { accessLog } from '../../../src/shelf/logs/access-log.ts';
import { ask, Client } from '../../support/ask.ts';
import { plain } from '../../support/plain-routes.ts';
import { logged, serveService } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

type Told = readonly [status: number, reason: string, method: string, path: string, isSeen: boolean];

function watching(limits: NonNullable<ConstructorParameters<typeof HttpService>[1]>['limits'] = {}) {
  const seen: Refusal[] = [];
  const handle = async ({ context }: RouteInput) => text(String((await context.body()).length));
  const routes = [
    plain('body', { method: 'POST', handle }),
    plain('never', { handle: () => new Promise<never>(() => {}) }),
    plain('{*any}'),
  ];
  const watches = mounted('below', { name: 'watches', refused: (refusal) => void seen.push(refusal) });
  const app = application([{ name: 'all', routes }, watches], { newRequestId: () => 'id-1', log() {} });
  const said = (): Told[] =>
    seen.map(({ status, reason, method, path, isSeen }) => [status, reason, method, path, isSeen]);
  return { service: new HttpService(app, { limits }), seen, said };
}

const LONG = 'x'.repeat(17_000);

const get = (lines: string): string => `GET /%61?b=c HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n`;
for (const [what, sent, ...expected] of [
  ['a head that is too long', get(`X: ${LONG}`), 431, 'HPE_HEADER_OVERFLOW'],
  ['bytes that are not HTTP', '\x16\x03\x01\r\n\r\n', 501, 'HPE_INVALID_METHOD'],
  ['a header without a name', get(': x'), 400, 'HPE_INVALID_HEADER_TOKEN'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'HPE_PAUSED_H2_UPGRADE'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 400, 'CONNECT'],
] as const)
  test(`refusals – ${what} → plugins get it once, with the code of the parser`, async (t) => {
    const { service, seen, said } = watching();
    const { port } = await serveService(t, service);
    const { status, headers } = await ask(port, sent);
    assert.deepEqual(said(), [[...expected, '-', '-', false]]);
    assert.equal(status, expected[0]);
    assert.equal(headers['x-request-id'], seen[0]!.requestId);
    assert.equal(seen[0]!.remoteAddress, '127.0.0.1');
  });

test('refusals – a request that the validation or a stage refuses → plugins do not get it, because stages see it', async (t) => {
  const { service, said } = watching();
  const { port } = await serveService(t, service);
  const close = { Connection: 'close' };
  assert.equal((await ask(port, { headers: { Host: '', ...close } })).status, 400);
  assert.equal((await ask(port, { target: '/a%b', headers: close })).status, 400);
  assert.deepEqual(said(), []);
});

test('refusals – a head that does not come in time → 408', async (t) => {
  const { service, said } = watching({ headTimeout: 1, requestTimeout: 1 });
  const { port } = await serveService(t, service);
  assert.equal((await ask(port, 'GET /slow HTTP/1.1\r\n')).status, 408);
  assert.deepEqual(said(), [[408, 'ERR_HTTP_REQUEST_TIMEOUT', '-', '-', false]]);
});

test('refusals – limits of the whole service → plugins get their names, and each is logged once', async (t) => {
  const { service, said } = watching({ maxConnections: 1, maxBody: 1000, maxBodyMemory: 67_536, handlerTimeout: 1000 });
  const { port } = await serveService(t, service);
  const first = new Client(port);
  await first.ask({ target: '/' });
  for (let at = 0; at < 3; at++) assert.equal((await new Client(port).answers())[0]!.status, 503);
  assert.equal((await first.ask({ target: '/never' })).status, 503);
  first.destroy();
  assert.deepEqual(said(), [
    ...Array.from({ length: 3 }, () => [503, 'maxConnections', '-', '-', false]),
    [503, 'handlerTimeout', 'GET', '/never', true],
  ]);
  assert.deepEqual(
    logged.splice(0).map((line) => (JSON.parse(line) as { message: string }).message),
    ['The limit maxConnections is reached: requests are refused with 503; this is logged once a minute'],
  );
});

test('refusals – no memory for a body → plugins get it with the request', async (t) => {
  const { service, said } = watching({ maxBody: 65_536, maxBodyMemory: 3 * 65_536 });
  const { port } = await serveService(t, service);
  const small = new Client(port);
  const holders = Array.from({ length: 3 }, () => new Client(port));
  for (const holder of holders)
    void holder.send(`POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n${'a'.repeat(65_535)}`);
  await until(() => service.bodyMemory > 3 * 65_500, 'the bodies are counted');
  const refused = await small.ask({ method: 'POST', target: '/body', body: 'b'.repeat(900) });
  assert.equal(refused.status, 503);
  for (const client of [small, ...holders]) client.destroy();
  assert.deepEqual(said(), [[503, 'maxBodyMemory', 'POST', '/body', true]]);
  assert.equal(logged.splice(0).length, 1);
});

test('refusals – a plugin that throws → the error is logged, and the client gets its answer', async (t) => {
  const failing = { name: 'a', refused: () => assert.fail('broken') };
  const { port } = await serveService(t, new HttpService(application([failing])));
  assert.equal((await ask(port, 'no HTTP\r\n\r\n')).status, 501);
  assert.match(logged.splice(0).join(), /^\{[^\n]*"error":"AssertionError[^\n]*broken[^\n]*\}$/);
});

test('refusals – the access log → a line with the reason, and only one line for requests that stages see', async (t) => {
  const file = join(temporaryFolder({}), 'access.log');
  const descriptor = openSync(file, 'a');
  const log = accessLog({ descriptor });
  const { port } = await serveService(t, new HttpService(application([log])));
  await ask(port, get(`X: ${LONG}`));
  await ask(port, { headers: { Host: '', Connection: 'close' } });
  await log.stop!();
  closeSync(descriptor);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const members = lines.map((line) => {
    const { method, path, status, reason, requestId } = JSON.parse(line) as Record<string, unknown>;
    assert.match(String(requestId), /^[\w.~:/+=@-]{1,128}$/);
    return [method, path, status, reason];
  });
  assert.deepEqual(members, [
    ['-', '-', 431, 'HPE_HEADER_OVERFLOW'],
    ['GET', '/', 400, undefined],
  ]);
});

test('refusals – a limit is reached for a while → one warning per minute, then one line at the end', (t) => {
  let now = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  const { mock } = t.mock.method(console, 'error', () => {});
  const refused = refusals([]);
  const refusal = { status: 503, reason: 'maxConnections' } as Refusal;
  for (let second = 0; second < 300; second++) {
    if (second <= 90) refused(refusal);
    now += 1000;
    t.mock.timers.tick(1000);
  }
  const warning =
    'warning: The limit maxConnections is reached: requests are refused with 503; this is logged once a minute';
  assert.deepEqual(
    mock.calls
      .map(({ arguments: [line] }) => JSON.parse(String(line)))
      .map(({ level, message }) => `${level}: ${message}`),
    [warning, warning, 'info: The limit maxConnections has not been reached for a minute'],
  );
});
