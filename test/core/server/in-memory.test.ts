/** Requests to an application without a socket, with the Web's `Response`, and contexts for tests (D78). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { application, type RunnableApplication } from '../../../src/core/application/application.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { empty, json, stream, text } from '../../../src/core/http/replies.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import { slot } from '../../../src/core/http/slot.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { isEncrypted } from '../../../src/core/server/trusted-proxy.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { events } from '../../../src/shelf/events/events.ts';
import { contextFor } from '../../../src/testing.ts';
import { type Asked, answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { read, routed } from '../../support/plain-routes.ts';
import { SOURCE_LOADER } from '../../support/program.ts';
import { logged, serve } from '../../support/serve.ts';
import { endless, failing, waiting } from '../../support/streams.ts';

type Init = Parameters<RunnableApplication['request']>[1];

/** The streams that were made, in order. */
const streams: Readable[] = [];

function streaming(body: Readable) {
  streams.push(body);
  return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
}

const app = application([
  todo(),
  {
    name: 'routes',
    outerStages: [
      (context, next) =>
        context.headers['x-cut'] === undefined ? next(context) : (context.request.socket.destroy(), text('')),
    ],
    routes: [
      route({
        path: 'echo',
        async handle({ context }) {
          const { method, headers, query } = context;
          const body = String(await context.body());
          const framing = { chunked: 'transfer-encoding' in headers, length: headers['content-length'] };
          const [type, x] = [headers['content-type'], headers['x-given']];
          return json({ method, type, body, x, query: query.get('q'), ...framing });
        },
      }),
      route({ path: 'host', handle: ({ context }) => text(`${context.headers.host} ${isEncrypted(context)}`) }),
      route({ path: 'status/{status:int}', handle: ({ values }) => empty({ status: Number(values.status) }) }),
      route({ path: 'cookies', handle: () => ({ status: 200, headers: ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'] }) }),
      route({ path: 'endless', handle: () => streaming(endless()) }),
      route({ path: 'quiet', handle: () => streaming(waiting('open')) }),
      route({ path: 'never', handle: () => new Promise<Reply>(() => {}) }),
      route({ path: 'fails', handle: () => streaming(Readable.from(failing('begun', 'on the way'))) }),
      route({
        path: 'events',
        handle({ context }) {
          const body = waiting('first');
          context.stopping.addEventListener('abort', () => body.push(null));
          return streaming(body);
        },
      }),
    ],
  },
]);

const form = new FormData();
form.append('field', 'ä');
const blank = { method: 'POST', query: null, chunked: false };
const ECHOED: readonly (readonly [what: string, init: Init & object, expected: object])[] = [
  ['nothing', { method: 'GET' }, { method: 'GET', body: '' }],
  ['json', { json: { a: ['ä'] } }, { ...blank, type: 'application/json', body: '{"a":["ä"]}', length: '12' }],
  ['json null', { json: null }, { ...blank, type: 'application/json', body: 'null' }],
  [
    'json of another type',
    { json: {}, headers: { 'content-type': 'application/x+json' } },
    { type: 'application/x+json' },
  ],
  ['a text', { body: 'ä' }, { type: 'text/plain;charset=UTF-8', body: 'ä', length: '2' }],
  ['bytes', { body: Buffer.from('b') }, { body: 'b', length: '1' }],
  [
    'a form',
    { body: new URLSearchParams({ a: 'ä' }) },
    { type: 'application/x-www-form-urlencoded;charset=UTF-8', body: 'a=%C3%A4' },
  ],
  ['a blob', { body: new Blob(['blob'], { type: 'a/b' }) }, { type: 'a/b', body: 'blob' }],
  ['a stream of Node', { body: Readable.from(['one', 'two']) }, { body: 'onetwo', chunked: true }],
  [
    'a text in chunks',
    { body: 'one', headers: { 'Transfer-Encoding': 'chunked' } },
    { body: 'one', type: 'text/plain;charset=UTF-8', chunked: true },
  ],
  ['a stream of the Web', { body: new Blob(['web']).stream() }, { body: 'web', chunked: true }],
  [
    'a stream with DELETE',
    { method: 'DELETE', body: Readable.from(['x']) },
    { method: 'DELETE', body: 'x', chunked: true },
  ],
  [
    'pairs of headers',
    {
      headers: [
        ['X-Given', '1'],
        ['x-given', '2'],
      ],
    },
    { x: '1, 2' },
  ],
  ['Headers', { headers: new Headers({ 'X-Given': '1' }) }, { x: '1' }],
];
for (const [what, init, expected] of ECHOED)
  test(`D78 – request with ${what} → arrives as ${JSON.stringify(expected)}`, async () => {
    const reply = await app.request('/echo?q=1', { method: 'POST', ...init });
    const arrived = (await reply.json()) as object;
    assert.equal(reply.status, 200);
    assert.deepEqual({ ...arrived, ...expected, query: '1' }, arrived);
  });

const ECHO = 'http://a.example/echo?q=2';
const PUT = { method: 'PUT', body: 'ä', headers: { 'X-Given': '1' } };
const OF_THE_WEB: readonly (readonly [what: string, request: Request, init: Init, expected: object])[] = [
  ['alone', new Request(ECHO), undefined, { method: 'GET', body: '', query: '2' }],
  [
    'with a body',
    new Request(ECHO, PUT),
    {},
    { method: 'PUT', body: 'ä', type: 'text/plain;charset=UTF-8', x: '1', length: '2', chunked: false },
  ],
  ['and another method', new Request(ECHO, PUT), { method: 'PATCH' }, { method: 'PATCH', body: 'ä', x: '1' }],
  ['and other headers', new Request(ECHO, PUT), { headers: { A: 'b' } }, { method: 'PUT', body: 'ä', x: undefined }],
  ['and another body', new Request(ECHO, PUT), { body: 'b' }, { method: 'PUT', body: 'b', x: '1' }],
  ['and JSON', new Request(ECHO, { method: 'POST' }), { json: [1] }, { body: '[1]', type: 'application/json' }],
  ['and undefined', new Request(ECHO, PUT), { method: undefined, body: undefined, json: undefined }, { body: 'ä' }],
];
for (const [what, request, init, expected] of OF_THE_WEB)
  test(`D78 – a Request ${what} → arrives as fetch would send it`, async () => {
    const arrived = JSON.parse(await (await app.request(request, init)).text()) as object;
    assert.deepEqual({ ...arrived, ...JSON.parse(JSON.stringify(expected)) }, arrived);
  });

test('D78 – a Request whose signal is aborted → rejects with the reason', async () => {
  const reason = new Error('enough');
  await assert.rejects(app.request(new Request('http://a/quiet', { signal: AbortSignal.abort(reason) })), reason);
  const controller = new AbortController();
  const answered = app.request(new Request('http://a/never', { signal: controller.signal }));
  setImmediate(() => controller.abort(reason));
  await assert.rejects(answered, reason);
});

test('D78 – under fake timers → requests with and without a body, and streamed replies, are answered', async (t) => {
  const silent = new ReadableStream<string>();
  const faked = application([
    todo(),
    {
      name: 'streams',
      routes: [
        route({ path: 'parts', handle: () => stream(['a'.repeat(40_000), 'b']) }),
        route({ path: 'later', handle: () => stream(Readable.from(['a', 'b'])) }),
        route({ path: 'events', handle: ({ context }) => events(context, Readable.from(['a'])) }),
        route({ path: 'quiet', handle: ({ context }) => events(context, silent) }),
        route({ path: 'upload', handle: async ({ context }) => text(String((await context.body()).length)) }),
      ],
    },
  ]);
  t.mock.timers.enable();
  assert.equal((await faked.request('/api/todo', { method: 'POST', json: { name: 'a' } })).status, 201);
  assert.equal(await (await faked.request('/upload', { body: Buffer.alloc(500_000) })).text(), '500000');
  assert.equal(await (await faked.request('/upload', { body: Readable.from(['a', 'b']) })).text(), '2');
  assert.equal((await (await faked.request('/parts')).text()).length, 40_001);
  assert.equal(await (await faked.request('/later')).text(), 'ab');
  assert.equal(await (await faked.request('/events')).text(), ':\n\ndata: a\n\n');
  const quiet = await faked.request('/quiet');
  assert.equal(quiet.status, 200);
  await quiet.body?.cancel();
});

test('D78 – request with FormData → arrives as multipart/form-data', async () => {
  const reply = await app.request('/echo', { method: 'POST', body: form });
  const { type, body } = (await reply.json()) as Record<string, string>;
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(type!)!;
  assert.ok(body!.startsWith(`--${boundary}\r\n`) && body!.includes('\r\n\r\nä\r\n'), body);
});

const HOSTS: readonly (readonly [target: string | URL, headers: Record<string, string>, seen: string])[] = [
  ['/host', {}, 'localhost false'],
  ['/host', { host: 'own' }, 'own false'],
  ['http://example.com:81/host?x', {}, 'example.com:81 false'],
  [new URL('https://example.com/host'), {}, 'example.com true'],
];
for (const [target, path] of [
  ['/José', '/Jos%C3%A9'],
  ['/日本', '/%E6%97%A5%E6%9C%AC'],
  ['/a b', '/a%20b'],
  ['/a?q=ü ß', '/a?q=%C3%BC%20%C3%9F'],
  ['/\u{1f600}', '/%F0%9F%98%80'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/a%20b', '/a%20b'],
  ['/a%zz', '/a%zz'],
  ['/"<>^`{|}', '/"<>^`{|}'],
  ['/%zz', '/%zz'],
  ['http://localhost/José?q=ü', '/Jos%C3%A9?q=%C3%BC'],
  ['http://localhost/%zz', '/%zz'],
  [new URL('https://example.com/日本'), '/%E6%97%A5%E6%9C%AC'],
  [new Request('http://localhost/a b'), '/a%20b'],
] as const)
  test(`D78 – request ${target instanceof Request ? `of a Request, ${target.url}` : target} → the target is ${path}`, async () => {
    let seen: string | undefined;
    const looking: Stage = (context) => ((seen = context.request.url), text(''));
    const app = application([{ name: 'a', outerStages: [looking] }]);
    await app.request(target);
    assert.equal(seen, path);
  });

for (const [target, headers, seen] of HOSTS)
  test(`D78 – request ${target} ${JSON.stringify(headers)} → host and TLS are ${seen}`, async () => {
    assert.equal(await (await app.request(target, { headers })).text(), seen);
  });

for (const [method, status] of [
  ['GET', 204],
  ['GET', 205],
  ['GET', 304],
  ['HEAD', 200],
] as const)
  test(`D78 – request ${method} that is answered ${status} → a Response without a body`, async () => {
    const reply = await app.request(`/status/${status}`, { method });
    assert.deepEqual([reply.status, reply.body], [status, null]);
  });

test('D78 – request, a header that the reply repeats → all its lines', async () => {
  const { headers } = await app.request('/cookies');
  assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2']);
});

test('D78 – requests that create, read and refuse an item → as over a socket', async () => {
  const made = await app.request('/api/todo', { method: 'POST', json: { name: 'New' } });
  assert.deepEqual([made.status, made.statusText], [201, 'Created']);
  assert.equal(((await (await app.request(made.headers.get('location')!)).json()) as { name: string }).name, 'New');
  assert.equal((await app.request('/api/todo', { method: 'POST', json: { name: 5 } })).status, 400);
  assert.equal((await app.request('/%zz')).status, 400);
  assert.equal((await app.request('no-slash')).status, 400);
});

test('D78 – request to an application with a base path → as a client writes it', async () => {
  const below = application([todo()], { basePath: '/tools' });
  const made = await below.request('/tools/api/todo', { method: 'POST', json: { name: 'New' } });
  assert.match(made.headers.get('location')!, /^\/tools\/api\/todo\//);
});

test('D78 – a stream that goes on, cancelled → the client has left, and the stream is made as it is read', async () => {
  const { body } = await app.request('/endless');
  const made = streams.at(-1)!;
  const reader = body!.getReader();
  assert.equal((await reader.read()).done, false);
  const closed = once(made, 'close');
  await reader.cancel();
  await closed;
});

test('D78 – a stream without a byte, cancelled → the client has left', async () => {
  const { status, body } = await app.request('/quiet');
  assert.equal(status, 200);
  const closed = once(streams.at(-1)!, 'close');
  await body!.cancel();
  await closed;
});

test('D78 – a stream whose signal is aborted → it fails with the reason, and the client has left', async () => {
  const controller = new AbortController();
  const reply = await app.request('/quiet', { signal: controller.signal });
  const closed = once(streams.at(-1)!, 'close');
  controller.abort(new Error('enough'));
  await assert.rejects(reply.text(), /enough/);
  await closed;
});

test('D78 – a signal that is aborted before the reply → the request fails with the reason', async () => {
  await assert.rejects(app.request('/host', { signal: AbortSignal.abort(new Error('never')) }), /never/);
  const controller = new AbortController();
  const waits = async ({ signal }: Context) => {
    controller.abort(new Error('now'));
    // Until the client has left: the process goes on with other tests, whose log this would be in.
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  };
  const aborting = application([{ name: 'waits', stages: [waits] }]);
  await assert.rejects(aborting.request('/', { signal: controller.signal }), /now/);
});

test('D78 – an event stream while the application stops → ends; the next request is answered', async () => {
  const reply = await app.request('/events');
  await app.stop();
  assert.equal(await reply.text(), 'first');
  await app.start();
  assert.equal((await app.request('/host')).status, 200);
});

test('D78 – a stream that fails on the way → the body fails, and the log has the error', async () => {
  const reply = await app.request('/fails');
  await assert.rejects(reply.text());
  assert.match(logged.splice(0).join(), /streamed a body that failed/);
});

const REJECTED: readonly (readonly [what: string, init: Init & object, error: RegExp])[] = [
  ['json beside a body', { method: 'POST', json: {}, body: '' }, /both json and body/],
  ['a header that none can be', { headers: { 'X-A': 'a\nb' } }, /header/i],
  ['a reply that does not come', { headers: { 'X-Cut': '1' } }, /hang up/],
  ['a body that fails', { method: 'POST', body: Readable.from(failing('', 'no body')) }, /no body/],
];
for (const [what, init, error] of REJECTED)
  test(`D78 – request with ${what} → rejects`, async () => {
    await assert.rejects(app.request('/echo', init), error);
  });

test('D78 – a body that is larger than the limit and never ends → 413', async () => {
  assert.equal((await app.request('/echo', { method: 'POST', body: endless() })).status, 413);
});

test('D78 – ids of the application → in its replies, its problems and the refusals of the parser', async () => {
  let count = 0;
  const fixed = application([todo()], { newRequestId: () => `id-${++count}` });
  const listed = await fixed.request('/api/todo');
  const problem = (await (await fixed.request('/nowhere')).json()) as { requestId: string };
  const refused = await fixed.request('/', { headers: { 'X-Long': 'x'.repeat(20_000) } });
  assert.equal(listed.headers.get('x-request-id'), 'id-1');
  assert.equal(problem.requestId, 'id-2');
  assert.deepEqual([refused.status, refused.headers.get('x-request-id')], [431, 'id-3']);
});

test('D78 – a service that answers, and no request of a test → Node has not loaded its fetch', () => {
  const program = `
    const loaded = () => process.moduleLoadList.some((name) => name.endsWith('deps/undici/undici'));
    // From Node 22 on, an import of node:http loads it too.
    const { get } = await import('node:http');
    const byNode = loaded();
    const { application, serve, text, route } = await import('./test/support/library.ts');
    const app = application([{ name: 'a', routes: [route({ path: '', handle: () => text('') })] }]);
    const { url, close } = await serve(app, { port: 0 });
    const { statusCode } = await new Promise((resolve) => get(url, resolve));
    const before = loaded();
    await app.request('/');
    console.log(statusCode, before === byNode, loaded());
    await close();`;
  const given = [...SOURCE_LOADER, '--input-type=module', '--eval', program];
  assert.equal(execFileSync(process.execPath, given, { encoding: 'utf8' }).trim(), '200 true true');
});

test('D78 – a handler that never answers → 503 once its time is over, as over a socket', async () => {
  const slow = read('a', { handlerTimeout: 1000, handle: () => new Promise(() => {}) });
  const app = application([{ name: 'a', routes: [slow] }], { log: () => {} });
  assert.equal((await app.request('/a')).status, 503);
});

const typed = { 'Content-Type': 'application/json' };
const REQUESTS: readonly Asked[] = [
  { path: '/api/todo' },
  { path: '/API/Todo/?x=%' },
  { path: '/api/todo', headers: { 'If-None-Match': '*' } },
  { path: '/api/todo', headers: { Accept: 'text/plain' } },
  { path: '/api/todo/nope' },
  { path: '/api/todo/%zz' },
  { method: 'POST', path: '/api/todo', headers: typed, body: '{"name":5}' },
  { method: 'POST', path: '/api/todo', headers: typed, body: Buffer.from('{') },
  { method: 'POST', path: '/api/todo', body: '{}' },
  { method: 'PUT', path: '/api/todo/x', headers: typed },
  { method: 'DELETE', path: '/api/todo/x' },
  { method: 'HEAD', path: '/swagger/v1/swagger.json' },
  { path: '/swagger/v1/swagger.json' },
  { path: '/swagger/ui' },
  { path: `/${'x'.repeat(9000)}` },
  { path: '/', headers: { Expect: 'nothing' } },
  { path: '/', headers: { 'X-Long': 'x'.repeat(20_000) } },
];
test('D78 – requests in memory → as over a socket', async (t) => {
  const { port, application: served } = await serve(t, { drainTimeout: 50 });
  const plain = (of: object) => ({ ...of, 'x-request-id': '', date: '', 'content-length': '' });
  const id = /"requestId":"[^"]*"/;
  for (const { method = 'GET', path, headers = {}, body } of REQUESTS) {
    const sent = { headers: { Host: 'localhost', ...headers }, ...(body !== undefined && { body }) };
    const asked = { method, target: path, ...sent };
    const [real, reply] = [await ask(port, asked), await answerOf(served, { method, path, headers, body })];
    assert.equal(reply.status, real.status, `${method} ${path}`);
    assert.deepEqual(plain(reply.headers), plain(real.headers));
    assert.equal(reply.body.replace(id, ''), real.text.replace(id, ''));
  }
});

test('D78 – a large reply that is not a text → its bytes', async () => {
  const sent = Buffer.alloc(6_553_600, Buffer.from([0, 0xff, 0xfe, 0x80]));
  const large = application([routed('', () => ({ status: 200, headers: {}, body: sent }))]);
  assert.deepEqual(Buffer.from(await (await large.request('/')).arrayBuffer()), sent);
});

const CASES: readonly (readonly [
  options: NonNullable<Parameters<typeof contextFor>[1]>,
  of: string,
  look: (context: Context) => unknown,
  expected: unknown,
])[] = [
  [{}, 'address', ({ request }) => request.socket.remoteAddress, '127.0.0.1'],
  [{ remoteAddress: '192.0.2.1' }, 'address', ({ request }) => request.socket.remoteAddress, '192.0.2.1'],
  [{ remoteAddress: '::FFFF:c000:201' }, 'client', ({ remoteAddress }) => remoteAddress, '192.0.2.1'],
  [{ json: { a: 'ä' } }, 'body', async (context) => String(await context.body()), '{"a":"ä"}'],
  [
    { json: null },
    'type and length',
    ({ headers: h }) => `${h['content-type']} ${h['content-length']}`,
    'application/json 4',
  ],
  [{ json: 1, headers: { 'content-type': 'a/b' } }, 'type', ({ headers }) => headers['content-type'], 'a/b'],
  [{ headers: { host: 'own' } }, 'host', ({ headers }) => headers.host, 'own'],
  [{ basePath: '/tools' }, 'path', ({ path, basePath }) => basePath + path, '/tools/x'],
  [{ stopping: AbortSignal.abort() }, 'stop', ({ stopping }) => stopping.aborted, true],
  [{}, 'stop', ({ stopping }) => stopping.aborted, false],
];
for (const [options, of, look, expected] of CASES)
  test(`D78 – contextFor with ${JSON.stringify(options)} → its ${of} is ${expected}`, async () => {
    const context = contextFor(options.basePath === undefined ? '/x' : '/tools/x', options);
    assert.deepEqual(await look(context), expected);
  });

test('D78 – a stop that begins later → the stage sees it', () => {
  const controller = new AbortController();
  const { stopping } = contextFor('/', { stopping: controller.signal });
  controller.abort();
  assert.equal(stopping.aborted, true);
});

test('D78 – a slot of a context of a test → is set and read', () => {
  const user = slot<string>('user');
  const context = contextFor('/');
  user.set(context, 'Ada');
  assert.equal(user.get(context), 'Ada');
});
