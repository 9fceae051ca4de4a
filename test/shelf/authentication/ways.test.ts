/** Credentials that are optional, combined or in a cookie (D71): the identity, the refusals and both documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cookie } from '../../../src/http.ts';
import { application, noContent, ok, operation, operations, type Security } from '../../../src/index.ts';
import { describe, describeOpenApi } from '../../../src/plugins/description/description.ts';
import {
  apiKeys,
  authentication,
  bearerTokens,
  csrfProtection,
} from '../../../src/shelf/authentication/authentication.ts';

const session = apiKeys({ s1: { identity: 'Ann', roles: ['keeper'] }, s2: { identity: 'Bob' } }, { in: 'cookie' });
const keys = apiKeys({ k1: { identity: 'Machine' } });
const tokens = bearerTokens({ t1: { identity: 'Cy' } });

const show = (path: string, security: Security) =>
  operation({
    method: 'POST',
    path,
    security,
    responses: { 200: { schema: { type: 'string' } } },
    handle: ({ identity }) => ok(identity === undefined ? 'nobody' : String(identity)),
  });
const app = application([
  authentication(session, keys, tokens),
  {
    name: 'ways',
    routes: [
      show('session', [session]),
      show('optional', [session, keys, {}]),
      show('keeper', [{ scheme: session, roles: ['keeper'] }, {}]),
      show('both', [{ all: [session, { scheme: keys }] }]),
      show('both-or-token', [{ all: [keys, session] }, tokens]),
    ],
  },
]);

const S1 = { Cookie: 'a=b; sid=s1' };
const S2 = { Cookie: 'sid=s2' };
const BAD = { Cookie: 'sid=old' };
const K1 = { 'X-API-Key': 'k1' };
const BAD_KEY = { 'X-API-Key': 'x' };
const COOKIE = 'Cookie realm="api"';
const KEY = 'ApiKey realm="api"';
/** `expected` is the identity of a 200, and the challenge of a 401. */
for (const [path, headers, status, expected] of [
  ['session', S1, 200, 'Ann'],
  ['session', {}, 401, COOKIE],
  ['session', BAD, 401, COOKIE],
  ['session', { Cookie: 'sid=' }, 401, COOKIE],
  ['session', { Cookie: 'SID=s1' }, 401, COOKIE],
  ['optional', {}, 200, 'nobody'],
  ['optional', S1, 200, 'Ann'],
  ['optional', K1, 200, 'Machine'],
  ['optional', BAD, 401, `${COOKIE}, ${KEY}`],
  ['optional', BAD_KEY, 401, `${COOKIE}, ${KEY}`],
  ['optional', { ...BAD, ...K1 }, 200, 'Machine'],
  ['keeper', S1, 200, 'Ann'],
  ['keeper', S2, 200, 'nobody'],
  ['keeper', {}, 200, 'nobody'],
  ['keeper', BAD, 401, COOKIE],
  ['both', { ...S1, ...K1 }, 200, 'Ann'],
  ['both', S1, 401, `${COOKIE}, ${KEY}`],
  ['both', K1, 401, `${COOKIE}, ${KEY}`],
  ['both', { ...S1, ...BAD_KEY }, 401, `${COOKIE}, ${KEY}`],
  ['both-or-token', { ...S1, ...K1 }, 200, 'Machine'],
  ['both-or-token', { ...S1, Authorization: 'Bearer t1' }, 200, 'Cy'],
  ['both-or-token', S1, 401, `${KEY}, ${COOKIE}, Bearer realm="api"`],
] as const)
  test(`D71 – ${path} with ${JSON.stringify(headers)} → ${status} ${expected}`, async () => {
    const reply = await app.request(`/${path}`, { method: 'POST', headers });
    assert.equal(reply.status, status);
    if (status === 200) assert.equal(await reply.json(), expected);
    else assert.equal(reply.headers.get('www-authenticate'), expected);
  });

