/** Several requests on one connection: each gets one reply, whole and in order (RFC 9112 §9.3.2). */

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Handler } from '../../../src/core/http/context.ts';
import { stream, text } from '../../../src/core/http/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { whenSent } from '../../../src/core/server/request-context.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { events } from '../../../src/shelf/events/events.ts';
import { ask, Client, requestBytes, statusesOf, textsOf } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { assertProblem } from '../../support/problem.ts';
import { serve, serveHandler } from '../../support/serve.ts';
import { until } from '../../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIST = { target: '/api/todo' };
const post = (name: string): Buffer =>
  requestBytes({ method: 'POST', ...LIST, headers: JSON_TYPE, body: JSON.stringify({ name }) });
const last = { Connection: 'close' };

/** Answers with the path and the body, `/later` once its gate is open; `done` lists what ran. */
function noting(done: string[]): { handler: Handler; later: ReturnType<typeof gate> } {
  const later = gate();
  return {
    later,
    handler: async (context) => {
      const { path, method } = context;
      done.push(`begins ${path}`);
      const sent = method === 'POST' ? Buffer.from(await context.body()).toString() : '';
      if (path === '/later') await later.passed;
      done.push(`ends ${path}`);
      return text(path + sent);
    },
  };
}

test('one answer – ten kinds of requests in one packet → ten answers in order', async (t) => {
  const { client } = await serve(t);
  const spec = '/swagger/v1/swagger.json';
  const targets = [
    '/api/todo',
    '/nowhere',
    spec,
    '/api/todo/x',
    '/',
    '/api/todo/%zz',
    '/swagger/ui',
    '/api/todo?',
    '/x%00',
  ];
  await client.send([...targets.map((target) => ({ target })), { ...LIST, headers: last }]);
  const answers = await client.answers();
  assert.deepEqual(statusesOf(answers), [200, 404, 200, 404, 404, 400, 200, 200, 400, 200]);
  for (const at of [1, 3, 4, 5, 8])
    assert.equal(assertProblem(answers[at]!, answers[at]!.status).instance, targets[at]);
});

for (const [what, handler] of [
  ['requests', ({ path }) => text(path)],
  ['requests that wait', async ({ path }) => text(path)],
] as readonly [string, Handler][])
  test(`one answer – a thousand ${what}, in one packet → a thousand answers in order`, async (t) => {
    const { client } = await serveHandler(t, handler);
    const paths = Array.from({ length: 1000 }, (_, at) => `/${at}`);
    await client.send(paths.map((target, at) => ({ target, headers: at === 999 ? last : {} })));
    const answers = await client.answers();
    assert.deepEqual(textsOf(answers), paths);
  });

test('one answer – more requests for short streams than may wait in the process → an answer to each', async (t) => {
  const { client } = await serveHandler(t, ({ path }) => stream([path]));
  const paths = Array.from({ length: 5200 }, (_, at) => `/${at}`);
  const packet = paths.map((target, at) => requestBytes({ target, headers: at === 5199 ? last : {} }));
  void client.send(Buffer.concat(packet));
  assert.deepEqual(textsOf(await client.answers()), paths);
});

test('hardening – a request after a running request → starts when the first has ended', async (t) => {
  const done: string[] = [];
  const { handler, later } = noting(done);
  const { port, client } = await serveHandler(t, handler);
  await client.send([
    { target: '/later' },
    { method: 'POST', target: '/b', body: '1' },
    { method: 'POST', target: '/c', body: ['2', '3'], headers: last },
  ]);
  const other = new Client(port);
  assert.equal((await other.ask({ target: '/other' })).text, '/other', 'other connections go on');
  assert.deepEqual(done, ['begins /later', 'begins /other', 'ends /other']);
  later.open();
  assert.deepEqual(textsOf(await client.answers()), ['/later', '/b1', '/c23']);
  assert.deepEqual(done.slice(3), ['ends /later', 'begins /b', 'ends /b', 'begins /c', 'ends /c']);
});

test('hardening – POST, PUT of it and DELETE pipelined in one packet → each sees what the one before did', async (t) => {
  const { client } = await serve(t);
  const { key } = (await client.ask(LIST)).json()[0];
  const target = `/api/todo/${key}`;
  await client.send([
    { method: 'PUT', target, headers: JSON_TYPE, body: JSON.stringify({ key, name: 'Second' }) },
    { target },
    { method: 'DELETE', target },
    { method: 'PATCH', target, headers: JSON_TYPE, body: '{"name":"Back again"}' },
    { ...LIST, headers: last },
  ]);
  const answers = await client.answers();
  assert.deepEqual(statusesOf(answers), [204, 200, 204, 404, 200]);
  assert.equal(answers[1]!.json().name, 'Second');
  assert.equal(answers[4]!.text, '[]');
});

