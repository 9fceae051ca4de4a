/** Tests what a request with an Idempotency-Key that was sent before gets, in memory and over sockets. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem, problemReply } from '../../../src/core/message/problem.ts';
import { empty, stream, text } from '../../../src/core/message/replies.ts';
import { noContent, notFound, ok } from '../../../src/core/operations/operation/answers.ts';
import { operation } from '../../../src/core/operations/operation/operation.ts';
import { route } from '../../../src/core/routing/route.ts';
import { authentication, bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { type IdempotencyOptions, idempotency } from '../../../src/extensions/idempotency/idempotency.ts';
import { todo } from '../../../src/extensions/todo/todo.ts';
import { Client } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serveHandler } from '../../support/serve.ts';

let time = 0;
const now = () => time;

/** Each handler counts how often it ran; `/tell` tells what it did. */
function counting(): Plugin & { runs: number } {
  const made: Plugin & { runs: number } = {
    name: 'counting',
    runs: 0,
    routes: [
      route({
        method: ['POST', 'PATCH', 'PUT'],
        path: 'count',
        handle: () => text(String(++made.runs), { status: 201, headers: { Location: `/${made.runs}` } }),
      }),
      route({
        method: 'POST',
        path: 'echo',
        handle: async ({ context }) => text(`${++made.runs} ${Buffer.from(await context.body())}`),
      }),
      route({
        method: 'POST',
        path: 'status/{status:int}',
        handle: ({ context, values }) => problemReply(context, Number(values.status), `Run ${++made.runs}`),
      }),
      route({ method: 'POST', path: 'empty', handle: () => (made.runs++, empty()) }),
      route({
        method: 'POST',
        path: 'chunks',
        handle: () => (made.runs++, { status: 200, headers: {}, body: [Buffer.from('a'), Buffer.from('b')] }),
      }),
      route({ method: 'POST', path: 'stream', handle: () => stream([String(++made.runs)]) }),
      route({
        method: 'POST',
        path: 'throws',
        handle() {
          throw new HttpProblem(409, `Run ${++made.runs}`);
        },
      }),
      route({ method: 'POST', path: 'long', handle: () => text(`${++made.runs} ${'x'.repeat(5000)}`) }),
    ],
  };
  return made;
}

interface Sent {
  readonly ask?: string;
  readonly key?: string | undefined;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: number;
}