const ORIGIN = 'https://todo.example';
const guarded = application([
  authentication(apiKeys({ s1: { identity: 'Ann' } }, { in: 'cookie', origins: ['https://app.example'] })),
  operations({ security: [apiKeys({ s1: { identity: 'Ann' } }, { in: 'cookie' }).scheme] }),
  {
    name: 'forged',
    routes: (['GET', 'POST', 'PUT', 'DELETE'] as const).map((method) =>
      operation({ method, path: 'act', responses: { 200: { schema: { type: 'string' } } }, handle: () => ok('done') }),
    ),
  },
]);
for (const [method, headers, status] of [
  ['POST', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['POST', { 'Sec-Fetch-Site': 'none' }, 200],
  ['POST', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['POST', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['PUT', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['DELETE', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['GET', { 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['GET', { 'Sec-Fetch-Site': 'cross-site', Upgrade: 'websocket' }, 403],
  ['POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example' }, 200],
  ['POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example.evil.example' }, 403],
  ['POST', { Origin: ORIGIN }, 200],
  ['POST', { Origin: 'http://todo.example' }, 200],
  ['POST', { Origin: 'https://todo.example:8443' }, 403],
  ['POST', { Origin: 'https://evil.example' }, 403],
  ['POST', { Origin: 'null' }, 403],
  ['POST', {}, 200],
] as const)
  test(`D71 – ${method} with a session and ${JSON.stringify(headers)} → ${status}`, async () => {
    const sent = { ...headers, Host: 'todo.example', Cookie: 'sid=s1' };
    assert.equal((await guarded.request('/act', { method, headers: sent })).status, status);
  });

test('D71 – the refusal of a forged request → both documents list it for the methods that change something', () => {
  for (const document of [describe(guarded.routes, { title: 'A' }), describeOpenApi(guarded.routes, { title: 'A' })]) {
    const { '/act': item } = document.paths as unknown as Record<string, Record<string, { responses: object }>>;
    const lists = Object.entries(item!).map(([method, { responses }]) => [method, '403' in responses]);
    assert.deepEqual(Object.fromEntries(lists), { get: false, put: true, post: true, delete: true });
  }
});

test('D71 – a forged request without the cookie → 401, as any request without credentials', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  assert.equal((await guarded.request('/act', { method: 'POST', headers })).status, 401);
});

test('OpenAPI 3.1 – the ways → a requirement each, and a scheme in a cookie', () => {
  const { paths, components } = describeOpenApi(app.routes, { title: 'Ways' }) as {
    paths: Record<string, { post: { security: unknown } }>;
    components: { securitySchemes: Record<string, unknown> };
  };
  assert.deepEqual(components.securitySchemes['Session'], { type: 'apiKey', in: 'cookie', name: 'sid' });
  const securities = Object.fromEntries(Object.entries(paths).map(([path, { post }]) => [path, post.security]));
  assert.deepEqual(securities, {
    '/session': [{ Session: [] }],
    '/optional': [{ Session: [] }, { ApiKey: [] }, {}],
    '/keeper': [{ Session: ['keeper'] }, {}],
    '/both': [{ Session: [], ApiKey: [] }],
    '/both-or-token': [{ ApiKey: [], Session: [] }, { Bearer: [] }],
  });
});

test('Swagger 2.0 – a scheme in a cookie, which it cannot describe → a text, and the other ways', () => {
  const { paths, securityDefinitions } = describe(app.routes, { title: 'Ways' }) as unknown as {
    paths: Record<string, { post: { security?: unknown; description?: string } }>;
    securityDefinitions: object;
  };
  assert.deepEqual(Object.keys(securityDefinitions).sort(), ['ApiKey', 'Bearer']);
  assert.deepEqual(paths['/optional']!.post.security, [{ ApiKey: [] }, {}]);
  assert.deepEqual(paths['/both-or-token']!.post.security, [{ ApiKey: [] }, { Bearer: [] }]);
  assert.deepEqual(paths['/both']!.post.security, [{ ApiKey: [] }]);
  // An empty list would say that the operation needs no credentials.
  assert.equal(paths['/session']!.post.security, undefined);
  assert.equal(paths['/session']!.post.description!, 'A caller can send the cookie `sid` as credentials.');
  assert.equal(paths['/both']!.post.description!, 'A caller can send the cookie `sid` and `ApiKey` as credentials.');
});

for (const [security, message] of [
  [[{ all: [] }], /"all" of its security\[0\] is not a list of schemes/],
  [[{ all: session }], /"all"/],
  [[{ all: [session], roles: ['keeper'] }], /member "roles" beside "all"/],
  [[{ all: [{ all: [session] }] }], /security\[0\]\.all\[0\]/],
  [[{ al: [session] }], /security\[0\]/],
] as const)
  test(`D71 – security ${JSON.stringify(security)} → an error where it is declared`, () =>
    assert.throws(
      () => application([authentication(session), { name: 'x', routes: [show('x', security as unknown as Security)] }]),
      (error: Error) => message.test(`${error.message} ${(error.cause as Error)?.message}`),
    ));

for (const [options, message] of [
  [{ in: 'cookie', origins: ['https://app.example/'] }, /"https:\/\/app.example\/": give a list of origins/],
  [{ in: 'cookie', origins: ['app.example'] }, /"app.example"/],
  [{ in: 'cookie', origins: 'https://app.example' }, /"https:\/\/app.example": give a list/],
  [{ origins: ['https://app.example'] }, /add in: 'cookie'/],
  [{ in: 'Cookie' }, /a header, a query parameter or a cookie/],
] as const)
  test(`D71 – API keys with ${JSON.stringify(options)} → an error where they are declared`, () =>
    assert.throws(
      () => apiKeys({ s1: { identity: 'Ann' } }, options as unknown as Parameters<typeof apiKeys>[1]),
      (error: Error) => error instanceof TypeError && message.test(error.message),
    ));

test('a login and a logout by a cookie → the cookie of the reply is accepted, then removed', async () => {
  const login = operation({
    method: 'POST',
    path: 'login',
    responses: { 200: { schema: { type: 'string' } } },
    handle: () => ok('Ann', { headers: cookie('sid', 's1', { secure: true }) }),
  });
  const { request } = application([authentication(session), { name: 'x', routes: [login, show('me', [session])] }]);
  const line = (await request('/login', { method: 'POST' })).headers.get('set-cookie')!;
  assert.equal(line, 'sid=s1; Path=/; HttpOnly; Secure; SameSite=Lax');
  const reply = await request('/me', { method: 'POST', headers: { Cookie: line.split(';')[0]! } });
  assert.equal(await reply.json(), 'Ann');
});

for (const [origin, protocol, status] of [
  ['https://todo.example', 'https', 200],
  ['http://todo.example', 'https', 403],
  ['http://todo.example', 'http', 200],
] as const)
  test(`D71 – a page of ${origin} sends a request to a service that listens to ${protocol} → ${status}`, async () => {
    const headers = { Origin: origin, Cookie: 'sid=s1' };
    assert.equal((await guarded.request(`${protocol}://todo.example/act`, { method: 'POST', headers })).status, status);
  });

const login = application([
  {
    name: 'login',
    stages: [csrfProtection({ origins: ['https://app.example'] })],
    routes: [operation({ method: 'POST', path: 'login', responses: { 204: {}, 403: {} }, handle: () => noContent() })],
  },
]);
for (const [headers, status] of [
  [{}, 204],
  [{ 'Sec-Fetch-Site': 'same-origin' }, 204],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example' }, 204],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'null' }, 403],
] as const)
  test(`csrfProtection – a login with ${JSON.stringify(headers)} → ${status}`, async () => {
    assert.equal((await login.request('/login', { method: 'POST', headers })).status, status);
  });

for (const options of [{ origins: ['app.example'] }, { origin: [] }])
  test(`csrfProtection – ${JSON.stringify(options)} → an error where it is declared`, () =>
    assert.throws(() => csrfProtection(options as object), /Cannot refuse requests of other sites/));
