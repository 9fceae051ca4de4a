import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpService } from '../../../src/core/wire/service.ts';
import { apiKeys, authentication, bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { describeOpenApi } from '../../../src/extensions/description/describe-openapi.ts';
import { describe } from '../../../src/extensions/description/describe-swagger.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import { authenticators, operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { type Security, securityScheme } from '../../../src/operations/security.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { serveHandler, serveService } from '../../support/serve.ts';

const tokens = bearerTokens({
  'ann-token': { identity: 'Ann', roles: ['admin', 'reader'] },
  'bob-token': { identity: 'Bob' },
});
const keys = apiKeys<string>(async (key) => (key === 'cy-key' ? { identity: 'Cy' } : undefined));
const inQuery = apiKeys({ 'dan-key': { identity: 'Dan' } }, { name: 'QueryKey', in: 'query', parameter: 'key' });

const text = { 200: { schema: { type: 'string' } } } as const;
const get = (path: string, security?: Parameters<typeof operation>[0]['security']) =>
  operation({
    method: 'GET',
    path,
    ...(security && { security }),
    responses: text,
    handle: ({ context }) =>
      ok(tokens.identity.find(context) ?? keys.identity.find(context) ?? inQuery.identity.find(context) ?? 'nobody'),
  });
const controller = {
  name: 'Guarded',
  path: 'guarded',
  security: [tokens, keys],
  operations: [
    get('both'),
    get('open', []),
    get('admin', [{ scheme: tokens, roles: ['admin'] }]),
    get('key', [inQuery]),
    operation({
      method: 'POST',
      path: 'body',
      body: { type: 'object' },
      query: { page: { type: 'integer' } },
      responses: text,
      handle: () => ok('done'),
    }),
  ],
};
const general = { name: 'General', path: 'general', operations: [get('any')] };
const composed = application([
  operations({ security: [tokens] }),
  verification(),
  authentication(tokens, keys, inQuery),
  { name: 'guarded', routes: routesOf(controller, general) },
]);

const BEARER = 'Bearer realm="api"';
const CASES: readonly (readonly [
  clause: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  status: number,
  told: string,
])[] = [
  ['no credentials', '/guarded/both', {}, 401, `${BEARER}, ApiKey realm="api"`],
  ['a token', '/guarded/both', { Authorization: 'Bearer ann-token' }, 200, '"Ann"'],
  ['RFC 9110 §11.1 the scheme ignores case', '/guarded/both', { Authorization: 'bearer  bob-token' }, 200, '"Bob"'],
  ['another way', '/guarded/both', { 'X-API-Key': 'cy-key' }, 200, '"Cy"'],
  [
    'one way fails, the other allows',
    '/guarded/both',
    { Authorization: 'Bearer x', 'X-API-Key': 'cy-key' },
    200,
    '"Cy"',
  ],
  [
    'RFC 6750 §3 a token that is not known',
    '/guarded/both',
    { Authorization: 'Bearer x' },
    401,
    `${BEARER}, error="invalid_token", ApiKey realm="api"`,
  ],
  [
    'a member of every object is no token',
    '/guarded/both',
    { Authorization: 'Bearer constructor' },
    401,
    `${BEARER}, error="invalid_token", ApiKey realm="api"`,
  ],
  ['another scheme', '/guarded/both', { Authorization: 'Basic ann-token' }, 401, `${BEARER}, ApiKey realm="api"`],
  [
    'RFC 6750 §3.1 a wrong key alone, which is no bearer token',
    '/guarded/both',
    { 'X-API-Key': 'x' },
    401,
    `${BEARER}, ApiKey realm="api"`,
  ],
  ['a key in two lines', '/guarded/both', { 'X-API-Key': ['cy-key', 'x'] }, 401, `${BEARER}, ApiKey realm="api"`],
  ['an empty key', '/guarded/both', { 'X-API-Key': '' }, 401, `${BEARER}, ApiKey realm="api"`],
  [
    'a token in two lines',
    '/guarded/admin',
    { Authorization: ['Bearer ann-token', 'Bearer x'] },
    401,
    `${BEARER}, error="invalid_token"`,
  ],
  ['no token behind the word', '/guarded/admin', { Authorization: 'Bearer' }, 401, `${BEARER}, error="invalid_token"`],
  ['two tokens', '/guarded/admin', { Authorization: 'Bearer ann-token x' }, 401, `${BEARER}, error="invalid_token"`],
  ['no requirement', '/guarded/open', {}, 200, '"nobody"'],
  ['a role', '/guarded/admin', { Authorization: 'Bearer ann-token' }, 200, '"Ann"'],
  ['without the role', '/guarded/admin', { Authorization: 'Bearer bob-token' }, 403, ''],
  ['a way that the operation does not have', '/guarded/admin', { 'X-API-Key': 'cy-key' }, 401, BEARER],
  ['a key in the query', '/guarded/key?key=dan-key', {}, 200, '"Dan"'],
  ['an empty key in the query', '/guarded/key?key=', {}, 401, 'ApiKey realm="api"'],
  ['a key that is repeated in the query', '/guarded/key?key=dan-key&key=x', {}, 401, 'ApiKey realm="api"'],
  ['the same key twice', '/guarded/key?key=dan-key&key=dan-key', {}, 401, 'ApiKey realm="api"'],
  ['a wrong key in the query', '/guarded/key?key=x', {}, 401, 'ApiKey realm="api"'],
  ['what the application says', '/general/any', {}, 401, BEARER],
  ['what the application says, fulfilled', '/general/any', { Authorization: 'Bearer bob-token' }, 200, '"Bob"'],
];

for (const [clause, path, headers, status, told] of CASES)
  test(`D71 ${clause} – ${path} ${JSON.stringify(headers)} → ${status}`, async (t) => {
    const { port } = await serveService(t, new HttpService(composed));
    const reply = await ask(port, { target: path, headers });
    assert.deepEqual(
      [reply.status, reply.status === 200 ? reply.text : (reply.headers['www-authenticate'] ?? '')],
      [status, told],
    );
  });

test('D71 credentials are asked before parameters and body → 401, not 400', async () => {
  const asked = {
    method: 'POST',
    path: '/guarded/body?page=x',
    body: '{',
    headers: { 'Content-Type': 'application/json' },
  };
  assert.equal((await answerOf(composed, asked)).status, 401);
  const headers = { ...asked.headers, Authorization: 'Bearer bob-token' };
  assert.equal((await answerOf(composed, { ...asked, headers })).status, 400);
});

test('D71 an operation whose scheme no plugin checks → refused, with the remedy', () =>
  assert.throws(
    () => application([{ name: 'guarded', routes: routesOf(controller) }]),
    /Cannot protect the operation "GuardedBothGet": no plugin checks the security scheme "Bearer"; add a plugin that offers an authenticator of it/,
  ));

test('D71 both documents → schemes, requirements, 401 and 403', () => {
  const swagger = describe(composed.routes, { title: 'A test' });
  const openApi = describeOpenApi(composed.routes, { title: 'A test' });
  assert.deepEqual(swagger.securityDefinitions, {
    Bearer: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Write the word Bearer, a space and the token: `Bearer abc123`',
    },
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    QueryKey: { type: 'apiKey', in: 'query', name: 'key' },
  });
  assert.deepEqual(openApi.components.securitySchemes, {
    Bearer: { type: 'http', scheme: 'bearer' },
    ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    QueryKey: { type: 'apiKey', in: 'query', name: 'key' },
  });
  const security = (document: typeof swagger | typeof openApi, path: string) => document.paths[path]!.get!.security;
  assert.deepEqual(security(swagger, '/guarded/both'), [{ Bearer: [] }, { ApiKey: [] }]);
  assert.deepEqual(security(swagger, '/guarded/admin'), [{ Bearer: [] }]);
  assert.deepEqual(security(openApi, '/guarded/admin'), [{ Bearer: ['admin'] }]);
  assert.deepEqual(security(openApi, '/guarded/open'), []);
  assert.deepEqual(Object.keys(openApi.paths['/guarded/admin']!.get!.responses), ['200', '401', '403']);
  assert.deepEqual(Object.keys(openApi.paths['/guarded/open']!.get!.responses), ['200']);
});

