/** Tests the limits of requests, with a fake clock. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { headerOf, text, withHeaders } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { route } from '../../../src/core/routing/route.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { networkOf } from '../../../src/shelf/rate-limit/network.ts';
import { rateLimit } from '../../../src/shelf/rate-limit/rate-limit.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

type RateLimitOptions = Parameters<typeof rateLimit>[0];

let time = 0;
const clock = { now: () => time };
const byName: Pick<RateLimitOptions, 'keyOf'> = { keyOf: ({ headers }) => headers['x-name']?.toString() };

const X_BY = { headers: { 'X-By': 'us' } };
const answering: Plugin = {
  name: 'answering',
  routes: [
    plain('now'),
    route({ path: 'later', handle: async () => text('later') }),
    route({ path: 'refuses', handle: throwing(new HttpProblem(409, 'Taken', { by: 'us', ...X_BY })) }),
    route({ path: 'rejects', handle: () => Promise.reject(new HttpProblem(413, 'Large')) }),
    route({ path: 'fails', handle: throwing(new Error('unplanned')) }),
  ],
};

/** Sends each request `TIME PATH [NAME]` in turn. Returns `status`, `RateLimit` and `Retry-After` of each reply. */
async function answers(plugins: readonly Plugin[], ...requests: readonly string[]) {
  const { request } = application([...plugins, answering], { log: () => {} });
  const found: (readonly [status: number, rest: string | null, wait: string | null])[] = [];
  for (const [at, path = '', name] of requests.map((line) => line.split(' '))) {
    time = Number(at);
    const { status, headers } = await request(path, { headers: name === undefined ? {} : { 'X-Name': name } });
    found.push([status, headers.get('RateLimit'), headers.get('Retry-After')]);
  }
  return found;
}

test('D79 two requests in a minute → the third is refused until the window of the client is over', async () => {
  const limit = rateLimit({ limit: 2, window: 60_000, ...clock });
  const requests = ['5000 /now', '6500 /now', '6500 /now', '64999 /now', '65000 /now', '500000 /now'];
  assert.deepEqual(await answers([limit], ...requests), [
    [200, '"default";r=1;t=60', null],
    [200, '"default";r=0;t=59', null],
    [429, '"default";r=0;t=59', '59'],
    [429, '"default";r=0;t=1', '1'],
    [200, '"default";r=1;t=60', null],
    [200, '"default";r=1;t=60', null],
  ]);
});

for (const [path, status, hasHeader] of [
  ['/now', 200, true],
  ['/later', 200, true],
  ['/refuses', 409, true],
  ['/rejects', 413, true],
  ['/nowhere', 404, true],
  ['/fails', 500, false],
] as const)
  test(`D79 ${path}, which is answered with ${status} → counted, ${hasHeader ? 'with' : 'without'} the header RateLimit`, async () => {
    assert.deepEqual(await answers([rateLimit({ limit: 1, window: 1000, ...clock })], `0 ${path}`, '0 /now'), [
      [status, hasHeader ? '"default";r=0;t=1' : null, null],
      [429, '"default";r=0;t=1', '1'],
    ]);
  });

test('D79 a problem → keeps its members and its headers', async () => {
  const { handler } = application([rateLimit({ limit: 9, window: 1000 }), answering]);
  const reply = await answerOf(handler, { path: '/refuses' });
  assert.equal(JSON.parse(reply.body).by, 'us');
  assert.equal(reply.headers['x-by'], 'us');
  assert.equal(reply.headers['ratelimit-policy'], '"default";q=9;w=1');
});

