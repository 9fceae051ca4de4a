/** Clients that leave a stream that waits for more to send (D41, D52). Each time limit is a minute here. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { text } from '../../../../src/core/http/replies.ts';
import { Client, requestBytes, textsOf } from '../../../support/ask.ts';
import { often } from '../../../support/long-run.ts';
import { serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

const MINUTE = 60_000;
const CLIENTS = often(100, 1000);

/** `/events` streams a comment and then nothing; `/pieces` streams six pieces within half a second, `/sized` with a length. */
async function served(t: TestContext) {
  const open = new Set<Readable>();
  let opened = 0;
  const { port, service } = await serveHandler(
    t,
    ({ path }) => {
      if (path === '/other') return text('other');
      if (path === '/slow') return wait(1500, text('slow'));
      const body = new Readable({ read() {} });
      opened++;
      open.add(body);
      body.once('close', () => open.delete(body));
      if (path === '/events') body.push(': open\n\n');
      else {
        let left = 6;
        const timer = setInterval(
          () => {
            if (!body.destroyed) body.push('piece ');
            if (--left > 0) return;
            clearInterval(timer);
            if (!body.destroyed) body.push(null);
          },
          path === '/sized' ? 300 : 80,
        );
      }
      return { status: 200, headers: path === '/sized' ? { 'Content-Length': '36' } : {}, body };
    },
    { limits: { writeTimeout: MINUTE, idleTimeout: MINUTE, drainTimeout: MINUTE } },
  );
  return { port, service, open, opened: () => opened };
}

for (const [what, leave] of [
  ['close', (client: Client) => client.destroy()],
  ['end their side', (client: Client) => client.end()],
  ['reset', (client: Client) => client.reset()],
] as const)
  test(`D41 – five clients of an event stream ${what} → all streams and connections are closed, even without writes`, {
    timeout: 20_000,
  }, async (t) => {
    const { port, service, open } = await served(t);
    const clients = Array.from({ length: 5 }, () => new Client(port));
    await Promise.all(clients.map((client) => client.send({ target: '/events' })));
    await until(() => clients.every(({ received }) => received > 0) && open.size === 5, 'the five heads');
    const closed = Promise.all([...open].map((stream) => once(stream, 'close')));
    for (const client of clients) leave(client);
    await closed;
    await until(() => service.connections.size === 0, 'no connection left');
  });

test('D41 – a client of an event stream that ended its side before the stream began → the stream is closed', {
  timeout: 20_000,
}, async (t) => {
  const { port, service, open, opened } = await served(t);
  const client = new Client(port);
  await client.send({ target: '/events' });
  client.end();
  await until(() => opened() === 1 && open.size === 0 && service.connections.size === 0, 'let go');
});

for (const [what, target] of [
  ['a reply without a length that soon ends', '/pieces'],
  ['a slow reply with a length', '/sized'],
] as const)
  test(`D41 – a client that ends its side behind its request for ${what} → the whole`, async (t) => {
    const { port } = await served(t);
    const client = new Client(port);
    await client.send({ target });
    client.end();
    assert.equal((await client.answers())[0]!.text, 'piece '.repeat(6));
  });

test('D41 – a client that ends its side behind requests for a stream and a slow reply → both', async (t) => {
  const { port } = await served(t);
  const client = new Client(port);
  await client.send(Buffer.concat([requestBytes({ target: '/pieces' }), requestBytes({ target: '/slow' })]));
  client.end();
  assert.deepEqual(textsOf(await client.answers()), ['piece '.repeat(6), 'slow']);
});

test('D41 – many clients of an event stream, one after the other → leave nothing', { timeout: 60_000 }, async (t) => {
  const { port, service, open, opened } = await served(t);
  for (let at = 0; at < CLIENTS; at++) {
    const client = new Client(port);
    await client.send({ target: '/events' });
    await until(() => client.received > 0, 'the head');
    client.destroy();
  }
  await until(() => open.size === 0 && service.connections.size === 0, 'nothing left');
  assert.equal(opened(), CLIENTS);
});