/** A service with one operation, which asks for this scheme. */
function guardedBy(scheme: ReturnType<typeof apiKeys<any>>, security: Security = [scheme]) {
  const errors: unknown[] = [];
  const { handler } = application(
    [
      authentication(scheme),
      { name: 'guarded', routes: routesOf({ name: 'Own', path: 'own', security, operations: [get('')] }) },
    ],
    { log: (error) => errors.push(error) },
  );
  return { handler, errors };
}

const thenable = (value: unknown) => ({ then: (done: (value: unknown) => void) => done(value) });
for (const [returned, status] of [
  [{ identity: 'Ann' }, 200],
  [{ identity: null }, 200],
  [undefined, 401],
  [null, 401],
  [false, 401],
  ['', 500],
  [0, 500],
  [true, 500],
  ['Ann', 500],
  [{}, 500],
  [{ identity: undefined, found: 'valid' }, 500],
  [{ identity: 'Ann', roles: 'non-admin' }, 500],
] as const)
  test(`D71 a function of secrets returns ${JSON.stringify(returned)} → ${status}`, async () => {
    for (const result of [returned, Promise.resolve(returned), thenable(returned)]) {
      const { handler, errors } = guardedBy(apiKeys(() => result as never));
      const reply = await answerOf(handler, { path: '/own', headers: { 'X-API-Key': 'a' } });
      assert.equal(reply.status, status);
      assert.deepEqual(
        errors
          .map(String)
          .filter((error) => !/^TypeError: Cannot check the secrets of "ApiKey": .*; return /.test(error)),
        [],
      );
      assert.equal(errors.length, status === 500 ? 1 : 0);
    }
  });

