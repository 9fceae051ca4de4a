/**
 * The end of a connection (D40): the server ends its side behind the last reply at once, and a client that goes on
 * sending reads its reply. Each time limit is a minute here, so the reply is what ends a connection.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Context } from '../../../../src/core/http/context.ts';
import { text } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { listener } from '../../../../src/core/server/service.ts';
import { Client } from '../../../support/ask.ts';
import { CERTIFICATE, KEY } from '../../../support/certificate.ts';
import { serve, serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;
const MIB = 2 ** 20;
const PATIENT = { drainTimeout: MINUTE, headTimeout: MINUTE, requestTimeout: MINUTE, idleTimeout: MINUTE };
const POST = 'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

for (const [what, sent, status] of [
  ['a broken chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  [
    'a broken chunk of a body that nobody reads',
    'POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    404,
  ],
  ['an unknown transfer coding', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n`, 501],
  ['Transfer-Encoding in HTTP/1.0', 'POST /api/todo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ['a body announced beyond the limit', `${POST}Content-Length: 99999999\r\n\r\n`, 413],
  [
    'a body beyond the limit in chunks',
    `${POST}Transfer-Encoding: chunked\r\n\r\n200000\r\n${' '.repeat(MIB + 1)}`,
    413,
  ],
  ['a large body that nobody wants', 'DELETE /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n{', 404],
  [
    'a large body of a wrong type',
    'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nExpect: 100-continue\r\nContent-Length: 999999\r\n\r\n',
    415,
  ],
  ['a request that cannot be parsed', 'NONSENSE\r\n\r\n', 501],
  ['a head that is too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}`, 431],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n', 400],
  ['an offered upgrade', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', 404],
  ['Connection: close', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
] as const)
  test(`D40 – ${what} → ${status}, then the end of our side at once; also for a client that sends megabytes before it reads`, {
    timeout: 20_000,
  }, async (t) => {
    const { port, service, client } = await serve(t, PATIENT);
    await client.send(sent);
    while (!client.ended) await new Promise((resolve) => void client.socket.once('end', resolve));
    const [answer, ...more] = await client.answers();
    assert.deepEqual([answer!.status, answer!.headers['connection'], more], [status, 'close', []]);
    assert.equal(client.error, undefined);
    if (what === 'Connection: close') return;
    const busy = new Client(port, { reads: false });
    await busy.send(sent);
    for (let at = 0; at < 8; at++) await busy.send(Buffer.alloc(MIB / 2, ' '));
    assert.equal(busy.error, undefined);
    busy.read();
    assert.equal((await busy.answers())[0]!.status, status);
    assert.equal(busy.error, undefined, 'the connection was not reset');
    await until(
      () => service.connections.size === 0,
      'the connections are gone once the clients have ended their side',
    );
  });

for (const [what, body, resumes] of [
  ['a text', () => 'abc', false],
  ['bytes', () => Buffer.from('abc'), false],
  ['a stream', () => Readable.from(['abc']), false],
  ['a text, and a handler that resumes the request', () => 'abc', true],
] as const)
  test(`D40 – a reply of ${what} to a large body that is not read → the client sends megabytes and reads its 200`, {
    timeout: 20_000,
  }, async (t) => {
    const reply = ({ request }: Context): Reply => {
      if (resumes) request.resume();
      return { status: 200, headers: {}, body: body() };
    };
    const { port, service } = await serveHandler(t, reply, { limits: PATIENT });
    const client = new Client(port, { reads: false });
    await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n');
    for (let at = 0; at < 8; at++) await client.send(Buffer.alloc(MIB / 2, ' '));
    client.read();
    const [answer] = await client.answers();
    assert.deepEqual([answer!.status, answer!.headers['connection'], client.error], [200, 'close', undefined]);
    await until(() => service.connections.size === 0, 'closed');
  });

test('D40 – a client that never ends its side → closed after the drain time', { timeout: 20_000 }, async (t) => {
  const { service, client } = await serve(t, { ...PATIENT, drainTimeout: 200 });
  await client.send('NONSENSE\r\n\r\n');
  await until(() => service.connections.size === 0, 'closed');
});

test('D40 – over TLS, a body that is refused → the answer, then the end of our side; the client goes on sending and reads it', {
  timeout: 20_000,
}, async (t) => {
  const limits = { ...PATIENT, maxBody: 100 };
  const server = createServer(
    { key: KEY, cert: CERTIFICATE },
    listener(async (context) => text(String(await context.body())), { limits }),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const half = { ca: CERTIFICATE, servername: 'localhost', allowHalfOpen: true };
  const socket = connectTls(port, '127.0.0.1', half);
  let failed: Error | undefined;
  let received = '';
  socket.on('error', (error) => {
    failed = error;
  });
  socket.write(`${POST}Content-Length: 9999999\r\n\r\n`);
  for (let at = 0; at < 8; at++) await new Promise((resolve) => void socket.write(Buffer.alloc(MIB / 2, ' '), resolve));
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  await new Promise((resolve) => void socket.once('end', resolve));
  assert.match(received, /^HTTP\/1\.1 413 /);
  assert.equal(failed, undefined);
});

test('limits – a client that sends without end behind its last answer → cut after what is read past at most', {
  timeout: 20_000,
}, async (t) => {
  const { service, client } = await serveHandler(t, () => text('a'), { limits: PATIENT });
  await client.send('NONSENSE\r\n\r\n');
  const block = Buffer.alloc(16 * 1024, 'GET / HTTP/1.1\r\n');
  while (service.connections.size > 0) {
    await client.send(block);
    // A write to a closed socket fails in the same turn, and the server would get no turn to notice the close.
    await turn();
  }
});