test('D79 a refusal over a socket → 429, a problem with every member, and a request that fails validation is not counted', async (t) => {
  const { handler, refuse } = application([rateLimit({ limit: 1, window: 90_500, ...clock }), answering]);
  time = 0;
  const { port } = await serveHandler(t, handler, { refuse });
  const malformed = await ask(port, { target: '/%zz' });
  assert.deepEqual([malformed.status, malformed.headers['ratelimit']], [400, undefined]);
  assert.equal((await ask(port, { target: '/now' })).status, 200);
  const refused = await ask(port, { target: '/now' });
  const detail = 'Too many requests, the limit is 1 in 90.5 s; send the next in 91 s';
  assert.equal(assertProblem(refused, 429).detail, detail);
  assert.equal(refused.headers['retry-after'], '91');
  assert.equal(refused.headers['ratelimit-policy'], '"default";q=1;w=91');
});

test('D79 keys of a function → each has a separate count, a request without a key has no limit and no header', async () => {
  const limit = rateLimit({ limit: 1, window: 1000, name: 'by-name', ...clock, ...byName });
  assert.deepEqual(await answers([limit], '0 /now a', '0 /now b', '0 /now a', '0 /now', '0 /now'), [
    [200, '"by-name";r=0;t=1', null],
    [200, '"by-name";r=0;t=1', null],
    [429, '"by-name";r=0;t=1', '1'],
    [200, null, null],
    [200, null, null],
  ]);
});

test('D79 two limits → both are counted and in the headers; Retry-After is the wait of the limit that refuses', async () => {
  const limits = [
    rateLimit({ limit: 1, window: 1000, name: 'burst', ...clock }),
    rateLimit({ limit: 2, window: 60_000, name: 'long', ...clock }),
  ];
  assert.deepEqual(await answers(limits, '0 /now', '0 /now', '1000 /now', '2000 /now'), [
    [200, '"burst";r=0;t=1, "long";r=1;t=60', null],
    [429, '"burst";r=0;t=1', '1'],
    [200, '"burst";r=0;t=1, "long";r=0;t=59', null],
    [429, '"burst";r=0;t=1, "long";r=0;t=58', '58'],
  ]);
});

test('D79 a later stage that changes the reply → the reply has the headers of the stage and of the limit', async () => {
  const changing: Plugin = {
    name: 'changing',
    stages: [async (context, next) => withHeaders(await next(context), { 'X-Changed': 'yes' })],
  };
  const { handler } = application([rateLimit({ limit: 1, window: 1000 }), changing, answering]);
  const { headers } = await answerOf(handler, { path: '/now' });
  assert.deepEqual([headers['x-changed'], headers['ratelimit-policy']], ['yes', '"default";q=1;w=1']);
});

/** Sends requests with the key in `X-Name` to a stage, and returns the remaining requests of each key. */
function leftOf(limit: ReturnType<typeof rateLimit>, names: readonly string[]): Promise<number[]> {
  const handler = pipeline(limit.stages, () => text('x'));
  const sent = names.map(async (name) => {
    const reply = await handler(testContext('/', { headers: { 'x-name': name } }));
    return Number(/r=(\d+)/.exec(headerOf(reply, 'RateLimit')!)![1]);
  });
  return Promise.all(sent);
}

for (const [what, options, known] of [
  ['10,000 keys', {}, 10_000],
  ['maxKeys', { maxKeys: 3 }, 3],
] as const)
  test(`D79 one key more than ${what} → only the window that ends first is forgotten`, async () => {
    time = 0;
    const limit = rateLimit({ limit: 5, window: 60_000, ...clock, ...byName, ...options });
    const names = Array.from({ length: known }, (_, at) => `n${at}`);
    assert.ok((await leftOf(limit, names)).every((left) => left === 4));
    assert.deepEqual(await leftOf(limit, ['n0', 'n1', 'n2']), [3, 3, 3], 'all are remembered');
    assert.deepEqual(await leftOf(limit, ['more', 'n1', 'n0', 'n2', 'more']), [4, 2, 4, 2, 3]);
    assert.deepEqual(await leftOf(limit, ['n1']), [4], 'the one that the return of n0 has displaced');
  });

