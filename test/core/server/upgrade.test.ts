/** Upgrades to another protocol: they pass the stages and the guard, and the handler gets the connection (RFC 9110 §7.8). */
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { HttpService, whenSent } from '../../../src/extending.ts';
import {
  application,
  empty,
  operations,
  type Plugin,
  replyWith,
  route,
  type Stage,
  text,
  withHeaders,
} from '../../../src/index.ts';
import { type UpgradeInput, upgrade } from '../../../src/operations/upgrade.ts';
import { authentication, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import { logged } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
const tokens = bearerTokens({ secret: { identity: 'Ann' } });
const log: string[] = [];

/** Answers in a protocol that repeats the bytes, with the identity and the room in front. */
function echo({ socket, head, values, identity, signal }: UpgradeInput<{ id?: string }, unknown>): void {
  socket.write(`${SWITCH}${String(identity)} in ${values.id}: ${head}`);
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('end', () => socket.end());
  signal.addEventListener('abort', () => socket.end('1001'), { once: true });
}
let stopping: AbortSignal;
const watched: Stage = async (context, next) => {
  ({ stopping } = context);
  whenSent(context, ({ status, isWhole }) => log.push(`${context.method} ${context.path} ${status} ${isWhole}`));
  return withHeaders(await next(context), { 'X-Watched': 'yes' });
};
const refusing: Stage = async (context, next) => replyWith(await next(context), { status: 404, body: 'no' });
let longest = 0;
const rooms: Plugin = {
  name: 'rooms',
  outerStages: [watched],
  constraints: {
    odd(value) {
      longest = Math.max(longest, value.length);
      throw new RangeError('odd');
    },
  },
  routes: [
    route({ path: 'odd/{id:odd}', public: true, handle: () => text('odd') }),
    upgrade({ path: 'rooms/{id}/ws', security: [tokens], handle: echo }),
    upgrade({
      path: 'broken',
      public: true,
      handle() {
        throw new RangeError('no room');
      },
    }),
    upgrade({ path: 'refused', public: true, stages: [refusing], handle: echo }),
    route({ path: 'other', public: true, handle: () => text('other') }),
    route({ path: 'waits', public: true, handle: () => setImmediate(text('waits')) }),
    route({ path: 'wrong', public: true, handle: () => empty({ status: 101 }) }),
  ],
};

async function served(t: TestContext) {
  const app = application([operations({ security: [tokens] }), authentication(tokens), rooms], { basePath: '/base' });
  const service = new HttpService(app);
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  log.length = 0;
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, allowHalfOpen: true });
    await once(socket, 'connect');
    return socket;
  };
  return { app, service, open };
}
const asked = (path: string, lines: readonly string[] = []): string =>
  [`GET /base/${path} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', 'Upgrade: echo', ...lines, '', ''].join('\r\n');
const TOKEN = ['Authorization: Bearer secret'];

test('RFC 9110 §7.8 – an upgrade with credentials → the handler gets the socket, the values, the caller and the first bytes', async (t) => {
  const { open, service } = await served(t);
  const socket = await open();
  socket.write(`${asked('rooms/7/ws', TOKEN)}early `);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  await until(() => received.endsWith('Ann in 7: early '), 'the first bytes');
  assert.ok(received.startsWith(SWITCH), received);
  socket.end('late');
  await once(socket, 'end');
  assert.ok(received.endsWith('Ann in 7: early late'));
  assert.deepEqual(log, ['GET /rooms/7/ws 101 true']);
  await until(() => service.connections.size === 0, 'the end of the connection');
});

for (const [what, sent, status, logs] of [
  ['without credentials', asked('rooms/7/ws'), 401, 'GET /rooms/7/ws 401 true'],
  ['with wrong credentials', asked('rooms/7/ws', ['Authorization: Bearer other']), 401, 'GET /rooms/7/ws 401 true'],
  ['with two Host lines', asked('rooms/7/ws', [...TOKEN, 'Host: b']), 400, 'GET /rooms/7/ws 400 true'],
  ['of another path', asked('other'), 200, 'GET /other 200 true'],
  ['of an unknown path', asked('none'), 404, 'GET /none 404 true'],
  ['with a constraint that throws', asked('odd/1'), 500, 'GET /odd/1 500 true'],
  ['that a stage refuses after the handler', asked('refused'), 404, 'GET /refused 404 true'],
  ['by POST', asked('rooms/7/ws', TOKEN).replace('GET', 'POST'), 404, 'POST /rooms/7/ws 404 true'],
  [
    'without Upgrade',
    asked('rooms/7/ws', TOKEN).replace('Upgrade: echo', 'Connection: close'),
    400,
    'GET /rooms/7/ws 400 true',
  ],
] as const)
  test(`RFC 9110 §7.8 – an upgrade ${what} → ${status}, and the connection is closed`, async (t) => {
    const { open } = await served(t);
    const socket = await open();
    socket.write(sent);
    const reply = await textOf(socket);
    assert.match(reply, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(reply, /X-Watched: yes/);
    socket.destroy();
    await until(() => log.length > 0, 'the line of the log');
    assert.deepEqual(log, [logs]);
  });

test('RFC 9110 §7.8 – a body with Upgrade for another path → it is read as any body', async (t) => {
  const { open } = await served(t);
  const socket = await open();
  socket.write(`${asked('other', ['Content-Length: 3']).replace('GET', 'PUT')}abc`);
  assert.match(await textOf(socket), /^HTTP\/1.1 200 [\s\S]*other$/);
  socket.destroy();
});

test('RFC 9110 §7.8 – an upgrade on a connection that had a request before → accepted', async (t) => {
  const { open } = await served(t);
  const socket = await open();
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  socket.write('GET /base/other HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => received.endsWith('other'), 'the first reply');
  socket.write(asked('rooms/8/ws', TOKEN));
  await until(() => received.endsWith('Ann in 8: '), 'the upgrade');
  socket.destroy();
});

test('a stop → the signal is aborted, the handler says goodbye, and the service ends', async (t) => {
  const { app, service, open } = await served(t);
  const socket = await open();
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
  socket.write(asked('rooms/9/ws', TOKEN));
  await until(() => received.endsWith('Ann in 9: '), 'the upgrade');
  app.beginStop();
  const closed = service.close(60_000);
  await once(socket, 'end');
  assert.ok(received.endsWith('1001'));
  socket.end();
  await closed;
});

test('a handler of an upgrade that fails → a line in the log, and the connection is closed', async (t) => {
  const { open } = await served(t);
  const socket = await open();
  socket.write(asked('broken'));
  socket.resume();
  await once(socket, 'end');
  socket.destroy();
  assert.match(logged.splice(0).join(), /no room/);
});

test('a client that resets an upgraded connection → the process goes on', async (t) => {
  const { open, service } = await served(t);
  const socket = await open();
  socket.write(asked('rooms/7/ws', TOKEN));
  await once(socket, 'data');
  socket.resetAndDestroy();
  await until(() => service.connections.size === 0, 'the end of the connection');
  await setImmediate();
});

test('a route that answers 101 without an upgrade → 500', async (t) => {
  const { open } = await served(t);
  const socket = await open();
  socket.write('GET /base/wrong HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  assert.match(await textOf(socket), /^HTTP\/1.1 500 /);
  assert.match(logged.splice(0).join(), /with the status/);
  socket.destroy();
});

for (const [path, expected] of [
  ['rooms/7/ws', /Ann in 7: /],
  ['other', /^HTTP\/1.1 200 [\s\S]*other$/],
] as const)
  test(`RFC 9110 §7.8 – an upgrade to ${path} over TLS → as without TLS`, async (t) => {
    const service = new HttpService(application([authentication(tokens), rooms]), {
      tls: { key: KEY, cert: CERTIFICATE },
    });
    const { port } = await service.listen(0);
    t.after(() => service.close(0));
    const socket = connectTls({ port, ca: CERTIFICATE, host: 'localhost' });
    t.after(() => socket.destroy());
    await once(socket, 'secureConnect');
    socket.write(asked(path, TOKEN).replace('/base', ''));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk));
    await until(() => expected.test(received), 'the reply');
    socket.destroy();
    await until(() => service.connections.size === 0, 'the end of the connection');
  });

for (const [declaration, message] of [
  [{ path: 'ws', handle() {}, securty: [tokens] }, /"securty".*security/],
  [{ path: 'ws', handle() {}, security: [tokens], public: true }, /it is public and has security/],
  [{ path: 'ws' }, /"handle" is not a function/],
] as const)
  test(`an upgrade with ${Object.keys(declaration)} → an error where it is declared`, () =>
    assert.throws(() => upgrade(declaration as unknown as Parameters<typeof upgrade>[0]), message));

test('an upgrade in memory – without Connection → 400; with it → an error that names the remedy', async () => {
  const { request } = application([authentication(tokens), rooms]);
  assert.equal((await request('/broken', { headers: { Upgrade: 'echo' } })).status, 400);
  const headers = { Upgrade: 'echo', Connection: 'Upgrade', Authorization: 'Bearer secret' };
  await assert.rejects(request('/rooms/7/ws', { headers }), /Cannot upgrade a connection in memory; serve the/);
});

const FIRST = 'GET /base/other HTTP/1.1\r\nHost: a\r\n\r\n';
for (const [what, sent, statuses] of [
  ['behind a request whose reply is not sent yet', FIRST + asked('rooms/7/ws', TOKEN), [200, 400]],
  ['behind such a request, and without credentials', FIRST + asked('rooms/7/ws'), [200, 401]],
  ['behind such a request, for another path', FIRST + asked('other'), [200, 200]],
  ['behind a request that waits', FIRST.replace('other', 'waits') + asked('rooms/7/ws', TOKEN), [200, 400]],
  ['by HTTP/1.0', asked('rooms/7/ws', TOKEN).replace('HTTP/1.1', 'HTTP/1.0'), [400]],
  ['with a body', `${asked('rooms/7/ws', [...TOKEN, 'Content-Length: 5'])}hello`, [400]],
  ['with chunks', `${asked('rooms/7/ws', [...TOKEN, 'Transfer-Encoding: chunked'])}0\r\n\r\n`, [400]],
  ['with an empty body', asked('rooms/7/ws', [...TOKEN, 'Content-Length: 0']), [101]],
] as const)
  test(`RFC 9110 §7.8 – an upgrade ${what} → ${statuses.join(', ')}`, async (t) => {
    const { open, service } = await served(t);
    const socket = await open();
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => (received += chunk));
    socket.write(sent);
    const found = () => [...received.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => Number(status));
    await until(() => found().length === statuses.length, 'the replies');
    assert.deepEqual(found(), statuses);
    socket.destroy();
    await until(() => service.connections.size === 0, 'the end of the connection');
  });

test('an upgrade that is accepted after the stop has begun → 503, because its handler would not be told', async (t) => {
  const stopping = application([
    { name: 'stops', stages: [(context, next) => (app.beginStop(), next(context))] },
    { name: 'rooms', routes: [upgrade({ path: 'ws', handle: ({ socket }) => socket.end() })] },
  ]);
  const app = stopping;
  const service = new HttpService(app);
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  const socket = connect({ port, allowHalfOpen: true });
  socket.write(asked('ws').replace('/base', ''));
  assert.match(await textOf(socket), /^HTTP\/1.1 503 /);
  socket.destroy();
});

test('a client that leaves in the middle of a body with Upgrade for another path → the handler is told at once', async (t) => {
  let failure: unknown;
  const reads: Stage = async (context) => {
    await context.body().catch((error: unknown) => (failure = error));
    return text('read');
  };
  const service = new HttpService(application([{ name: 'reads', stages: [reads] }]));
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  const socket = connect(port);
  socket.end(`${asked('other', ['Content-Length: 9']).replace('GET', 'POST')}abc`);
  await until(() => failure !== undefined, 'the error');
  assert.equal((failure as Error).name, 'ClientGone');
  await until(() => service.connections.size === 0, 'the end of the connection');
});

for (const isRead of [true, false])
  test(`the signal of the context, ${isRead ? 'read' : 'not read'} by a stage → aborted when the client leaves`, async (t) => {
    let signal: AbortSignal | undefined;
    const reads: Stage = (context, next) => (isRead && context.signal.aborted ? text('gone') : next(context));
    const ws = upgrade({
      path: 'ws',
      stages: [reads],
      handle({ context, socket }) {
        ({ signal } = context);
        socket.write(`${SWITCH}${signal.aborted}`);
      },
    });
    const service = new HttpService(application([{ name: 'rooms', routes: [ws] }]));
    const { port } = await service.listen(0);
    t.after(() => service.close(0));
    const socket = connect(port);
    socket.write(asked('ws').replace('/base', ''));
    const [received] = await once(socket, 'data');
    assert.match(String(received), /false$/);
    socket.destroy();
    await until(() => signal!.aborted, 'the end');
    assert.equal((signal!.reason as Error).name, 'ClientGone');
  });

test('D31 – an upgrade with a long segment → 414 before any constraint runs', async (t) => {
  const { open } = await served(t);
  const socket = await open();
  socket.end(asked(`odd/${'a'.repeat(3000)}`));
  assert.match(await textOf(socket), /^HTTP\/1.1 414 /);
  assert.ok(longest < 3000);
});

test('a client that resets while a stage waits → the handler of the upgrade is not called', async (t) => {
  const calls: string[] = [];
  let goOn = (): void => {};
  const waits: Stage = async (context, next) => {
    calls.push('waits');
    ({ stopping } = context);
    await new Promise<void>((resolve) => (goOn = resolve));
    return next(context);
  };
  const ws = upgrade({ path: 'ws', stages: [waits], handle: () => calls.push('handler') });
  const service = new HttpService(application([{ name: 'rooms', routes: [ws] }]));
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  const socket = connect(port);
  socket.write(asked('ws').replace('/base', ''));
  await until(() => calls.length > 0, 'the stage');
  socket.resetAndDestroy();
  await until(() => service.connections.size === 0, 'the end of the connection');
  goOn();
  for (let round = 0; round < 5; round++) await setImmediate();
  assert.deepEqual(calls, ['waits']);
  assert.equal(getEventListeners(stopping, 'abort').length, 0);
});

test('a client that ends its side, and a handler that does not → the connection is closed', async (t) => {
  const ws = upgrade({ path: 'ws', handle: ({ socket }) => void socket.on('data', () => {}).write(SWITCH) });
  const service = new HttpService(application([{ name: 'rooms', routes: [ws] }]));
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  const socket = connect(port);
  socket.write(asked('ws').replace('/base', ''));
  await once(socket, 'data');
  socket.end();
  await until(() => service.connections.size === 0, 'the end of the connection');
});

test('a connection that has ended → its signal holds nothing at the signal of the application', async (t) => {
  const { open, service } = await served(t);
  const socket = await open();
  socket.write(asked('rooms/7/ws', TOKEN));
  await once(socket, 'data');
  assert.equal(getEventListeners(stopping, 'abort').length, 1);
  socket.destroy();
  await until(() => service.connections.size === 0, 'the end of the connection');
  assert.equal(getEventListeners(stopping, 'abort').length, 0);
});

for (const isTls of [false, true])
  test(`RFC 9110 §7.8 – an upgrade behind other requests, ${isTls ? 'over TLS, ' : ''}in all parts of a packet → 101 or 400 as the last reply`, async (t) => {
    const read = route({
      path: 'read',
      method: 'POST',
      handle: async ({ context }) => text(String(await context.body())),
    });
    const ws = upgrade({ path: 'ws', handle: ({ socket }) => socket.end(SWITCH) });
    const app = application([
      { name: 'rooms', routes: [ws, read, route({ path: 'other', handle: () => text('other') })] },
    ]);
    const service = new HttpService(app, isTls ? { tls: { key: KEY, cert: CERTIFICATE } } : {});
    const { port } = await service.listen(0);
    t.after(() => service.close(0));
    const kinds = [
      'GET /other HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /none HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}',
    ];
    for (let round = 0; round < 60; round++) {
      const before = Array.from({ length: round % 5 }, (_, at) => kinds[(round + at) % 3]);
      const sent = [...before, asked('ws').replace('/base', '')].join('');
      const size = [1, 7, sent.length, sent.length - 20][round % 4]!;
      const socket = isTls ? connectTls({ port, ca: CERTIFICATE, host: 'localhost' }) : connect(port);
      let received = '';
      socket.setEncoding('latin1').on('data', (chunk) => (received += chunk));
      const last = () => [...received.matchAll(/HTTP\/1.1 (\d+) /g)][before.length]?.[1];
      for (let at = 0; at < sent.length; at += size) {
        socket.write(sent.slice(at, at + size));
        await setImmediate();
      }
      await until(() => last() !== undefined, `the last reply of round ${round}`);
      assert.match(last()!, /^(?:101|400)$/);
      socket.destroy();
    }
  });
