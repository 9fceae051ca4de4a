/** A stop of the service loses no reply. Signals are tested with `main`. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { stream, text } from '../../../../src/core/http/replies.ts';
import { ask, Client, requestBytes } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { serve, serveHandler } from '../../../support/serve.ts';
import { endless, waiting } from '../../../support/streams.ts';
import { until } from '../../../support/until.ts';

const MIB = 2 ** 20;

const refused = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    connect(port, '127.0.0.1')
      .once('connect', () => resolve(undefined))
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });

/** Resolves when the server has the connection. */
const connected = async (port: number): Promise<Client> => {
  const client = new Client(port);
  await client.ask({ target: '/nowhere' });
  return client;
};

const LONG = { timeout: 30_000 };

it('shutdown – a service without a connection → gone at once, no timer awaited', async (t) => {
  const { service } = await serve(t);
  const { setInterval } = globalThis;
  t.mock.method(globalThis, 'setInterval', () => setInterval(() => {}, 2 ** 30));
  await service.close();
});

it('shutdown – drain → not ready, kept and new connections are answered with Connection: close, an open stream goes on until close', async (t) => {
  const { port, service } = await serveHandler(t, (context) => {
    if (context.path !== '/stream') return text(context.path);
    const body = waiting('open');
    context.stopping.addEventListener('abort', () => body.push(null));
    return stream(body);
  });
  const streaming = new Client(port);
  await streaming.send({ target: '/stream' });
  const kept = await connected(port);
  await until(() => streaming.received > 0, 'the stream is open');
  service.drain();
  assert.equal(service.ready, false);
  for (const client of [kept, new Client(port), new Client(port)]) {
    assert.equal((await client.ask({ target: '/' })).headers['connection'], 'close');
    await client.over();
  }
  assert.equal(streaming.ended, false);
  const closing = service.close();
  assert.match((await streaming.answer()).text, /open/);
  await closing;
});

for (const end of ['drain', 'close'] as const)
  it(`shutdown – ${end} while pipelined requests wait → all answered, the last with Connection: close`, async (t) => {
    const [asked, ready] = [gate(), gate()];
    const { service, client } = await serveHandler(t, async ({ path }) => {
      asked.open();
      await ready.passed;
      return text(path);
    });
    await client.send(['/1', '/2', '/3'].map((target) => ({ target })));
    await asked.passed;
    const ended = service[end]();
    ready.open();
    const answers = await client.answers();
    const seen = answers.map((answer) => `${answer.text} ${answer.headers['connection']}`);
    assert.deepEqual(seen, ['/1 keep-alive', '/2 keep-alive', '/3 close']);
    await ended;
  });

