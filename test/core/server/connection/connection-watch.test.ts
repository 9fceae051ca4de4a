/** Handlers that do not answer, clients that do not read, and idle connections (D48, D50, D51). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it, test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import { stream, text } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { route } from '../../../../src/core/routing/route.ts';
import { HttpService, listener } from '../../../../src/core/server/service.ts';
import { noContent } from '../../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../../src/operations/routes/operation-routes.ts';
import { ask, Client, requestBytes } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { controlled, read } from '../../../support/plain-routes.ts';
import { assertProblem } from '../../../support/problem.ts';
import { logged, serveHandler } from '../../../support/serve.ts';
import { waiting } from '../../../support/streams.ts';
import { throwing } from '../../../support/throwing.ts';
import { until } from '../../../support/until.ts';

/** Answers with the text in `time` milliseconds. */
const after = async (time: number, answer: string): Promise<Reply> => {
  await new Promise((resolve) => void setTimeout(resolve, time));
  return text(answer);
};
const never = (): Promise<never> => new Promise(() => {});
const MIB = 2 ** 20;

test('limits – a route, an operation, a stage and an outer stage that never answer → 503, the log names each', async (t) => {
  const seen: (readonly [string, number])[] = [];
  const late = gate();
  const destroyed = gate();
  const { handler, refuse } = application([
    {
      name: 'log',
      outerStages: [
        async function log(context, next) {
          const reply = await next(context);
          seen.push([context.path, reply.status]);
          return reply;
        },
      ],
    },
    {
      name: 'slow',
      outerStages: [
        function outside(context, next) {
          return context.path === '/outside' ? never() : next(context);
        },
      ],
      stages: [
        function stage(context, next) {
          return context.path === '/stage' ? never() : next(context);
        },
      ],

      routes: [
        ...routesOf({
          name: 'Patient',
          path: 'patient',
          operations: [
            operation({
              method: 'GET',
              path: 'more',
              responses: { 204: {} },
              handlerTimeout: 60_000,
              handle: () => late.passed.then(() => noContent()),
            }),
            operation({ method: 'GET', path: 'less', responses: { 204: {} }, handlerTimeout: 1000, handle: never }),
          ],
        }),
        route({ method: 'GET', path: 'slow/{id}', handle: never }),
        route({
          path: 'late',
          handle: async () => {
            await late.passed;
            return stream(Readable.from(['abc']).once('close', destroyed.open));
          },
        }),
        route({
          path: 'fails',
          handle: () => late.passed.then(throwing(new Error('too late'))),
        }),
        route({ path: 'good', handle: () => text('good') }),
      ],
    },
  ]);
  const { port } = await serveHandler(t, handler, { refuse, limits: { handlerTimeout: 2000 } });
  const asked = async (target: string): Promise<Client> => {
    const client = new Client(port);
    await client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${target}\r\n\r\n`);
    return client;
  };
  const more = await asked('/patient/more');
  const targets = ['/slow/1', '/late', '/fails', '/stage', '/outside', '/patient/less'];
  const clients = await Promise.all(targets.map(asked));
  for (const [at, client] of clients.entries()) {
    const answer = await client.answer();
    assertProblem(answer, 503);
    assert.equal(answer.headers['retry-after'], '10');
    assert.equal(answer.headers['connection'], 'keep-alive');
    assert.equal((await client.ask({ target: '/good' })).text, 'good', `the connection of ${targets[at]} goes on`);
  }
  const lines = logged.splice(0);
  const told = (id: string, what: RegExp): void => {
    const of = lines.filter((line) => line.includes(`"requestId":"${id}"`));
    assert.equal(of.length, 1, `${id}: ${of.join()}`);
    assert.match(of[0]!, what);
  };
  told('/slow/1', /the route \\"GET \/slow\/\{id\}\\", or a stage, has not replied within 2 s/);
  told('/late', /the route \\"GET \/late\\"/);
  told('/stage', /a stage has not replied/);
  told('/outside', /a stage has not replied/);
  told('/patient/less', /the route \\"GET \/patient\/less\\", or a stage, has not replied within 1 s/);
  // The outer stages have seen a 503, and a late reply is discarded.
  for (const target of targets.filter((one) => one !== '/outside'))
    assert.deepEqual(
      seen.filter(([path]) => path === target),
      [[target, 503]],
    );
  late.open();
  await destroyed.passed;
  assert.equal((await more.answer()).status, 204);
  await until(() => logged.length > 0, 'the late error in the log');
  assert.match(logged.splice(0).join(), /too late/);
});

test('limits – a handler that never answers, without stages around it → 503 all the same', async (t) => {
  const { client } = await serveHandler(t, ({ path }) => (path === '/slow' ? never() : text(path)), {
    limits: { handlerTimeout: 1000 },
  });
  assertProblem(await client.ask({ target: '/slow' }), 503);
  assert.match(logged.splice(0).join(), /a stage has not replied within 1 s/);
  assert.equal((await client.ask({ target: '/good' })).text, '/good');
});

test('limits – an invalid or too short time limit of an operation → throws at composition', () => {
  assert.throws(() => new HttpService(() => text(''), { limits: { handlerTimeout: 999 } }), {
    name: 'RangeError',
    message: 'Cannot use the limit handlerTimeout "999": it is checked once a second; use 1000 ms or more',
  });
  for (const handlerTimeout of [0, -1, NaN, 100, 999]) {
    assert.throws(
      () => application([controlled('A', '', read('a', { handlerTimeout }))]),
      new RegExp(`Cannot give the operation "GET a" ${handlerTimeout} ms to reply`),
    );
  }
});

test('limits – a handler that takes less than its time → its answer', async (t) => {
  const { port } = await serveHandler(t, () => after(1400, 'late'), { limits: { handlerTimeout: 2000 } });
  assert.equal((await ask(port, { target: '/' })).text, 'late');
});

test('limits – the handler of a listener on a server of node:http that never answers → 503', async (t) => {
  const server = createServer(listener(never, { limits: { handlerTimeout: 1000 } })).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assertProblem(await ask(port, { target: '/', headers: { Connection: 'close' } }), 503);
  assert.match(logged.splice(0).join(), /a stage has not replied within 1 s/);
});

/** Node 20 has the same buffer, but no property for it. */
type Buffered = Server & { readonly keepAliveTimeoutBuffer?: number };

describe('limits – slow clients', { concurrency: true }, () => {
  it('a body that takes longer to come in than a handler may take → its answer', async (t) => {
    const { client } = await serveHandler(t, async (context) => text(String(await context.body())), {
      limits: { handlerTimeout: 1000 },
    });
    await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n');
    for (const byte of 'four') {
      await new Promise((resolve) => void setTimeout(resolve, 700));
      await client.send(byte);
    }
    assert.equal((await client.answer()).text, 'four');
  });

  it('a quiet event stream, longer than every limit → lives', async (t) => {
    let events!: Readable;
    const { client } = await serveHandler(
      t,
      () => {
        events = waiting(': open\n\n');
        return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: events };
      },
      { limits: { writeTimeout: 300, idleTimeout: 300, handlerTimeout: 1000, headTimeout: 300 } },
    );
    await client.send({ target: '/' });
    await until(() => client.received > 0, 'the head');
    for (let times = 0; times < 2; times++) {
      const before = client.received;
      await new Promise((resolve) => void setTimeout(resolve, 1300));
      events.push('data: x\n\n');
      await until(() => client.received > before, 'the event');
    }
  });

  for (const gap of [20, 400])
    it(`a kept connection with a request every ${gap} ms → lives; closed once it rests for the idle time`, async (t) => {
      const { client } = await serveHandler(t, ({ path }) => text(path), {
        limits: { idleTimeout: 1000, headTimeout: 1000 },
      });
      for (let left = 2700; left > 0; left -= gap) {
        const { headers } = await client.ask({ target: '/a' });
        assert.equal(headers['connection'], 'keep-alive');
        await new Promise((resolve) => void setTimeout(resolve, gap));
      }
      assert.deepEqual(await client.answers(), []);
    });

  for (const [idleTimeout, announced] of [
    [1000, 1],
    [1999, 1],
    [2000, 2],
    [72_000, 72],
  ] as const)
    it(`Keep-Alive with an idle time of ${idleTimeout} ms → announces ${announced} s, a second before the close`, async (t) => {
      const { client, service } = await serveHandler(t, ({ path }) => text(path), { limits: { idleTimeout } });
      const { headers } = await client.ask({ target: '/a' });
      assert.equal(headers['keep-alive'], `timeout=${announced}`);
      const { keepAliveTimeout, keepAliveTimeoutBuffer = 1000 } = service.server as Buffered;
      assert.ok(keepAliveTimeout + keepAliveTimeoutBuffer - announced * 1000 >= 1000);
    });

  it('a request that comes in piece by piece at the end of the idle time → answered', async (t) => {
    const { client } = await serveHandler(t, ({ path }) => text(path), {
      limits: { idleTimeout: 1000, headTimeout: 5000 },
    });
    await client.ask({ target: '/a' });
    for (const piece of ['GET ', '/b HT', 'TP/1.1\r\n', 'Host: a\r\n', '\r\n']) {
      await new Promise((resolve) => void setTimeout(resolve, 600));
      await client.send(piece);
    }
    assert.equal((await client.answer()).text, '/b');
  });
});

test('D50 – clients read nothing, and more is unsent than the limit → the connection that holds most is closed', async (t) => {
  const { port, service } = await serveHandler(
    t,
    ({ path }) => ({ status: 200, headers: {}, body: Buffer.alloc(Number(path.slice(1)) * MIB) }),
    { limits: { maxBody: 1000, maxBodyMemory: 64 * MIB } },
  );
  const client = async (mebibytes: number): Promise<Client> => {
    const asking = new Client(port, { reads: false });
    await asking.send({ target: `/${mebibytes}`, headers: { Connection: 'close' } });
    return asking;
  };
  const unsent = (): number => [...service.connections].reduce((sum, one) => sum + one.unsent, 0);
  const most = await client(40);
  await until(() => unsent() > 30 * MIB, 'the first reply');
  const less = await client(20);
  await until(() => unsent() > 50 * MIB, 'the second reply');
  const last = await client(10);
  await until(() => service.connections.size === 2 && unsent() < 40 * MIB, 'the end of one connection');
  for (const [reader, mebibytes] of [
    [less, 20],
    [last, 10],
  ] as const) {
    reader.read();
    assert.equal((await reader.answers())[0]!.body.length, mebibytes * MIB);
  }
  most.read();
  await most.over();
  assert.ok(most.received < 40 * MIB);
});

test('D50 – one reply is larger than the limit of unsent bytes → the whole', async (t) => {
  const { client } = await serveHandler(t, () => ({ status: 200, headers: {}, body: Buffer.alloc(8 * MIB) }), {
    limits: { maxBody: 1000, maxBodyMemory: 70_000 },
  });
  assert.equal((await client.ask({ target: '/' })).body.length, 8 * MIB);
});

test('D50 – two requests in one packet, and a client that reads nothing of the second reply → closed after the write time', async (t) => {
  const { port, service } = await serveHandler(
    t,
    ({ path }) => ({ status: 200, headers: {}, body: Buffer.alloc(path === '/large' ? 16 * MIB : 1) }),
    { limits: { writeTimeout: 300 } },
  );
  const client = new Client(port, { reads: false });
  await client.send([{ target: '/small' }, { target: '/large' }]);
  await until(() => [...service.connections].some(({ unsent }) => unsent > MIB), 'the large reply');
  await until(() => service.connections.size === 0, 'the end');
});

/** A stream whose last bytes and end are read at once. */
const ending = (length: number): Readable =>
  new Readable({
    read() {
      this.push(Buffer.alloc(length));
      this.push(null);
    },
  });

for (const [what, headers] of [
  ['a length', { 'Content-Length': `${8 * MIB}` }],
  ['no length', {}],
] as const)
  test(`D50 – a client reads the end of a stream with ${what} late, and sends a request → the whole, and the answer`, async (t) => {
    const { port, service } = await serveHandler(t, ({ path }) =>
      path === '/next' ? text('next') : { status: 200, headers, body: ending(8 * MIB) },
    );
    const client = new Client(port, { reads: false });
    await client.send({ target: '/stream' });
    const unsent = (): number => [...service.connections].reduce((sum, one) => sum + one.unsent, 0);
    await until(() => unsent() > MIB, 'the unsent bytes');
    client.read();
    assert.equal((await client.answer()).body.length, 8 * MIB);
    assert.equal((await client.ask({ target: '/next' })).text, 'next');
    assert.equal(unsent(), 0);
  });

test('D50 – a client reads a large reply, and the next reply takes longer than the write time → both replies', async (t) => {
  const { port, service } = await serveHandler(
    t,
    ({ path }) =>
      path === '/later' ? after(1200, 'later') : { status: 200, headers: {}, body: Buffer.alloc(16 * MIB) },
    { limits: { writeTimeout: 600 } },
  );
  const client = new Client(port, { reads: false });
  await client.send(Buffer.concat([requestBytes({ target: '/large' }), requestBytes({ target: '/later' })]));
  await until(() => [...service.connections].some(({ unsent }) => unsent > MIB), 'the large reply');
  client.read();
  assert.equal((await client.answer()).body.length, 16 * MIB);
  assert.equal((await client.answer()).text, 'later');
});

test('D50 – a client sends requests for short streams and reads nothing → closed after the write time', async (t) => {
  const { port, service } = await serveHandler(t, () => ({ status: 200, headers: {}, body: ending(1000) }), {
    limits: { writeTimeout: 300 },
  });
  const client = new Client(port, { reads: false });
  void client.send(requestBytes({ target: '/' }).toString('latin1').repeat(30_000));
  await until(() => service.connections.size === 1, 'the connection');
  await until(() => service.connections.size === 0, 'the end');
});

test('limits – many clients of a large reply who never pause for the write time → the whole, each', async (t) => {
  const whole = Buffer.alloc(8 * MIB);
  const writeTimeout = 1000;
  const { port } = await serveHandler(t, () => ({ status: 200, headers: {}, body: whole }), {
    limits: { writeTimeout },
  });
  /** Reads the reply. Resolves to true if it is whole, and to undefined if a busy machine made the client pause. */
  async function read(): Promise<boolean | undefined> {
    const client = new Client(port);
    let before = performance.now();
    let longest = 0;
    const note = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
    };
    client.socket.on('data', note).on('close', note);
    void client.send({ headers: { Connection: 'close' } });
    await client.over();
    if (client.received > whole.length) return true;
    return longest > writeTimeout / 2 ? undefined : false;
  }
  for (let round = 1; ; round++) {
    const results = await Promise.all(Array.from({ length: 8 }, read));
    assert.ok(!results.includes(false), `round ${round}: a client without a pause got a part`);
    if (!results.includes(undefined)) return;
    if (round === 20) return t.skip('the machine is too busy: in each of 20 rounds a client paused for half a second');
  }
});
