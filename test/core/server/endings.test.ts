/** Requests that end without their reply, and replies that a stage changes: no memory leaks, each reply is whole. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { stream, text } from '../../../src/core/http/replies.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { ask, Client } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { openDescriptors } from '../../support/open-descriptors.ts';
import { plain, routed } from '../../support/plain-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serveHandler, servePlugins } from '../../support/serve.ts';
import { failing, waiting } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

const never = (): Promise<never> => new Promise(() => {});
const POST = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

test('limits – a client resets while the handler of its body hangs → its time counts on, the memory is released', async (t) => {
  const hanging = routed('', ({ context }) => context.body().then(never));
  const { service, client } = await servePlugins(t, [hanging], { limits: { handlerTimeout: 1000 } });
  await client.send(POST(50_000) + 'x'.repeat(50_000));
  await until(() => service.bodyMemory >= 50_000, 'the body counted');
  client.reset();
  await until(() => service.bodyMemory === 0, 'given back', 10_000);
  assert.match(logged.splice(0).join(), /the route \\"POST \/\\", or a stage, has not replied within 1 s/);
});

for (const [what, answer] of [
  [
    'a problem beside it',
    (context: Context) =>
      Promise.all([context.body(), Promise.reject(new HttpProblem(401, 'no'))]).then(() => text('')),
  ],
  [
    'a reply that does not wait for it',
    (context: Context) => {
      context.body().catch(() => {});
      return text('early');
    },
  ],
  [
    'a reply, and nobody listens to the body any more',
    (context: Context) => {
      void context.body();
      return text('early');
    },
  ],
] as const)
  test(`limits – a body that is still coming in, and ${what} → its memory is released`, async (t) => {
    const { port, service } = await servePlugins(t, [{ name: 'a', stages: [answer] }]);
    for (let times = 0; times < 3; times++) {
      const client = new Client(port);
      await client.send(`${POST(60_000)}x`);
      await client.answer();
      await client.send('x'.repeat(59_999));
      client.end();
      await client.closed();
    }
    await until(() => service.bodyMemory === 0 && service.connections.size === 0, 'given back');
  });

for (const [what, before, after] of [
  ['came in whole', 1000, 0],
  ['came in half', 600, 400],
] as const)
  test(`limits – body() after the answer of the handler limit, the body ${what} → rejected, not a part of it`, async (t) => {
    const [late, outcome] = [gate(), gate()];
    let told: unknown;
    const { service, client } = await serveHandler(
      t,
      async (context) => {
        await late.passed;
        told = await context.body().then((bytes) => bytes.length, String);
        outcome.open();
        return text('late');
      },
      { limits: { handlerTimeout: 1000 } },
    );
    await client.send(POST(1000) + 'x'.repeat(before));
    assertProblem(await client.answer(), 503);
    await client.send('x'.repeat(after));
    late.open();
    await outcome.passed;
    assert.match(String(told), /Cannot read the body of the request: the reply has started/);
    await until(() => logged.some((line) => line.includes('it came after the time limit')), 'the late reply is told');
    assert.equal(service.bodyMemory, 0);
    logged.splice(0);
  });

for (const [what, sent] of [
  ['with a request behind it', 'GET /events HTTP/1.1\r\nHost: a\r\n\r\nGET /ok HTTP/1.1\r\nHost: a\r\n\r\n'],
  [
    'with a large body that nobody reads',
    `POST /events HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`,
  ],
  [
    'with a body in chunks that nobody reads',
    `POST /events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`,
  ],
] as const)
  test(`D41 – an event stream ${what}, and the client leaves → the stream is let go`, {
    timeout: 20_000,
  }, async (t) => {
    const closed = gate();
    const { service, client } = await serveHandler(t, ({ path }) => {
      if (path !== '/events') return text(path);
      return stream(waiting(': open\n\n').once('close', closed.open));
    });
    void client.send(sent);
    await until(() => client.received > 0, 'the head');
    client.destroy();
    await closed.passed;
    await until(() => service.connections.size === 0, 'no connection left');
  });

test('D41 – a stream with a length that stalls, and the client leaves → let go after the write time', {
  timeout: 20_000,
}, async (t) => {
  const closed = gate();
  const handle = () => stream(waiting('abc').once('close', closed.open), { headers: { 'Content-Length': '5' } });
  const { service, client } = await serveHandler(t, handle, { limits: { writeTimeout: 300 } });
  await client.send({ target: '/' });
  await until(() => client.received > 0, 'the first bytes');
  client.destroy();
  await closed.passed;
  await until(() => service.connections.size === 0, 'no connection left');
});

test('RFC 9112 §6.3 – a stream that has given all of its length and does not end → whole, and the connection is kept', async (t) => {
  const { client } = await serveHandler(t, ({ path }) =>
    path === '/next' ? text('next') : stream(waiting('hello'), { headers: { 'Content-Length': '5' } }),
  );
  assert.equal((await client.ask({ target: '/' })).text, 'hello');
  assert.equal((await client.ask({ target: '/next' })).text, 'next');
});

/** Fails some time after its first read, before its first bytes. */
const failingLater = (): Readable =>
  new Readable({
    read() {
      setTimeout(() => this.destroy(new Error('ENOENT, as of a missing file')), 50);
    },
  });

