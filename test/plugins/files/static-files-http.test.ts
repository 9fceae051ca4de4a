/** Tests static files over a real connection: framing, clients that leave, file descriptors. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { staticFiles } from '../../../src/plugins/files/files.ts';
import { openDescriptors } from '../../support/open-descriptors.ts';
import { logged } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const LARGE = 24 * 2 ** 20;
const root = temporaryFolder({ 'large.bin': Buffer.alloc(LARGE, 'abcdefghij'), 'small.txt': '0123456789' });
const service = new HttpService(pipeline([problems(), staticFiles({ root })]));
const { port } = await service.listen(0);
after(() => service.close(0));

const begin = (path: string, method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ port, path, method, agent: false }, resolve).on('error', reject).end();
  });

test('hardening – fifty clients that leave during the reply → every descriptor closed', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => begin('/large.bin')));
  if (process.platform === 'linux') assert.ok(openDescriptors(root) > 0, 'the files are being sent');
  for (const reply of replies) reply.destroy();
  await until(() => openDescriptors(root) === 0, 'every descriptor closed');
});

test('hardening – clients that leave before the reply → every descriptor closed', async () => {
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n');
      await setImmediate();
      socket.destroy();
    }),
  );
  const { statusCode } = await begin('/small.txt').then((reply) => reply.resume());
  assert.equal(statusCode, 200);
  await until(() => openDescriptors(root) === 0, 'every descriptor closed');
});

test('hardening – a file that is truncated while it is sent → the connection is closed, and no other bytes are sent', async () => {
  writeFileSync(join(root, 'shrinks.bin'), Buffer.alloc(LARGE));
  const reply = await begin('/shrinks.bin');
  truncateSync(join(root, 'shrinks.bin'), LARGE / 4);
  let received = 0;
  await assert.rejects(
    async () => {
      for await (const chunk of reply) received += (chunk as Buffer).length;
    },
    { code: 'ECONNRESET' },
  );
  assert.ok(received < LARGE && reply.headers['content-length'] === String(LARGE));
  await until(() => openDescriptors(root) === 0, 'every descriptor closed');
  await until(() => logged.some((line) => line.includes('The file became shorter')), 'the log has the error');
  logged.splice(0);
});

test('hardening – a large file arrives whole, and the connection serves the next request', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.end('GET /small.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const received = await text(socket);
  assert.match(received.slice(0, 15), /^HTTP\/1\.1 200 OK/);
  assert.ok(received.length > LARGE && received.endsWith('\r\n\r\n0123456789'));
});

test('D36 – names that are possible only in a raw request → 404 or 400, never a file outside', async () => {
  mkdirSync(join(root, 'dir'), { recursive: true });
  const targets = [
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/dir/..%5c..%5cetc',
    '//etc/passwd',
    '/%00',
    '/small.txt%00.css',
    '/.%2e/etc/passwd',
    '/dir/%2e%2e/%2e%2e/etc/passwd',
    'http://x/../etc/passwd',
  ];
  for (const target of targets) {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 40[04] (?![^]*root:)/, target);
  }
});