async function answers(options: IdempotencyOptions, asked: readonly Sent[]) {
  const plugin = counting();
  const app = application([idempotency({ now, ...options }), plugin], { log() {} });
  await app.start();
  const found: unknown[] = [];
  for (const { ask = 'POST /count', key, body, headers = {}, at = 0 } of asked) {
    time = at;
    const [method = '', path = ''] = ask.split(' ');
    const reply = await app.request(path, {
      method,
      headers: {
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const said = await reply.text();
    const again = reply.headers.get('Idempotent-Replayed') === 'true' ? ' again' : '';
    found.push(
      `${reply.status}${again} ${said.startsWith('{') ? (reply.headers.get('Retry-After') ?? '') : said.slice(0, 9)}`.trim(),
    );
  }
  return found;
}

const LONG = 'k'.repeat(255);
const ROWS: readonly (readonly [
  what: string,
  asked: readonly Sent[],
  expected: readonly string[],
  options?: IdempotencyOptions,
])[] = [
  ['one key twice', [{ key: '"a"' }, { key: '"a"' }, { key: '"a"' }], ['201 1', '201 again 1', '201 again 1']],
  ['two keys', [{ key: '"a"' }, { key: '"b"' }], ['201 1', '201 2']],
  ['no key', [{}, {}], ['201 1', '201 2']],
  ['a key with and without quotes', [{ key: '"a-1"' }, { key: 'a-1' }], ['201 1', '201 again 1']],
  ['a key with escapes', [{ key: String.raw`"a\"b\\"` }, { key: String.raw`"a\"b\\"` }], ['201 1', '201 again 1']],
  [
    'the longest key, and one that is longer',
    [{ key: LONG }, { key: `"${LONG}"` }, { key: `${LONG}k` }, { key: `"${LONG}k"` }],
    ['201 1', '201 again 1', '400', '400'],
  ],
  [
    'malformed keys',
    ['', '""', '"a', 'a"', '"a", "b"', 'a b', 'a,b', '"a";b=1', '"ä"', String.raw`"a\b"`].map((key) => ({ key })),
    Array(10).fill('400'),
  ],
  [
    'a required key',
    [{}, { key: 'a' }, { key: 'a' }, { ask: 'PUT /count' }],
    ['400', '201 1', '201 again 1', '201 2'],
    { required: true },
  ],
  ['another path with the key', [{ key: 'a' }, { key: 'a', ask: 'POST /empty' }], ['201 1', '422']],
  [
    'another query',
    [
      { key: 'a', ask: 'POST /count?x=1' },
      { key: 'a', ask: 'POST /count?x=2' },
      { key: 'a', ask: 'POST /count?x=1' },
    ],
    ['201 1', '422', '201 again 1'],
  ],
  [
    'another method',
    [{ key: 'a' }, { key: 'a', ask: 'PATCH /count' }, { key: 'a', ask: 'PUT /count' }],
    ['201 1', '422', '201 2'],
    { methods: ['POST', 'PATCH'] },
  ],
  [
    'PATCH unless it is asked for',
    [
      { key: 'a', ask: 'PATCH /count' },
      { key: 'a', ask: 'PATCH /count' },
    ],
    ['201 1', '201 2'],
  ],
  [
    'another body',
    [
      { key: 'a', ask: 'POST /echo', body: '{}' },
      { key: 'a', ask: 'POST /echo', body: '[]' },
      { key: 'a', ask: 'POST /echo', body: '{}' },
    ],
    ['200 1 {}', '422', '200 again 1 {}'],
  ],
  [
    'a body of another media type',
    [
      { key: 'a', ask: 'POST /echo', body: '1' },
      { key: 'a', ask: 'POST /echo', body: '1', headers: { 'Content-Type': 'text/json' } },
    ],
    ['200 1 1', '422'],
  ],
  [
    'another file',
    [
      { key: 'a', ask: 'POST /echo', body: 'x', headers: { 'Content-Type': 'image/png' } },
      { key: 'a', ask: 'POST /echo', body: 'y', headers: { 'Content-Type': 'image/png' } },
    ],
    ['200 1 x', '200 again 1 x'],
  ],
  [
    'other credentials',
    [
      { key: 'a', headers: { Authorization: 'Bearer a' } },
      { key: 'a', headers: { Authorization: 'Bearer b' } },
      { key: 'a' },
    ],
    ['201 1', '422', '422'],
  ],
  [
    'another cookie',
    [
      { key: 'a', headers: { Cookie: 'a=1' } },
      { key: 'a', headers: { Cookie: 'a=2' } },
    ],
    ['201 1', '422'],
  ],
  [
    'a scope',
    [
      { key: 'a', headers: { 'X-User': 'ada' } },
      { key: 'a', headers: { 'X-User': 'bob' } },
      { key: 'a', headers: { 'X-User': 'ada', Authorization: 'Bearer new' } },
    ],
    ['201 1', '201 2', '201 again 1'],
    { scope: ({ headers }) => String(headers['x-user']) },
  ],
  ['a scope that is no text', [{ key: 'a' }], ['500'], { scope: (() => 7) as never }],
  [
    'replies without a body and of several chunks',
    [
      { key: 'a', ask: 'POST /empty' },
      { key: 'a', ask: 'POST /empty' },
      { key: 'b', ask: 'POST /chunks' },
      { key: 'b', ask: 'POST /chunks' },
    ],
    ['204', '204 again', '200 ab', '200 again ab'],
  ],
  [
    'a refusal of the handler',
    [
      { key: 'a', ask: 'POST /status/404' },
      { key: 'a', ask: 'POST /status/404' },
    ],
    ['404', '404 again'],
  ],
  [
    'a reply that frees the key: 500',
    [
      { key: 'a', ask: 'POST /status/500' },
      { key: 'a', ask: 'POST /status/500' },
    ],
    ['500', '500'],
  ],
  [
    'a reply that frees the key: 429',
    [
      { key: 'a', ask: 'POST /status/429' },
      { key: 'a', ask: 'POST /count' },
    ],
    ['429', '201 2'],
  ],
  [
    'a handler that throws',
    [
      { key: 'a', ask: 'POST /throws' },
      { key: 'a', ask: 'POST /count' },
    ],
    ['409', '201 2'],
  ],
  [
    'a stream, which is not kept',
    [
      { key: 'a', ask: 'POST /stream' },
      { key: 'a', ask: 'POST /stream' },
    ],
    ['200 1', '409'],
  ],
  [
    'what no route takes',
    [{ key: 'a', ask: 'POST /nothing' }, { key: 'a', ask: 'POST /count' }, { ask: 'POST /nothing' }],
    ['404', '201 1', '404'],
  ],
  [
    'the time to live',
    [{ key: 'a' }, { key: 'a', at: 999 }, { key: 'a', at: 1000 }, { key: 'a', at: 1999 }],
    ['201 1', '201 again 1', '201 2', '201 again 2'],
    { ttl: 1000 },
  ],
  [
    'more keys than are kept',
    [{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'b' }, { key: 'a' }],
    ['201 1', '201 2', '201 3', '201 again 2', '201 4'],
    { maxKeys: 2 },
  ],
  [
    'more bytes than are kept',
    [
      { key: 'a', ask: 'POST /long' },
      { key: 'b', ask: 'POST /long' },
      { key: 'b', ask: 'POST /long' },
      { key: 'a', ask: 'POST /long' },
    ],
    ['200 1 xxxxxxx', '200 2 xxxxxxx', '200 again 2 xxxxxxx', '200 3 xxxxxxx'],
    { maxBytes: 9000 },
  ],
  [
    'a reply that is too long to be kept',
    [
      { key: 'a', ask: 'POST /long' },
      { key: 'a', ask: 'POST /long' },
    ],
    ['200 1 xxxxxxx', '409'],
    { maxBytes: 2000 },
  ],
];

for (const [what, asked, expected, options = {}] of ROWS)
  test(`D97 ${what} → ${expected.join(', ').slice(0, 80)}`, async () =>
    assert.deepEqual(await answers(options, asked), expected));

test('D97 a repeated request → status, headers and body of the first reply, under its own id', async () => {
  const app = application([idempotency(), todo()]);
  await app.start();
  const post = () =>
    app.request('/api/todo', { method: 'POST', json: { name: 'Once' }, headers: { 'Idempotency-Key': '"k"' } });
  const [first, second] = [await post(), await post()];
  const { 'x-request-id': id, date: _, ...headers } = Object.fromEntries(first.headers);
  const {
    'x-request-id': otherId,
    date: __,
    'idempotent-replayed': replayed,
    ...others
  } = Object.fromEntries(second.headers);
  assert.deepEqual([second.status, others, await second.text()], [201, headers, await first.text()]);
  assert.equal(replayed, 'true');
  assert.notEqual(id, otherId);
});

/** A todo list behind a stage that waits once for the test. */
async function slowTodo(t: TestContext, options: IdempotencyOptions = {}) {
  const [begun, mayAnswer, answered] = [gate(), gate(), gate()];
  const slow: Plugin = {
    name: 'slow',
    stages: [
      async (context, next) => {
        if (context.method !== 'POST') return next(context);
        begun.open();
        await mayAnswer.passed;
        const reply = await next(context);
        setImmediate(answered.open);
        return reply;
      },
    ],
  };
  const app = application([idempotency(options), slow, todo()]);
  await app.start();
  const { port } = await serveHandler(t, app.handler);
  const post = (key: string, name = 'Once') => ({
    method: 'POST',
    target: '/api/todo',
    headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return { port, post, begun, mayAnswer, answered };
}

test('D97 a connection that breaks before the reply, over a socket → the request sent again makes no second item', async (t) => {
  const { port, post, begun, mayAnswer, answered } = await slowTodo(t);
  const lost = new Client(port);
  await lost.send(post('"k"'));
  await begun.passed;
  lost.reset();
  await lost.closed();
  mayAnswer.open();
  await answered.passed;
  const client = new Client(port);
  const again = await client.ask(post('"k"'));
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
  const list = (await client.ask({ target: '/api/todo' })).json() as readonly {
    readonly name: string;
    readonly key: string;
  }[];
  assert.deepEqual(
    list.filter(({ name }) => name === 'Once').map(({ key }) => key),
    [again.json().key],
  );
  client.destroy();
});

test('D97 a request that is sent again while the first one runs → 409 with Retry-After, another one 422, then the reply', async (t) => {
  const { port, post, begun, mayAnswer } = await slowTodo(t);
  const [first, second] = [new Client(port), new Client(port)];
  await first.send(post('k'));
  await begun.passed;
  const refused = await second.ask(post('k'));
  assertProblem(refused, 409);
  assert.equal(refused.headers['retry-after'], '1');
  assertProblem(await second.ask(post('k', 'Other')), 422);
  mayAnswer.open();
  const { status, text: body } = await first.answer();
  assert.equal(status, 201);
  assert.equal((await second.ask(post('k'))).text, body);
  first.destroy();
  second.destroy();
});

test('D97 as many running requests as there may be keys → 503, and none of them is forgotten', async (t) => {
  const { port, post, begun, mayAnswer } = await slowTodo(t, { maxKeys: 1 });
  const [first, second] = [new Client(port), new Client(port)];
  await first.send(post('a'));
  await begun.passed;
  const full = await second.ask(post('b'));
  assert.deepEqual([full.status, full.headers['retry-after']], [503, '1']);
  mayAnswer.open();
  const { text: body } = await first.answer();
  assert.equal((await second.ask(post('a'))).text, body);
  first.destroy();
  second.destroy();
});

const staff = bearerTokens<string>({ a: { identity: 'ada' }, b: { identity: 'bob' } }, { name: 'Staff' });

test('D97 in front of one operation → behind the credentials, scoped by who calls', async () => {
  let runs = 0;
  const keyed = idempotency({ scope: (context) => staff.identity.get(context) });
  const post = operation({
    method: 'POST',
    path: '',
    security: [staff],
    stages: keyed.stages,
    headers: keyed.headers,
    responses: { 200: { schema: { type: 'integer' } }, ...keyed.refusals },
    handle: () => ok(++runs),
  });
  const app = application([
    authentication(staff),
    { name: 'p', controllers: [{ name: 'P', path: 'p', operations: [post] }] },
  ]);
  const asked: unknown[] = [];
  for (const token of ['a', 'b', 'a', 'c']) {
    const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k' };
    const reply = await app.request('/p', { method: 'POST', headers });
    asked.push([reply.status, reply.ok ? await reply.json() : undefined]);
  }
  assert.deepEqual(asked, [
    [200, 1],
    [200, 2],
    [200, 1],
    [401, undefined],
  ]);
});

test('D97 both documents → list what the plugin answers to POST, and the declared header', async () => {
  const keyed = idempotency();
  const operations = [
    operation({
      method: 'POST',
      path: '',
      headers: keyed.headers,
      responses: { 204: {}, 404: {} },
      handle: () => noContent(),
    }),
    operation({ method: 'GET', path: '', responses: { 204: {}, 404: {} }, handle: () => notFound('No') }),
  ];
  const app = application([
    keyed,
    { name: 'a', controllers: [{ name: 'A', path: 'a', operations }] },
    description({ title: 'A', version: 'v1' }),
  ]);
  await app.start();
  for (const path of ['/swagger/v1/swagger.json', '/swagger/v1/openapi.json']) {
    const { paths } = (await (await app.request(path)).json()) as { paths: Record<string, any> };
    assert.deepEqual(Object.keys(paths['/a'].post.responses), ['204', '400', '404', '409', '422']);
    assert.deepEqual(Object.keys(paths['/a'].get.responses), ['204', '404']);
    assert.equal(paths['/a'].post.parameters[0].name, 'Idempotency-Key');
    assert.ok('Idempotent-Replayed' in paths['/a'].post.responses[204].headers);
    assert.ok('Retry-After' in paths['/a'].post.responses[409].headers);
  }
});

test('D97 mounted → the routes below the prefix alone', async () => {
  const plugin = counting();
  const app = application([
    mounted('a', idempotency({ required: true })),
    mounted('a', plugin),
    { ...counting(), name: 'other' },
  ]);
  await app.start();
  const ask = async (path: string) => (await app.request(path, { method: 'POST' })).status;
  assert.deepEqual([await ask('/a/count'), await ask('/count'), await ask('/a/nothing')], [400, 201, 404]);
});

test('D97 a store of its own that fails behind the handler → the reply is sent, and the log has the error', async () => {
  const store = {
    begin: async () => undefined,
    finish: async () => {
      throw new Error('the store is gone');
    },
    release() {},
  };
  assert.deepEqual(await answers({ store }, [{ key: 'a' }]), ['201 1']);
  assert.match(logged.splice(0).join(), /the store is gone/);
});

test('D97 a store of its own → it gets scope and key, and gives the reply', async () => {
  const kept = new Map<string, unknown>();
  const store = {
    begin: (key: string) => kept.get(key) as never,
    finish: (key: string, record: unknown) => void kept.set(key, record),
    release: (key: string) => void kept.delete(key),
  };
  assert.deepEqual(await answers({ store, scope: () => 'ada' }, [{ key: '"k"' }, { key: 'k' }]), [
    '201 1',
    '201 again 1',
  ]);
  assert.deepEqual([...kept.keys()], ['["ada","k"]']);
});

for (const [options, message] of [
  [{ methods: ['PUT'] }, /Cannot keep replies to "PUT": it can be repeated as it is; give POST, PATCH or both/],
  [{ ttl: 0 }, /Cannot keep replies with the ttl 0: give a whole number above 0/],
  [{ maxKeys: 1.5 }, /with the maxKeys 1.5/],
  [{ maxbytes: 1 }, /did you mean "maxBytes"/],
] as const)
  test(`D97 idempotency(${JSON.stringify(options)}) → refused`, () =>
    assert.throws(() => idempotency(options as never), message));