test('D79 long keys of clients → distinguished, without their texts in memory', async () => {
  const key = (at: number) => Buffer.alloc(200_000, `${at} `).toString('latin1');
  const limit = rateLimit({ limit: 5, window: 60_000, ...clock, ...byName });
  const before = memoryInUse();
  for (let at = 0; at < 500; at++) assert.deepEqual(await leftOf(limit, [key(at)]), [4]);
  await setImmediate();
  assert.ok(memoryInUse() - before < 50_000_000);
  assert.deepEqual(await leftOf(limit, [`${key(0)}a`, `${key(0)}b`, `${key(0)}a`]), [4, 4, 3]);
});

test('D79 windows that have ended → removed first, so that no other window is forgotten', async () => {
  time = 0;
  const limit = rateLimit({ limit: 5, window: 1000, maxKeys: 3, ...clock, ...byName });
  await leftOf(limit, ['a', 'b']);
  time = 500;
  await leftOf(limit, ['c']);
  time = 1000;
  assert.deepEqual(await leftOf(limit, ['d', 'e', 'c']), [4, 4, 3]);
});

test('D79 the default key – an IPv6 network of 64 bits → one count; so have all clients of a Unix socket', async () => {
  const handler = pipeline(rateLimit({ limit: 2, window: 1000, ...clock }).stages, () => text('x'));
  const peers = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8:0:1::1', '', ''];
  const left: unknown[] = [];
  for (const remoteAddress of peers)
    left.push(/r=\d/.exec(headerOf(await handler(testContext('/', { remoteAddress })), 'RateLimit')!)![0]);
  assert.deepEqual(left, ['r=1', 'r=1', 'r=1', 'r=0', 'r=1', 'r=1', 'r=0']);
});

for (const [option, value] of [
  ['limit', 0],
  ['limit', 1.5],
  ['limit', undefined],
  ['window', -1],
  ['window', Infinity],
  ['maxKeys', 0],
  ['maxKeys', Number.NaN],
] as const)
  test(`D79 ${option}: ${value} → a RangeError that names the option`, () => {
    const options = { limit: 1, window: 1000, [option]: value } as RateLimitOptions;
    assert.throws(() => rateLimit(options), {
      name: 'RangeError',
      message: `Cannot limit requests with the ${option} ${value}: give a whole number above 0`,
    });
  });

test('D79 – an unknown option → a TypeError that names the nearest option', () => {
  const options = { limit: 1, window: 1000, maxKey: 5 } as RateLimitOptions;
  assert.throws(() => rateLimit(options), {
    name: 'TypeError',
    message: /^Cannot limit requests with the option "maxKey": it is unknown; did you mean "maxKeys"\?/,
  });
});

test('D79 a name with a character that ends a quoted header value → a TypeError', () => {
  for (const name of ['a"b', 'a\r\nb', '', 'ä'])
    assert.throws(() => rateLimit({ limit: 1, window: 1, name }), {
      name: 'TypeError',
      message: /Cannot name a limit/,
    });
});

test('D79 without a clock → the time of the process is used', async () => {
  const found = await answers([rateLimit({ limit: 1, window: 3_600_000 })], '0 /now', '0 /now');
  const statuses = found.map(([status]) => status);
  assert.deepEqual(statuses, [200, 429]);
});