test('D71 a holder that says what was found → its word does not count', async () => {
  const { handler } = guardedBy(apiKeys(() => ({ identity: 'Ann', found: 'none' })));
  assert.equal((await answerOf(handler, { path: '/own', headers: { 'X-API-Key': 'a' } })).status, 200);
});

for (const [clause, ...sent] of [
  ['an empty key', ''],
  ['a key in two lines', 'a', 'b'],
] as const)
  test(`D71 ${clause} → 401, and a function of secrets is not asked`, async (t) => {
    const asked: string[] = [];
    const { handler } = guardedBy(apiKeys((key) => (asked.push(key), { identity: 'Ann' })));
    const { port } = await serveHandler(t, handler);
    assert.equal((await ask(port, { target: '/own', headers: { 'X-API-Key': sent } })).status, 401);
    assert.deepEqual(asked, []);
  });

for (const make of [bearerTokens, apiKeys] as readonly ((secrets: never, options?: object) => unknown)[]) {
  for (const [clause, secrets, message] of [
    [
      'an empty secret',
      { a: { identity: 'A' }, '': { identity: 'B' } },
      /: one is empty; leave it out, or is a variable/,
    ],
    ['roles in a text', { a: { identity: 'A', roles: 'non-admin' } }, /: holder 1 has roles that are no list of texts/],
    ['no identity', { a: {} }, /: holder 1 has no identity; give \{ identity/],
    ['no holder', { a: { identity: 'A' }, b: undefined }, /: holder 2 is no object/],
    ['no secrets', undefined, /: they are no object; give/],
    ['a list of holders', [{ identity: 'A' }], /: they are no object; give/],
    ['an empty list', [], /: they are no object; give/],
    ['a map', new Map([['a', { identity: 'A' }]]), /: they are no object; give/],
    ['a promise', Promise.resolve({ a: { identity: 'A' } }), /: they are no object; give/],
    ['a list as a holder', { a: ['A'] }, /: holder 1 has no identity; give/],
  ] as const)
    test(`D71 ${make.name} with ${clause} → a TypeError`, () =>
      assert.throws(() => make(secrets as never), { name: 'TypeError', message }));

  for (const [roles, message] of [
    [
      ['reader', 'keeper'],
      /: holder 2 has the role "keepr" \(did you mean keeper\?\); correct it, or add it to roles$/,
    ],
    ['keepr', /its roles are no list of texts; give/],
  ] as const)
    test(`D71 ${make.name} with the roles ${JSON.stringify(roles)} and a holder of another → a TypeError`, () =>
      assert.throws(
        () =>
          make({ a: { identity: 'A', roles: ['reader'] }, b: { identity: 'B', roles: ['keeper', 'keepr'] } } as never, {
            roles,
          }),
        { name: 'TypeError', message },
      ));

  for (const realm of ['a\r\nX: b', 'a\tb', 'ä', 7])
    test(`D71 ${make.name} with the realm ${JSON.stringify(realm)} → a TypeError`, () =>
      assert.throws(() => make({} as never, { realm }), {
        name: 'TypeError',
        message: /^Cannot challenge with the realm .*: write it in printable ASCII$/,
      }));
}

test('RFC 9110 §5.6.4 a realm with a quotation mark and a backslash → escaped', async () => {
  for (const [scheme, word] of [
    [bearerTokens({}, { realm: 'a"b\\c' }), 'Bearer'],
    [apiKeys({}, { realm: 'a"b\\c' }), 'ApiKey'],
  ] as const) {
    const reply = await answerOf(guardedBy(scheme).handler, { path: '/own' });
    assert.equal(reply.headers['www-authenticate'], `${word} realm="a\\"b\\\\c"`);
  }
});

test('D71 an outer stage → learns who got a 403, and nothing of invalid credentials', async () => {
  const seen: unknown[] = [];
  const log: Plugin = {
    name: 'log',
    outerStages: [
      async function logged(context, next) {
        const reply = await next(context);
        seen.push([reply.status, tokens.identity.find(context)]);
        return reply;
      },
    ],
  };
  const { handler } = application([
    log,
    authentication(tokens, keys, inQuery),
    { name: 'g', routes: routesOf(controller) },
  ]);
  const logging = handler;
  for (const token of ['ann-token', 'bob-token', 'x'])
    await answerOf(logging, { path: '/guarded/admin', headers: { Authorization: `Bearer ${token}` } });
  assert.deepEqual(seen, [
    [200, 'Ann'],
    [403, 'Bob'],
    [401, undefined],
  ]);
});

const users = bearerTokens({ u: { identity: 'U' } });
const admins = bearerTokens({ a: { identity: 'A' } });
const guardedByAdmins = { name: 'g', routes: routesOf({ ...general, security: [admins] }) };
const CLASH = /"[a-z]+": two authenticators check a security scheme named "Bearer"; give one of them another name/;

test('D71 two authenticators of one name → refused, with the remedy', () =>
  assert.throws(() => application([authentication(users, admins), guardedByAdmins]), {
    name: 'PluginError',
    plugin: 'authentication',
    message: CLASH,
  }));

test('D71 two authenticators of one name in two plugins → refused, and the second is named', () =>
  assert.throws(
    () =>
      application([authentication(users), { name: 'second', offers: [authenticators.of([admins])] }, guardedByAdmins]),
    { name: 'PluginError', plugin: 'second', message: CLASH },
  ));

test('D71 one authenticator in two plugins → is one', () =>
  assert.doesNotThrow(() =>
    application([authentication(admins), { name: 'second', offers: [authenticators.of([admins])] }, guardedByAdmins]),
  ));

test('D71 an authenticator in security, another of its name in the plugin → refused', () =>
  assert.throws(
    () => application([authentication(users), guardedByAdmins]),
    /"g": Cannot protect the operation "GeneralAnyGet": another authenticator checks the security scheme "Bearer"; add/,
  ));

test('D71 two authenticators, each with its own name → each checks its own', async () => {
  const named = bearerTokens({ a: { identity: 'A' } }, { name: 'Admin' });
  const { handler } = application([
    authentication(users, named),
    { name: 'g', routes: routesOf({ ...general, security: [named] }) },
  ]);
  const two = handler;
  const statuses = ['u', 'a'].map(
    async (token) =>
      (await answerOf(two, { path: '/general/any', headers: { Authorization: `Bearer ${token}` } })).status,
  );
  assert.deepEqual(await Promise.all(statuses), [401, 200]);
});

test('D71 a scheme in the query, an authenticator of its name in a header → refused', () =>
  assert.throws(
    () =>
      guardedBy(apiKeys({ k: { identity: 'K' } }, { name: 'Key', in: 'header', parameter: 'X-K' }), [
        securityScheme('Key', { type: 'apiKey', in: 'query', name: 'k' }),
      ]),
    /Cannot protect the operation "OwnGet": the security scheme "Key" is declared as .*"query".* checks .*"header"/,
  ));

test('D71 a description → in both documents', () => {
  const security = [
    bearerTokens({}, { description: 'Ask Ann for a token' }),
    apiKeys({}, { description: 'Ask Bob for a key' }),
  ];
  const described = application([
    authentication(...security),
    { name: 'g', routes: routesOf({ ...general, security }) },
  ]);
  const { securityDefinitions: swagger } = describe(described.routes, { title: 'A test' });
  const { securitySchemes: openApi } = describeOpenApi(described.routes, { title: 'A test' }).components;
  assert.match(swagger['Bearer']!['description']!, /^Ask Ann for a token\n\nWrite the word Bearer/);
  assert.equal(swagger['ApiKey']!['description'], 'Ask Bob for a key');
  assert.equal(openApi!['Bearer']!['description'], 'Ask Ann for a token');
  assert.equal(openApi!['ApiKey']!['description'], 'Ask Bob for a key');
});