for (const [what, headers] of [
  ['with a length', { 'Content-Length': '5' }],
  ['without a length', {}],
] as const)
  test(`plugins – a stream ${what} that fails before its first byte → one 500, the connection is kept`, async (t) => {
    const missing = route({ path: 'missing', handle: () => ({ status: 200, headers, body: failingLater() }) });
    const { client } = await servePlugins(t, [{ name: 'a', routes: [missing, plain('good')] }]);
    assertProblem(await client.ask({ target: '/missing' }), 500);
    assert.match(logged.splice(0).join(), /The route \\"missing\\" streamed a body that failed.*ENOENT/);
    assert.equal((await client.ask({ target: '/good' })).status, 200);
  });

test('plugins – a stream in a reply that cannot be sent → is closed', async (t) => {
  const folder = '/etc/hostname';
  const streams: Readable[] = [];
  const answering = () => {
    const body = createReadStream(folder);
    streams.push(body);
    return { status: 200, headers: { 'X-A': 'a\nb' }, body };
  };
  const { port } = await servePlugins(t, [{ name: 'a', stages: [answering] }]);
  for (let times = 0; times < 5; times++) assertProblem(await ask(port, { target: '/' }), 500);
  logged.splice(0);
  await until(() => streams.every(({ closed }) => closed), 'closed');
  assert.equal(openDescriptors(folder), 0);
});

// A stage changes the reply of the next stage.
type Changeable = { status: number; headers: any; body: unknown };
const set = (member: keyof Changeable, value: unknown) => (reply: Changeable) =>
  void Object.assign(reply, { [member]: value });
const CHANGES: readonly (readonly [what: string, change: (reply: Changeable) => void, says: RegExp])[] = [
  ['the length of an object of headers', ({ headers }) => void (headers['Content-Length'] = '3'), /not extensible/],
  ['the list of headers, by a line', ({ headers }) => void headers.push('X-A', 'b'), /not extensible/],
  ['the body', set('body', 'longer than before'), /read only property/],
  ['the status to 204', set('status', 204), /read only property/],
  ['the headers to none', set('headers', undefined), /read only property/],
];
for (const [what, change, says] of CHANGES)
  test(`plugins – a stage changes ${what} of the reply that it was given → 500, in step`, async (t) => {
    const changing: Stage = (context, next) => {
      const reply = next(context) as unknown as Changeable;
      if (context.path === '/plain') change(reply);
      return reply as unknown as Reply;
    };
    const headers = { 'Content-Length': '5' };
    const changed = route({ path: 'plain', handle: () => ({ status: 200, headers, body: 'plain' }) });
    const { client } = await servePlugins(t, [{ name: 'a', stages: [changing], routes: [changed, plain('good')] }]);
    for (let times = 0; times < 2; times++) {
      const answer = await client.ask({ target: '/plain' });
      assert.equal(answer.status, 500);
      const log = logged.splice(0).join();
      assert.match(log, says);
      assert.match(log, /at changing /, 'the stack names the stage');
      assert.equal((await client.ask({ target: '/good' })).status, 200);
    }
  });

test('D46 – a copy that says HEAD, for a GET → a length without a body is refused all the same', async (t) => {
  const { port } = await servePlugins(t, [
    { name: 'head', stages: [(context, next) => next(contextWith(context, { method: 'HEAD' }))] },
    { name: 'a', routes: [route({ path: '', handle: () => ({ status: 200, headers: { 'Content-Length': '10' } }) })] },
  ]);
  assertProblem(await ask(port, { target: '/' }), 500);
  assert.match(logged.splice(0).join(), /for a body of 0 bytes/);
});

test('plugins – an async stage around a failing stream → the log names the route', async (t) => {
  const innocent: Stage = async (context, next) => next(context);
  const failed = routed('fails', () => ({ status: 200, headers: {}, body: Readable.from(failing('a', 'x')) }));
  const { client } = await servePlugins(t, [{ name: 'innocent', stages: [innocent] }, failed]);
  await client.send({ target: '/fails' });
  await client.over();
  assert.match(logged.splice(0).join(), /The route \\"fails\\" streamed a body that failed/);
});

test('plugins – a stage that calls next without a context → 500 with the correct call in the log', async (t) => {
  const bare = (_: Context, next: () => Reply) => next();
  const { port } = await servePlugins(t, [{ name: 'a', stages: [bare as never] }]);
  assertProblem(await ask(port, { target: '/' }), 500);
  assert.match(logged.splice(0).join(), /called next\(\) without a context; call next\(context\)/);
});

test('D21 – a malformed target below a mounted plugin with outer stages → the 400, with its path', async (t) => {
  const passing: Plugin = {
    name: 'm',
    outerStages: [(context, next) => (context.segments.length > 9 ? text('') : next(context))],
  };
  const { port } = await servePlugins(t, [mounted('tools', { ...mounted('deep', passing), name: 'd' }), passing]);
  for (const target of ['/tools/deep/%zz', '/tools/%zz', '/%zz'])
    assert.equal(assertProblem(await ask(port, { target }), 400).instance, target);
});

test('limits – an outer stage that hangs behind the reply of a route → the log names the route, or a stage', async (t) => {
  const hanging: Stage = async (context, next) => {
    await next(context);
    return never();
  };
  const plugins = [{ name: 'a', outerStages: [hanging] }, routed('done', () => text(''))];
  const { port } = await servePlugins(t, plugins, { limits: { handlerTimeout: 1000 } });
  assertProblem(await ask(port, { target: '/done' }), 503);
  const lines = logged.splice(0);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /the route \\"GET \/done\\", or a stage, has not replied/);
});
