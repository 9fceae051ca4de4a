/** The beginning of a stop, as replies that may never end see it (D77). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import { serve } from '../../../../src/core/application/serve.ts';
import { contextWith } from '../../../../src/core/http/context-with.ts';
import { text } from '../../../../src/core/http/replies.ts';
import { route } from '../../../../src/core/routing/route.ts';
import type { ServiceOptions } from '../../../../src/core/server/service.ts';
import { Client } from '../../../support/ask.ts';
import { testContext } from '../../../support/test-context.ts';
import { until } from '../../../support/until.ts';

test('D77 – a context and its copies → share one signal', () => {
  const context = testContext('/');
  assert.equal(contextWith(context, { path: '/x' }).stopping, context.stopping);
});

test('D77 – an application that is started again after a stop → a new signal', async () => {
  const composed = application([]);
  await composed.start();
  const { stopping } = composed;
  await Promise.all([once(stopping, 'abort'), composed.stop()]);
  await composed.start();
  assert.equal(composed.stopping.aborted, false);
});

/** A service whose upgraded connections echo, and say goodbye once the application stops. */
async function echoing({ limits, says }: { limits?: ServiceOptions['limits']; says?: string }) {
  const composed = application([
    {
      name: 'sockets',
      routes: [route({ path: 'slow', handle: ({ context }) => context.body().then(() => text('read')) })],
      parts: (application) => ({
        start() {
          application.stopping.addEventListener('abort', () => {
            for (const one of upgraded) if (says !== undefined) one.end(says);
          });
        },
      }),
    },
  ]);
  const upgraded: Duplex[] = [];
  const serving = await serve(composed, { port: 0, limits, shutdownGrace: says === undefined ? 100 : 60_000 });
  const { server } = serving.service;
  server.on('upgrade', (_, socket) => {
    upgraded.push(socket);
    socket.on('error', () => {}).on('data', (chunk) => socket.write(chunk));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  });
  const { port } = server.address() as AddressInfo;
  const client = new Client(port, { halfOpen: false });
  await client.send('GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  assert.equal((await client.answer()).status, 101);
  return { ...serving, composed, port, client, upgraded };
}

const echoed = async (client: Client, word: string): Promise<void> => {
  await client.send(word);
  await until(() => String(client.rest).endsWith(word), 'the echo');
};

for (const [what, word] of [
  ['silent', ''],
  ['in use', 'again'],
] as const)
  test(`RFC 9110 §7.8 – an upgraded connection, ${what} while idle ones are closed → stays`, async () => {
    const limits = { idleTimeout: 1000, headTimeout: 1000, writeTimeout: 1000 };
    const { port, client, close } = await echoing({ limits, says: 'bye' });
    for (let times = 0; times < 3; times++) {
      const idle = new Client(port);
      await Promise.all([idle.over(), word && echoed(client, word)]);
    }
    await echoed(client, 'last');
    await close();
  });

test('RFC 9110 §7.8 – an upgraded connection whose client does not read → is not cut for it', async () => {
  const limits = { idleTimeout: 1000, headTimeout: 1000, writeTimeout: 1000 };
  const { port, client, upgraded, close } = await echoing({ limits, says: 'bye' });
  client.socket.pause();
  upgraded[0]!.write('x'.repeat(8 * 2 ** 20));
  for (let times = 0; times < 3; times++) await new Client(port).over();
  assert.equal(upgraded[0]!.destroyed, false);
  client.socket.resume();
  await close();
  assert.match(String(client.rest.subarray(-3)), /bye/);
});

test('D77 – a stop with an upgraded connection → its owner is notified first and ends it', async () => {
  const { client, composed, close } = await echoing({ says: 'goodbye' });
  assert.equal(composed.stopping.aborted, false);
  await close();
  await client.over();
  assert.equal(String(client.rest), 'goodbye');
});

test('D77 – a stop with an upgraded connection that nobody ends → it is closed after the grace period, and close resolves', async () => {
  const { client, service, close } = await echoing({});
  const connections = service.connections as Set<unknown>;
  assert.equal(connections.size, 1);
  // What a program removes there is removed from a copy.
  connections.clear();
  await close();
  await client.over();
  assert.equal(service.connections.size, 0);
});

test('D77 – a stop while a request is read → plugins are notified before its reply', async () => {
  const { port, composed, client, service, close } = await echoing({ says: 'bye' });
  const other = new Client(port);
  await other.send('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n');
  await until(() => [...service.connections].some(({ reading }) => reading !== undefined), 'the body is read');
  const closed = close();
  assert.equal(composed.stopping.aborted, true);
  await other.send('a');
  assert.equal((await other.answer()).text, 'read');
  await Promise.all([closed, client.over(), other.over()]);
});

test('D77 – a drainDelay → plugins are notified after it', async () => {
  const composed = application([]);
  const { service, close } = await serve(composed, { port: 0, drainDelay: 50 });
  const closed = close();
  assert.deepEqual([service.ready, composed.stopping.aborted], [false, false]);
  await once(composed.stopping, 'abort');
  await closed;
});
