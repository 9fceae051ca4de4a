/** Tests the CORS headers of replies and of preflight requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { cors } from '../../../src/shelf/cors/cors.ts';
import { answerOf } from '../../support/answer-of.ts';

const OURS = 'https://app.example';
const OTHER = 'https://evil.example';
const answers: Stage = (context, next) => {
  switch (context.path) {
    case '/now':
      return text('now');
    case '/later':
      return Promise.resolve(text('later', { headers: { Vary: 'Accept' } }));
    case '/varies':
      return text('varies', { headers: { Vary: 'origin' } });
    case '/varies-twice':
      return { status: 200, headers: ['Vary', 'Accept', 'vary', 'Accept-Encoding'] };
    case '/varies-much':
      return { status: 200, headers: ['Vary', 'Accept', 'vary', 'Origin, Accept-Encoding'] };
    case '/throws':
      throw new HttpProblem(503, 'Not now', { headers: { 'Retry-After': '1' } });
    case '/breaks':
      throw new Error('unplanned');
    case '/rejects':
      return Promise.reject(new HttpProblem(413, 'Too large'));
    default:
      return next(context);
  }
};
const { outerStages, stages } = cors({ origins: [OURS, 'http://localhost:3000'] });
const served = pipeline([...outerStages!, problems(() => {}), ...stages!, answers]);

const EXPOSED =
  'Accept-Patch, Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, ' +
  'RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
for (const [path, origin, status, isAllowed, vary = 'Origin'] of [
  ['/now', OURS, 200, true],
  ['/now', 'http://localhost:3000', 200, true],
  ['/now', OTHER, 200, false],
  ['/now', undefined, 200, false],
  ['/now', 'null', 200, false],
  ['/now', 'https://APP.example', 200, false],
  ['/now', 'https://app.example.evil.example', 200, false],
  ['/later', OURS, 200, true, 'Accept, Origin'],
  ['/varies', OURS, 200, true, 'origin'],
  ['/varies-twice', OURS, 200, true, 'Accept, Accept-Encoding, Origin'],
  ['/varies-much', OURS, 200, true, 'Accept, Origin, Accept-Encoding'],
  ['/nothing', OURS, 404, true],
  ['/throws', OURS, 503, true],
  ['/rejects', OURS, 413, true],
  ['/breaks', OURS, 500, true],
  ['/rejects', OTHER, 413, false],
] as const)
  test(`security headers – GET ${path} from ${origin ?? 'no page'} → ${isAllowed ? 'may be read' : 'may not be read'}`, async () => {
    const sent = origin === undefined ? {} : { Origin: origin };
    const { status: answered, headers } = await answerOf(served, { path, headers: sent });
    assert.equal(answered, status);
    assert.equal(headers['access-control-allow-origin'], isAllowed ? origin : undefined);
    assert.equal(headers['access-control-expose-headers'], isAllowed ? EXPOSED : undefined);
    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.equal(headers['vary'], vary);
    if (path === '/throws') assert.equal(headers['retry-after'], '1');
  });

const WANTED = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'if-match' };
const question = (origin: string) =>
  answerOf(served, { method: 'OPTIONS', path: '/now', headers: { Origin: origin, ...WANTED } });

test('security headers – the preflight request of an allowed page → 204 with the allowed methods and headers', async () => {
  const { status, headers, body } = await question(OURS);
  assert.equal(status, 204);
  assert.equal(body, '');
  assert.equal(headers['access-control-allow-origin'], OURS);
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE');
  assert.match(headers['access-control-allow-headers']!, /If-Match/);
  assert.equal(headers['access-control-max-age'], '600');
  assert.equal(headers.vary, 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
});

test('security headers – the preflight request of another page → 204 that allows nothing', async () => {
  const { status, headers } = await question(OTHER);
  assert.equal(status, 204);
  const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  assert.deepEqual(allowing, []);
  assert.match(headers.vary!, /Origin/);
});

test('D9 – OPTIONS that is not a preflight request → falls through', async () => {
  assert.equal((await answerOf(served, { method: 'OPTIONS', path: '/x', headers: { Origin: OURS } })).status, 404);
  assert.equal((await answerOf(served, { method: 'OPTIONS', path: '/x' })).status, 404);
});

/** A plugin that refuses requests without this header. */
const needs = (header: string): Plugin => ({
  name: `needs ${header}`,
  stages: [
    (context, next) => {
      if (context.headers[header] === undefined) throw new HttpProblem(403, `${header} is missing`);
      return next(context);
    },
  ],
});
const USUAL = 'Accept, Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id';
for (const [wanted, allowed] of [
  [undefined, USUAL],
  ['', USUAL],
  ['if-match,x-tenant', `${USUAL}, if-match,x-tenant`],
  ['traceparent, x-csrf', `${USUAL}, traceparent, x-csrf`],
] as const)
  test(`D105 security headers – a page requests the headers ${JSON.stringify(wanted)} → ${allowed}`, async () => {
    const app = application([cors({ origins: [OURS] }), needs('x-tenant')]);
    const preflight = { Origin: OURS, 'Access-Control-Request-Method': 'GET' };
    const headers = wanted === undefined ? preflight : { ...preflight, 'Access-Control-Request-Headers': wanted };
    const reply = await app.request('/any', { method: 'OPTIONS', headers });
    assert.deepEqual([reply.status, reply.headers.get('Access-Control-Allow-Headers')], [204, allowed]);
    const other = await app.request('/any', { method: 'OPTIONS', headers: { ...headers, Origin: OTHER } });
    assert.equal(other.headers.get('Access-Control-Allow-Headers'), null);
  });

