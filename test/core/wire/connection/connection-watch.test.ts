/** Handlers that do not answer, clients that read too slowly, and idle connections (D48, D50, D51). */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import type { Context } from '../../../../src/core/message/context.ts';
import { text } from '../../../../src/core/message/replies.ts';
import type { Reply } from '../../../../src/core/message/reply.ts';
import { route } from '../../../../src/core/routing/route.ts';
import { streamedBody } from '../../../../src/core/wire/body/body-stream.ts';
import { HttpService } from '../../../../src/core/wire/service.ts';
import { noContent } from '../../../../src/operations/operation/answers.ts';
import { operation, routesOf } from '../../../../src/operations/routes/operation-routes.ts';
import { ask, Client } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { assertProblem } from '../../../support/problem.ts';
import { logged, serveHandler, serveService } from '../../../support/serve.ts';
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
              handle: async () => {
                await late.passed;
                return noContent();
              },
            }),
            operation({ method: 'GET', path: 'less', responses: { 204: {} }, handlerTimeout: 1000, handle: never }),
          ],
        }),
        route({ method: 'GET', path: 'slow/{id}', handle: never }),
        route({
          path: 'late',
          handle: async () => {
            await late.passed;
            const body = Readable.from(['abc']);
            body.once('close', destroyed.open);
            return { status: 200, headers: {}, body };
          },
        }),
        route({
          path: 'fails',
          handle: async () => {
            await late.passed;
            throw new Error('too late');
          },
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
    const wrong = operation({
      method: 'GET',
      path: 'a',
      responses: { 204: {} },
      handlerTimeout,
      handle: () => noContent(),
    });
    assert.throws(
      () => application([{ name: 'a', routes: routesOf({ name: 'A', path: '', operations: [wrong] }) }]),
      new RegExp(`Cannot give the operation "GET a" ${handlerTimeout} ms to reply`),
    );
  }
});

test('limits – a service that is watched and then listens, a handler that takes less than its time → its answer', async (t) => {
  const service = new HttpService(() => after(1400, 'late'), { limits: { handlerTimeout: 2000 } });
  const { port } = await serveService(t, service.watch());
  assert.equal((await ask(port, { target: '/' })).text, 'late');
});

for (const [what, read] of [
  ['whole', (context: Context) => context.body()],
  ['as a stream', async (context: Context) => Buffer.concat(await streamedBody(context, undefined).toArray())],
] as const)
  test(`limits – a body that came in while the process was busy, read ${what} → answered, however long that took`, async (t) => {
    const { service, client } = await serveHandler(t, async (context) => text(String((await read(context)).length)), {
      limits: { minBodyRate: 1000, bodyRateGrace: 1000 },
    });
    await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nf');
    await until(() => [...service.connections].some(({ reading }) => reading?.received === 1), 'the first byte');
    // Behind an immediate, timers are the first to run after the three seconds in which the process does nothing.
    await new Promise(setImmediate);
    void client.send('our');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    assert.equal((await client.answer()).text, '4');
  });

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

  for (const [what, body] of [
    ['one piece', () => Buffer.alloc(64 * MIB)],
    [
      'a stream',
      () =>
        new Readable({
          read() {
            this.push(Buffer.alloc(64 * 1024));
          },
        }),
    ],
  ] as const)
    it(`a reader that takes a little of a reply in ${what} now and then → cut`, async (t) => {
      const { service, client } = await serveHandler(t, () => ({ status: 200, headers: {}, body: body() }), {
        limits: { writeTimeout: 2000, minReplyRate: 4 * MIB },
      });
      await client.send({ target: '/' });
      client.socket.on('data', () => {
        client.socket.pause();
        setTimeout(() => client.socket.resume(), 100);
      });
      await until(() => service.connections.size === 0, 'cut', 20_000);
    });

  it('a reader that takes more than the least rate → the whole', async (t) => {
    const whole = Buffer.alloc(24 * MIB);
    const { client } = await serveHandler(t, () => ({ status: 200, headers: {}, body: whole }), {
      limits: { writeTimeout: 1000, minReplyRate: 100_000 },
    });
    void client.send({ target: '/', headers: { Connection: 'close' } });
    let taken = 0;
    client.socket.on('data', (chunk) => {
      taken += chunk.length;
      if (taken < MIB) return;
      taken = 0;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 150);
    });
    assert.equal((await client.answers())[0]!.body.length, whole.length);
  });

  it('a quiet event stream, longer than every limit → lives', async (t) => {
    let events!: Readable;
    const { client } = await serveHandler(
      t,
      () => {
        events = new Readable({ read() {} });
        return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: events };
      },
      { limits: { writeTimeout: 300, minReplyRate: MIB, idleTimeout: 300, handlerTimeout: 1000, headTimeout: 300 } },
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

  for (const [what, lines] of [
    ['a line feed now and then', '\r\n'],
    ['many line feeds now and then', '\r\n'.repeat(100)],
  ] as const)
    it(`a kept connection on which ${what} comes in → idle, closed after the idle time and that of a head`, async (t) => {
      const { client } = await serveHandler(t, ({ path }) => text(path), {
        limits: { idleTimeout: 1000, headTimeout: 1000 },
      });
      assert.equal((await client.ask({ target: '/a' })).text, '/a');
      const drip = setInterval(() => {
        if (!client.ended) void client.send(lines);
      }, 200);
      t.after(() => clearInterval(drip));
      assert.deepEqual(await client.answers(), []);
    });

  for (const gap of [20, 100, 400])
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