describe('shutdown – close', { concurrency: true }, () => {
  it(
    'an idle service → gone before its grace is over, silent and kept connections included; listening stops before',
    LONG,
    async (t) => {
      const { port, service } = await serve(t);
      const kept = await connected(port);
      const silent = new Client(port);
      await new Promise((resolve) => void silent.socket.once('connect', resolve));
      assert.equal(service.ready, true);
      const closing = service.close(2 ** 30);
      assert.equal(service.ready, false);
      await until(() => !service.server.listening, 'the listener is closed');
      assert.equal(await refused(port), 'ECONNREFUSED');
      assert.equal(service.connections.size, 2);
      await Promise.all([closing, kept.over(), silent.over()]);
    },
  );

  it('forty connections that the system has queued before the stop → each request answered, with Connection: close', async (t) => {
    const { port, service } = await serve(t);
    const clients = Array.from({ length: 40 }, () => new Client(port));
    const answers = clients.map((client) => client.ask({ target: '/api/todo' }));
    await new Promise(process.nextTick);
    const closing = service.close();
    for (const { status, headers } of await Promise.all(answers))
      assert.deepEqual([status, headers['connection']], [200, 'close']);
    await closing;
    assert.equal(await refused(port), 'ECONNREFUSED');
  });

  it('a request that runs → answered whole, with Connection: close', async (t) => {
    const [asked, ready] = [gate(), gate()];
    const { service, client } = await serveHandler(t, async () => {
      asked.open();
      await ready.passed;
      return text('late');
    });
    await client.send({ target: '/' });
    await asked.passed;
    const closing = service.close();
    setTimeout(ready.open, 600);
    const answer = await client.answer();
    assert.equal(answer.text, 'late');
    assert.equal(answer.headers['connection'], 'close');
    await Promise.all([closing, client.over()]);
  });

  it('a body that is still on its way → read and answered', async (t) => {
    const { port, service } = await serve(t);
    const client = await connected(port);
    const post = requestBytes({
      method: 'POST',
      target: '/api/todo',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"New"}',
    });
    await client.send(post.subarray(0, -4));
    while (![...service.connections].some(({ reading }) => reading !== undefined))
      await ask(port, { target: '/nowhere' });
    const closing = service.close();
    setTimeout(() => void client.send(post.subarray(-4)), 600);
    assert.equal((await client.answer()).status, 201);
    await closing;
  });

  it('requests sent on fifty kept connections just after the stop → every one answered, with Connection: close', async (t) => {
    const { port, service } = await serve(t);
    const clients = await Promise.all(Array.from({ length: 50 }, () => connected(port)));
    const closing = service.close();
    const answers = await Promise.all(
      clients.map(async (client, at) => {
        if (at % 2 === 1) await new Promise((resolve) => void setTimeout(resolve, at * 4));
        return client.ask({ target: '/api/todo' });
      }),
    );
    for (const { status, headers } of answers) assert.deepEqual([status, headers['connection']], [200, 'close']);
    await Promise.all([closing, ...clients.map((client) => client.over())]);
  });

  for (const [what, body] of [
    ['one string', () => 'x'.repeat(11 * MIB)],
    ['bytes', () => Buffer.alloc(11 * MIB)],
    ['a stream', () => Readable.from(Array.from({ length: 176 }, () => Buffer.alloc(64 * 1024)))],
  ] as const)
    it(`a reply of 11 MiB in ${what}, ended but not yet taken by its client → whole`, async (t) => {
      const { port, service } = await serveHandler(t, ({ path }) =>
        path === '/large' ? { status: 200, headers: ['Content-Length', String(11 * MIB)], body: body() } : text(path),
      );
      const client = new Client(port, { reads: false });
      await client.send({ target: '/large' });
      while (![...service.connections].some(({ socket }) => socket.writableLength > 0))
        await ask(port, { target: '/nowhere' });
      const closing = service.close();
      setTimeout(() => client.read(), 600);
      assert.equal((await client.answer()).body.length, 11 * MIB);
      await Promise.all([closing, client.over()]);
    });

  it('a request that does not end → cut when the grace is over', LONG, async (t) => {
    const asked = gate();
    const { service, client } = await serveHandler(t, async () => {
      asked.open();
      return new Promise(() => {});
    });
    await client.send({ target: '/' });
    await asked.passed;
    const started = performance.now();
    await Promise.all([service.close(300), client.over()]);
    const took = performance.now() - started;
    assert.ok(took >= 290, `${took} ms`);
    assert.equal(client.received, 0);
  });

  it('a client that does not read → cut when the grace is over', async (t) => {
    const { port, service } = await serveHandler(t, () => stream(endless()));
    const client = new Client(port, { reads: false });
    await client.send({ target: '/' });
    while (![...service.connections].some(({ running }) => running?.response.headersSent))
      await ask(port, { method: 'HEAD', target: '/' });
    await service.close(300);
  });

  it('a port that is taken → listening rejects with the error of the system', async (t) => {
    const { port } = await serve(t);
    const { HttpService } = await import('../../../../src/core/server/service.ts');
    await assert.rejects(new HttpService(() => text('')).listen(port), { code: 'EADDRINUSE' });
  });
});