test('hardening – DELETE while the body of a PUT is on its way → the PUT finds no item and does not create it', async (t) => {
  const { port } = await serve(t);
  const editor = new Client(port);
  const other = new Client(port);
  const { key } = (await other.ask(LIST)).json()[0];
  const body = JSON.stringify({ key, name: 'Back again' });
  const put = requestBytes({ method: 'PUT', target: `/api/todo/${key}`, headers: JSON_TYPE, body });
  await editor.send(put.subarray(0, -5));
  assert.equal((await other.ask({ target: '/api/todo' })).status, 200);
  assert.equal((await other.ask({ method: 'DELETE', target: `/api/todo/${key}` })).status, 204);
  await editor.send(put.subarray(-5));
  assertProblem(await editor.answer(), 404);
  assert.equal((await other.ask({ target: '/api/todo' })).text, '[]');
});

/** Writes the packets to a new service; the statuses that came back, the last `Connection`, and the items behind. */
async function outcomeOf(t: TestContext, packets: readonly (string | Buffer)[], settings: Settings = {}) {
  const { port, client } = await serve(t, settings);
  for (const packet of packets) await client.send(packet);
  const answers = await client.answers();
  const items = (await ask(port, { target: '/api/todo' })).json() as { readonly name: string }[];
  const connection = answers.at(-1)?.headers['connection'];
  return { answers, statuses: statusesOf(answers), connection, names: items.map(({ name }) => name) };
}
type Settings = Parameters<typeof serve>[1];

// A request that ran gets its reply, whatever comes in behind it.
const CHUNKED = 'Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
for (const [what, bytes, statuses] of [
  ['garbage', '\x00\x01garbage\r\n\r\n', [201, 501]],
  ['a line that is no request', 'NONSENSE\r\n\r\n', [201, 501]],
  ['a request with a space before a colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', [201, 400]],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n', [201, 505]],
  ['a head beyond 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, [201, 431]],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n', [201, 400]],
  ['a POST with a broken chunk', `POST /api/todo HTTP/1.1\r\n${CHUNKED}zz\r\n`, [201, 400]],
  ['a chunk that is too long', `POST /api/todo HTTP/1.1\r\n${CHUNKED}2\r\n{}{}\r\n0\r\n\r\n`, [201, 400]],
  ['a GET with a broken chunk', `GET /nowhere HTTP/1.1\r\n${CHUNKED}zz\r\n`, [201, 404]],
  ['two requests, the second broken', 'GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n', [201, 200, 501]],
] as const)
  test(`hardening – a valid POST and ${what}, in one packet and in two → ${statuses.join(', ')}, the end`, async (t) => {
    const behind = Buffer.from(bytes, 'latin1');
    for (const packets of [[post('New'), behind], [Buffer.concat([post('New'), behind])]]) {
      const { names, ...seen } = await outcomeOf(t, packets, { drainTimeout: 50 });
      assert.deepEqual([seen.statuses, seen.connection], [statuses, 'close']);
      assert.deepEqual(names, ['Item1', 'New'], 'what was answered is what was done');
    }
  });

const NEVER = Buffer.concat([post('Never'), Buffer.from('garbage\r\n\r\n')]);
for (const [what, question, status, names] of [
  ['a POST with Connection: close', { headers: last, body: '{"name":"New"}' }, 201, ['Item1', 'New']],
  ['a POST of HTTP/1.0', { version: '1.0', body: '{"name":"New"}' }, 201, ['Item1', 'New']],
  [
    'Transfer-Encoding in HTTP/1.0 with keep-alive',
    { version: '1.0', headers: { Connection: 'keep-alive' }, body: ['{"name":"Never"}'] },
    400,
    ['Item1'],
  ],
] as const)
  test(`hardening – ${what} and more bytes in the same packet → ${status} and nothing else`, async (t) => {
    const headers = { ...JSON_TYPE, ...question.headers };
    const first = requestBytes({ ...question, method: 'POST', target: '/api/todo', headers });
    const seen = await outcomeOf(t, [Buffer.concat([first, NEVER])]);
    assert.deepEqual([seen.statuses, seen.names], [[status], names]);
  });

