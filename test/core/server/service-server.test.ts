/** Where a service listens (D45), and its server over TLS: the same answers and limits as over TCP (D77). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type RequestOptions, request as secureRequest } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { application } from '../../../src/core/application/application.ts';
import { json } from '../../../src/core/http/replies.ts';
import { HttpService, type ServiceOptions } from '../../../src/core/server/service.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { ROOT } from '../../house/source-files.ts';
import { CERTIFICATE, KEY } from '../../support/certificate.ts';
import { routed } from '../../support/plain-routes.ts';
import { LOADER, withLibrary } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const plugin = routed('asked', ({ context: { request } }) => json({ tls: 'encrypted' in request.socket }));

async function secureService(t: TestContext, limits: ServiceOptions['limits'] = {}) {
  const service = new HttpService(application([todo(), plugin]), { limits, tls: { cert: CERTIFICATE, key: KEY } });
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
  return { service, port };
}

const ask = async (port: number, options: RequestOptions & { readonly content?: string }) => {
  const sent = secureRequest({ port, ca: CERTIFICATE, servername: 'localhost', agent: false, ...options });
  sent.end(options.content);
  const [reply] = await once(sent, 'response');
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
};

const closed = (socket: Socket) => new Promise((resolve) => void socket.on('error', () => {}).once('close', resolve));

const openSocket = async (port: number): Promise<TLSSocket> => {
  const socket = connect({ port, ca: CERTIFICATE, servername: 'localhost', ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  return socket;
};

for (const [asked, options, status] of [
  ['a list', { path: '/api/todo' }, 200],
  [
    'a new item',
    { path: '/api/todo', method: 'POST', content: '{"name":"New"}', headers: { 'Content-Type': 'application/json' } },
    201,
  ],
  ['no such path', { path: '/none' }, 404],
  [
    'a body above the limit',
    { path: '/api/todo', method: 'POST', content: 'x'.repeat(2000), headers: { 'Content-Type': 'application/json' } },
    413,
  ],
  [
    'too many header lines',
    { path: '/asked', headers: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`X-${at}`, '1'])) },
    431,
  ],
] as const)
  test(`D77 – over TLS, ${asked} → ${status}`, async (t) => {
    const { port } = await secureService(t, { maxBody: 1000 });
    const reply = await ask(port, options);
    assert.equal(reply.status, status, reply.body);
    assert.ok(reply.headers['x-request-id']);
  });

test('D77 – over TLS → HTTP/1.1 is chosen from what the client offers, and the socket is known to be encrypted', async (t) => {
  const { port } = await secureService(t);
  const socket = await openSocket(port);
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.write('GET /asked HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await text(socket), /\{"tls":true\}$/);
});

test('D77 – over TLS, bytes that are not a request → 501 and the end', async (t) => {
  const { port } = await secureService(t);
  const socket = await openSocket(port);
  socket.write('no request\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 501 /);
});

test('D77 – plain HTTP on the TLS port → is disconnected, and the next client is served', async (t) => {
  const { port, service } = await secureService(t);
  const plain = connectPlain(port);
  plain.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(plain, 'close');
  assert.equal((await ask(port, { path: '/asked' })).status, 200);
  assert.ok(service.connections.size <= 1);
});

test('D77 – a connection above the limit, including handshakes → is closed; after another connection ends, the next is served', async (t) => {
  const { port, service } = await secureService(t, { maxConnections: 2 });
  const silent = connectPlain(port);
  const open = await openSocket(port);
  const surplus = connectPlain(port);
  await closed(surplus);
  assert.equal(service.connections.size, 2);
  const gone = once(silent, 'close');
  silent.destroy();
  await gone;
  open.end('GET /asked HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.match(await text(open), /"tls":true/);
});

test('D77 – a handshake that is never completed, and a stop → the stop does not wait for it', async (t) => {
  const { port, service } = await secureService(t);
  const silent = connectPlain(port);
  await once(silent, 'connect');
  const open = await openSocket(port);
  await Promise.all([closed(silent), service.close(60_000), closed(open.resume())]);
});

test('D77 – forty handshakes that begin just before a stop → each completed, its request answered', async (t) => {
  const { port, service } = await secureService(t);
  const replies = Array.from({ length: 40 }, () => ask(port, { hostname: '127.0.0.1', path: '/asked' }));
  await new Promise(process.nextTick);
  const closing = service.close();
  for (const { status } of await Promise.all(replies)) assert.equal(status, 200);
  await closing;
});

test('D77 – a client that has ended its side → it gets its reply', async (t) => {
  const { port } = await secureService(t);
  const socket = await openSocket(port);
  socket.end('GET /asked HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.match(await text(socket), /\{"tls":true\}$/);
});

test('D77 – an invalid certificate → throws when the service is created', () =>
  assert.throws(() => new HttpService(() => json({}), { tls: { cert: 'none', key: 'none' } }), /PEM|no start line/i));

/** What the system of a machine without IPv6 answers: EAFNOSUPPORT. */
const WITHOUT_IPV6 = `process.binding('tcp_wrap').TCP.prototype.bind6 = () => -97;`;
const LISTENING = withLibrary(`
  import { HttpService } from 'todo-item-service/extending';
  const service = new HttpService(() => ({ status: 200, headers: {} }));
  const { address } = await service.listen(0, process.argv[2]).catch(({ code }) => ({ address: code }));
  console.log(address);
  await service.close(0);
`);
const folder = temporaryFolder({ 'without-ipv6.cjs': WITHOUT_IPV6, 'listening.mjs': LISTENING });

for (const [host, hasIpv6, address] of [
  ['::', true, '::'],
  ['::', false, '0.0.0.0'],
  ['::1', false, 'EAFNOSUPPORT'],
  ['127.0.0.1', false, '127.0.0.1'],
] as const)
  test(`D45 – ${host}, a system ${hasIpv6 ? 'with' : 'without'} IPv6 → ${address}`, () => {
    const without = hasIpv6 ? [] : ['--no-deprecation', '--require', join(folder, 'without-ipv6.cjs')];
    const command = [...without, ...LOADER, join(folder, 'listening.mjs'), host];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(stdout, `${address}\n`);
  });