for (const [place, parts] of [
  ['the plugin', (limit) => [limit, answering]],
  ['a route', ({ stages }) => [{ name: 'a', routes: [plain('now', { stages })] }]],
] satisfies [string, (limit: ReturnType<typeof rateLimit>) => Plugin[]][]) {
  test(`D79 the limit in ${place}, behind trusted proxies → a separate count for each client`, async () => {
    const composed = application(parts(rateLimit({ limit: 1, window: 1000 })), { trustedProxies: ['loopback'] });
    const statuses = [];
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1'])
      statuses.push((await composed.request('/now', { headers: { 'X-Forwarded-For': client } })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });
}

const documentsOf = async (limit: Plugin) => {
  const { start, request } = serving([read('things')], limit, description({ title: 'A' }));
  await start();
  const written = async (name: string): Promise<any> => (await request(`/swagger/v1/${name}.json`)).json();
  return { swagger: await written('swagger'), openApi: await written('openapi') };
};

test('D79 the documents → every operation has 429 with the three headers; of a mounted plugin, only those below its prefix', async () => {
  const limit = rateLimit({ limit: 9, window: 1000, ...clock });
  const { swagger, openApi } = await documentsOf(limit);
  const names = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];
  for (const document of [swagger, openApi]) {
    const { 429: response } = document.paths['/things'].get.responses;
    assert.equal(response.description, 'The client has sent too many requests');
    assert.deepEqual(Object.keys(response.headers).sort(), names);
  }
  assert.equal(swagger.paths['/things'].get.responses[429].headers['Retry-After'].type, 'integer');
  assert.equal(openApi.components.headers['Retry-After'].required, true);
  for (const [prefix, statuses] of [
    ['things', ['204', '429']],
    ['other', ['204']],
  ] as const) {
    const { openApi: of } = await documentsOf(mounted(prefix, rateLimit({ limit: 9, window: 1000 })));
    assert.deepEqual(Object.keys(of.paths['/things'].get.responses), statuses);
  }
});

test('D79 the stage of a limit in one operation → its 429 is described and passes the verification', async () => {
  const { stages } = rateLimit({ limit: 1, window: 1000, ...clock });
  const { request } = serving([read('limited', { stages })], verification());
  const statuses = [];
  for (let at = 0; at < 2; at += 1) statuses.push((await request('/limited')).status);
  assert.deepEqual(statuses, [204, 429]);
});

test('D79 – keyOf that returns a promise → 500, and the log names the remedy', async () => {
  const limit = rateLimit({ limit: 1, window: 60_000, keyOf: (async () => 'same') as never });
  const { request, errors } = serving([], limit);
  assert.equal((await request('/x')).status, 500);
  assert.match(errors.join(), /keyOf did not return a text; return a text/);
});

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
  ['0::ffff:c000:201', '192.0.2.1'],
  ['::ffff:c000:201%eth0', '192.0.2.1'],
  ['::ffff:0:c000:201', '::ffff:0:c000:201'],
  ['::ffff:0:c000:202', '::ffff:0:c000:202'],
  ['::fffe:0:c000:201', '0:0:0:0'],
  ['2001:db8::ffff:c000:201', '2001:db8:0:0'],
  ['::ffff:192.0.2.1:80', '::ffff:192.0.2.1:80'],
  ['2001:db8:a:b:1:2:3:4', '2001:db8:a:b'],
  ['2001:0DB8:000A:000B::', '2001:db8:a:b'],
  ['2001:db8:a::1', '2001:db8:a:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::b:1:2:3:4', '2001:db8:0:b'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['1::', '1:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ['64:FF9B:0:0:0:0:C000:0201', '64:ff9b::c000:201'],
  ['64:ff9b::192.0.2.2', '64:ff9b::c000:202'],
  ['64:ff9b::1:c000:201', '64:ff9b:0:0'],
  ['64:ff9b:0:1::c000:201', '64:ff9b:0:1'],
  ['64:ff9b:1::192.0.2.1', '64:ff9b:1::c000:201'],
  ['64:ff9b:1:c000:2:100::', '64:ff9b:1:c000:2:100::'],
  ['64:ff9b:2::192.0.2.1', '64:ff9b:2:0'],
  ['64:ff9c::192.0.2.1', '64:ff9c:0:0'],
  ['2002:c000:201:1::1', '2002:c000:201'],
  ['2002:c000:201:2::1', '2002:c000:201'],
  ['2002:c000:202:1::1', '2002:c000:202'],
  ['2002::1', '2002:0:0'],
  ['2003:c000:201:1::1', '2003:c000:201:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
  ['_hidden', '_hidden'],
  ['', ''],
] as const)
  test(`D79 the network of "${address}" → "${network}"`, () => assert.equal(networkOf(address), network));