for (const [what, bytes] of [
  ['a broken chunk', 'zz\r\n'],
  ['chunk extensions beyond the limit', `1;${'x'.repeat(17_000)}\r\n`],
  ['a trailer that is none', '0\r\nA B: c\r\n\r\n'],
] as const)
  test(`hardening – an early 404, then ${what} → no second answer`, async (t) => {
    const { client } = await serve(t, { drainTimeout: 200 });
    await client.send('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    assertProblem(await client.answer(), 404);
    await client.send(bytes);
    assert.deepEqual(await client.answers(), []);
  });

test('hardening – a body that breaks while it is read → one 400, nothing stored', async (t) => {
  const { port, client } = await serve(t);
  await client.send(`POST /api/todo HTTP/1.1\r\n${CHUNKED}5\r\n{"nam\r\n`);
  assert.equal((await ask(port, { target: '/api/todo' })).json().length, 1);
  await client.send('zz\r\n');
  const answers = await client.answers();
  assert.equal(answers.length, 1);
  assert.equal(assertProblem(answers[0]!, 400).instance, '/api/todo');
  assert.equal((await ask(port, { target: '/api/todo' })).json().length, 1);
});

test('RFC 9112 9.6 – a request with a refused body and another request in the same packet → the second is not executed', async (t) => {
  const large = requestBytes({ method: 'POST', target: '/api/todo', headers: JSON_TYPE, body: ['x'.repeat(200)] });
  const { statuses, names } = await outcomeOf(t, [Buffer.concat([large, post('Perhaps')])], { maxBody: 100 });
  assert.equal(statuses[0], 413);
  // The second may run or not, but it has a reply exactly when it ran.
  assert.equal(names.length - 1, statuses.length - 1);
});

test('one answer – queued requests on a closed connection → do not run', async (t) => {
  const done: string[] = [];
  const { handler, later } = noting(done);
  const { port, service, client } = await serveHandler(t, handler);
  const other = new Client(port);
  await client.send([{ target: '/later' }, { target: '/never' }]);
  await other.ask({ target: '/other' });
  const cut = [...service.connections].find(({ running }) => running?.context.path === '/later');
  assert.ok(cut !== undefined);
  cut.socket.destroy();
  later.open();
  await client.over();
  await other.ask({ target: '/more' });
  const others = ['begins /other', 'ends /other', 'ends /later', 'begins /more', 'ends /more'];
  assert.deepEqual(done, ['begins /later', ...others]);
});

/** The asynchronous context in which something runs, that of a trace for example. */
const current = new AsyncLocalStorage<string>();

for (const [what, delay] of [
  ['at once', async () => {}],
  ['later', () => new Promise((resolve) => setTimeout(resolve, 10))],
] as const)
  test(`contexts – requests in one packet, each answered ${what} → each runs in the context in which it arrived`, async (t) => {
    const sent: string[] = [];
    const handler: Handler = async (context) => {
      whenSent(context, () => sent.push(`${context.path} ${current.getStore()}`));
      const before = current.getStore();
      await delay();
      const body = String(await context.body());
      return text(`${before} ${current.getStore()} ${body}`);
    };
    const { port, service } = await serveHandler(t, handler);
    const { server } = service;
    const { emit } = server;
    t.mock.method(server, 'emit', (event: string, ...given: { readonly url?: string }[]) =>
      event === 'request'
        ? current.run(`trace ${given[0]!.url}`, () => Reflect.apply(emit, server, [event, ...given]))
        : Reflect.apply(emit, server, [event, ...given]),
    );
    const client = new Client(port);
    const targets = ['/a', '/b', '/c', '/d', '/e'];
    await client.send(targets.map((target) => ({ method: 'POST', target, body: target })));
    for (const target of targets) {
      const trace = `trace ${target}`;
      assert.equal((await client.answer()).text, `${trace} ${trace} ${target}`);
    }
    await until(() => sent.length === targets.length, 'the end of each reply');
    assert.deepEqual(
      sent,
      targets.map((target) => `${target} trace ${target}`),
    );
  });

const ended: (string | undefined)[] = [];
async function* later(): AsyncGenerator<string> {
  try {
    for (let times = 0; times < 3; times++) {
      yield `${current.getStore()}\n`;
      await new Promise(setImmediate);
    }
  } finally {
    ended.push(current.getStore());
  }
}
function* atOnce(): Generator<string> {
  for (let times = 0; times < 3; times++) yield `${current.getStore()}\n`;
}
const TEXTS = { 200: { schema: { type: 'array', items: { type: 'string' } } } } as const;
const inContexts = application([
  {
    name: 'contexts',
    stages: [(context, next) => current.run(`stage ${context.path}`, () => next(context))],

    routes: [
      ...routesOf({
        name: 'Rows',
        path: '',
        operations: [
          operation({ method: 'GET', path: 'rows', responses: TEXTS, handle: () => ok(atOnce()) }),
          operation({ method: 'GET', path: 'rows-later', responses: TEXTS, handle: async () => ok(later()) }),
        ],
      }),
      route({ path: 'later', handle: () => stream(later()) }),
      route({ path: 'waited', handle: async () => stream(later()) }),
      route({ path: 'at-once', handle: () => stream(atOnce()) }),
      route({ path: 'events', handle: ({ context }) => events(context, later()) }),
      route({ path: 'started', handle: ({ context }) => events(context, () => later()) }),
    ],
  },
]);
for (const path of ['/later', '/waited', '/at-once', '/events', '/started', '/rows', '/rows-later'])
  test(`contexts – ${path}, a reply of a generator → all of it runs in the context of its stage`, async (t) => {
    const { port } = await serveHandler(t, inContexts.handler);
    const said = (await (await fetch(`http://127.0.0.1:${port}${path}`)).text()).match(/stage [^"\\\n]+|undefined/g);
    assert.deepEqual(said, Array(3).fill(`stage ${path}`));
    for (const store of ended.splice(0)) assert.equal(store, `stage ${path}`);
  });

test('contexts – a client that leaves a reply of a generator → its end runs in the context of its stage', async (t) => {
  const { port } = await serveHandler(t, inContexts.handler);
  for (const path of ['/later', '/events']) {
    const controller = new AbortController();
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: controller.signal });
    await reply.body!.getReader().read();
    controller.abort();
    await until(() => ended.length === 1, 'the end of the generator');
    assert.deepEqual(ended.splice(0), [`stage ${path}`]);
  }
});