test('security headers – exposed headers of the application → replace those of the library', async () => {
  const app = application([cors({ origins: [OURS], exposed: ['X-Pages'] })]);
  const { headers } = await app.request('/any', { headers: { Origin: OURS } });
  assert.equal(headers.get('Access-Control-Expose-Headers'), 'X-Pages');
});

const PATTERNS = [
  'https://*.example.com',
  'https://*.dev.example.com:8443',
  'http://*.localhost:3000',
  'https://one.example',
];
const patterned = application([cors({ origins: PATTERNS })]);

for (const [origin, isAllowed] of [
  ['https://app.example.com', true],
  ['https://a-1_b.example.com', true],
  ['https://xn--bcher-kva.example.com', true],
  ['https://app.dev.example.com:8443', true],
  ['http://app.localhost:3000', true],
  ['https://one.example', true],
  ['https://example.com', false],
  ['https://evil-example.com', false],
  ['https://evilexample.com', false],
  ['https://example.com.evil', false],
  ['https://app.example.com.evil', false],
  ['https://evil.com/.example.com', false],
  ['https://evil.com#.example.com', false],
  ['https://evil@app.example.com', false],
  ['https://a.b.example.com', false],
  ['https://.example.com', false],
  ['https://*.example.com', false],
  ['https://app.example.com:8443', false],
  ['https://app.example.com.', false],
  ['http://app.example.com', false],
  ['https://APP.example.com', false],
  ['https://appXexample.com', false],
  ['https://app.two.example', false],
  ['null', false],
] as const)
  test(`D105 security headers – a page of ${origin} with patterns of origins → ${isAllowed ? 'may' : 'may not'} read`, async () => {
    const { headers } = await patterned.request('/x', { headers: { Origin: origin } });
    const received = [headers.get('Access-Control-Allow-Origin'), headers.get('Vary')];
    assert.deepEqual(received, [isAllowed ? origin : null, 'Origin']);
    const preflight = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
    const reply = await patterned.request('/x', { method: 'OPTIONS', headers: preflight });
    assert.equal(reply.headers.get('Access-Control-Allow-Origin'), isAllowed ? origin : null);
  });

for (const [origin, remedy] of [
  ['https://*', 'no browser sends it'],
  [
    'https://*.com',
    'its subdomains have different owners; give an origin such as https://app.example or https://*.app.example',
  ],
  ['https://*.Example.com', 'no browser sends it; give "https://*.example.com"'],
  ['https://*.example.com/', 'give "https://*.example.com"'],
  ['https://*.example.com:443', 'give "https://*.example.com"'],
  ['https://a*.example.com', 'no browser sends it'],
  ['https://*.*.example.com', 'no browser sends it'],
  ['https://a.*.example.com', 'no browser sends it'],
  ['*.example.com', 'no browser sends it'],
  ['*', 'a page of any site could then read the replies'],
] as const)
  test(`D105 cors – the origin ${origin} → throws: ${remedy}`, () =>
    assert.throws(
      () => cors({ origins: [origin] }),
      (error: Error) =>
        error instanceof TypeError &&
        error.message.startsWith(`Cannot allow the origin "${origin}": `) &&
        error.message.includes(remedy),
    ));

for (const credentials of [true, false])
  test(`cors – credentials: ${credentials} → ${credentials ? 'an allowed page may send cookies' : 'no header for cookies'}`, async () => {
    const { outerStages, stages } = cors({ origins: [OURS], credentials });
    const own = pipeline([...outerStages!, problems(() => {}), ...stages!, answers]);
    for (const method of ['OPTIONS', 'GET'])
      for (const origin of [OURS, OTHER]) {
        const { headers } = await answerOf(own, { method, path: '/now', headers: { ...WANTED, Origin: origin } });
        const expected = credentials && origin === OURS ? 'true' : undefined;
        assert.equal(headers['access-control-allow-credentials'], expected, `${method} ${origin}`);
      }
  });
