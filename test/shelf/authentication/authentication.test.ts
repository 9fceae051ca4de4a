import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpService } from '../../../src/core/server/service.ts';
import { noContent, ok } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { apiKeys, authentication, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
import { logged, serveHandler, serveService } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';

const ann = { identity: 'Ann', roles: ['admin', 'reader'] };
const tokens = bearerTokens({ 'ann-token': ann, 'bob-token': { identity: 'Bob' } });
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
      ok(tokens.identity.find(context) ?? keys.identity.find(context) ?? inQuery.identity.find(context) ?? 'anonymous'),
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
const KEY = 'ApiKey realm="api"';
const INVALID = `${BEARER}, error="invalid_token"`;
const bearer = (...sent: readonly string[]) => ({ Authorization: sent });
const key = (...sent: readonly string[]) => ({ 'X-API-Key': sent });
/** `expected` is the body of a 200, and the challenge of any other status. */
for (const [clause, path, headers, status, expected] of [
  ['no credentials', '/guarded/both', {}, 401, `${BEARER}, ${KEY}`],
  ['a token', '/guarded/both', bearer('Bearer ann-token'), 200, '"Ann"'],
  ['RFC 9110 §11.1 the scheme ignores case', '/guarded/both', bearer('bearer  bob-token'), 200, '"Bob"'],
  ['another scheme of the operation', '/guarded/both', key('cy-key'), 200, '"Cy"'],
  ['an invalid token and a valid key', '/guarded/both', { ...bearer('Bearer x'), ...key('cy-key') }, 200, '"Cy"'],
  ['RFC 6750 §3 an unknown token', '/guarded/both', bearer('Bearer x'), 401, `${INVALID}, ${KEY}`],
  [
    'a token that is a member of every object',
    '/guarded/both',
    bearer('Bearer constructor'),
    401,
    `${INVALID}, ${KEY}`,
  ],
  ['an undeclared scheme', '/guarded/both', bearer('Basic ann-token'), 401, `${BEARER}, ${KEY}`],
  ['RFC 6750 §3.1 a wrong key, which is not a bearer token', '/guarded/both', key('x'), 401, `${BEARER}, ${KEY}`],
  ['a key in two lines', '/guarded/both', key('cy-key', 'x'), 401, `${BEARER}, ${KEY}`],
  ['an empty key', '/guarded/both', key(''), 401, `${BEARER}, ${KEY}`],
  ['a token in two lines', '/guarded/admin', bearer('Bearer ann-token', 'Bearer x'), 401, INVALID],
  ['no token after `Bearer`', '/guarded/admin', bearer('Bearer'), 401, INVALID],
  ['two tokens', '/guarded/admin', bearer('Bearer ann-token x'), 401, INVALID],
  ['no requirement', '/guarded/open', {}, 200, '"anonymous"'],
  ['a role', '/guarded/admin', bearer('Bearer ann-token'), 200, '"Ann"'],
  ['without the role', '/guarded/admin', bearer('Bearer bob-token'), 403, ''],
  ['a scheme that the operation does not have', '/guarded/admin', key('cy-key'), 401, BEARER],
  ['a key in the query', '/guarded/key?key=dan-key', {}, 200, '"Dan"'],
  ['an empty key in the query', '/guarded/key?key=', {}, 401, KEY],
  ['a key that is repeated in the query', '/guarded/key?key=dan-key&key=x', {}, 401, KEY],
  ['the same key twice', '/guarded/key?key=dan-key&key=dan-key', {}, 401, KEY],
  ['a wrong key in the query', '/guarded/key?key=x', {}, 401, KEY],
  ['the security of the application', '/general/any', {}, 401, BEARER],
  ['the security of the application, valid', '/general/any', bearer('Bearer bob-token'), 200, '"Bob"'],
] as const)
  test(`D71 ${clause} – ${path} ${JSON.stringify(headers)} → ${status}`, async (t) => {
    const { port } = await serveService(t, new HttpService(composed));
    const reply = await ask(port, { target: path, headers: { ...headers } });
    const challenge = reply.headers['www-authenticate'] ?? '';
    assert.deepEqual([reply.status, status === 200 ? reply.text : challenge], [status, expected]);
  });

test('D71 credentials are checked before parameters and body → 401, not 400', async () => {
  const statusOf = async (more: object) => {
    const headers = { 'Content-Type': 'application/json', ...more };
    return (await composed.request('/guarded/body?page=x', { method: 'POST', body: '{', headers })).status;
  };
  assert.deepEqual([await statusOf({}), await statusOf({ Authorization: 'Bearer bob-token' })], [401, 400]);
});

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

/** A service with one operation, which requires this scheme. */
const guardedBy = (scheme: ReturnType<typeof apiKeys<any>>) =>
  serving([get('guarded', [scheme])], authentication(scheme));

const thenable = (value: unknown) => ({ then: (done: (value: unknown) => void) => done(value) });
for (const [status, results] of [
  [200, [{ identity: 'Ann' }, { identity: null }, { identity: 'Ann', found: 'none' }]],
  [401, [undefined, null, false]],
  [500, ['', 0, true, 'Ann', {}, { identity: undefined, found: 'valid' }, { identity: 'Ann', roles: 'non-admin' }]],
] as const)
  for (const returned of results)
    test(`D71 a function of secrets returns ${JSON.stringify(returned)} → ${status}`, async () => {
      for (const result of [returned, Promise.resolve(returned), thenable(returned)]) {
        const { request, errors } = guardedBy(apiKeys(() => result as never));
        assert.equal((await request('/guarded', { headers: { 'X-API-Key': 'a' } })).status, status);
        assert.equal(errors.length, status === 500 ? 1 : 0);
        for (const error of errors)
          assert.match(String(error), /^TypeError: Cannot check the secrets of "ApiKey": the result of .*; give \{/);
      }
    });

for (const [clause, ...sent] of [
  ['an empty key', ''],
  ['a key in two lines', 'a', 'b'],
] as const)
  test(`D71 ${clause} → 401, and a function of secrets is not called`, async (t) => {
    const calls: string[] = [];
    const { handler } = guardedBy(apiKeys((key) => (calls.push(key), { identity: 'Ann' })));
    const { port } = await serveHandler(t, handler);
    assert.equal((await ask(port, { target: '/guarded', headers: { 'X-API-Key': sent } })).status, 401);
    assert.deepEqual(calls, []);
  });

for (const make of [bearerTokens, apiKeys] as readonly ((secrets: never, options?: object) => unknown)[]) {
  for (const [clause, secrets, message] of [
    ['an empty secret', { a: { identity: 'A' }, '': { identity: 'B' } }, /: a secret is empty; remove it, or check/],
    [
      'roles in a text',
      { a: { identity: 'A', roles: 'non-admin' } },
      /: holder 1 has no identity, or roles that are not strings; give/,
    ],
    ['no identity', { a: {} }, /: holder 1 has no identity, or .*; give \{ identity/],
    ['an undefined holder', { a: { identity: 'A' }, b: undefined }, /: holder 2 has no identity/],
    ['undefined secrets', undefined, /: they are not a plain object; give/],
    ['a list of holders', [{ identity: 'A' }], /: they are not a plain object; give/],
    ['an empty list', [], /: they are not a plain object; give/],
    ['a map', new Map([['a', { identity: 'A' }]]), /: they are not a plain object; give/],
    ['a promise', Promise.resolve({ a: { identity: 'A' } }), /: they are not a plain object; give/],
    ['a list as a holder', { a: ['A'] }, /: holder 1 has no identity/],
  ] as const)
    test(`D71 ${make.name} with ${clause} → a TypeError`, () =>
      assert.throws(() => make(secrets as never), { name: 'TypeError', message }));

  for (const [roles, message] of [
    [
      ['reader', 'keeper'],
      /: holder 2 has the role "keepr", which is not in \["reader","keeper"\]; correct it, or add/,
    ],
    ['keepr', /its roles are not a list of strings; give/],
  ] as const)
    test(`D71 ${make.name} with the roles ${JSON.stringify(roles)} and a holder with an unknown role → a TypeError`, () =>
      assert.throws(
        () =>
          make({ a: { identity: 'A', roles: ['reader'] }, b: { identity: 'B', roles: ['keeper', 'keepr'] } } as never, {
            roles,
          }),
        { name: 'TypeError', message },
      ));
}

test('D71 an outer stage → finds the identity of a 403, and none for invalid credentials', async () => {
  const records: unknown[] = [];
  const log: Plugin = {
    name: 'log',
    outerStages: [
      async function logged(context, next) {
        const reply = await next(context);
        records.push([reply.status, tokens.identity.find(context)]);
        return reply;
      },
    ],
  };
  const { request } = serving(routesOf(controller), log, authentication(tokens, keys, inQuery));
  for (const token of ['ann-token', 'bob-token', 'x'])
    await request('/guarded/admin', { headers: { Authorization: `Bearer ${token}` } });
  assert.deepEqual(records, [
    [200, 'Ann'],
    [403, 'Bob'],
    [401, undefined],
  ]);
});

test('D71 two authenticators with different names → each checks its own scheme', async () => {
  const users = bearerTokens({ u: { identity: 'U' } });
  const admins = bearerTokens({ a: { identity: 'A' } }, { name: 'Admin' });
  const { request } = serving([get('any', [admins])], authentication(users, admins));
  const statusOf = async (token: string) =>
    (await request('/any', { headers: { Authorization: `Bearer ${token}` } })).status;
  assert.deepEqual([await statusOf('u'), await statusOf('a')], [401, 200]);
});

test('D71 the description of a scheme → in both documents', () => {
  const [ofToken, ofKey] = [{ description: 'Ask Ann for a token' }, { description: 'Ask Bob for a key' }];
  const security = [bearerTokens({}, ofToken), apiKeys({}, ofKey)];
  const described = serving([get('any', security)], authentication(...security));
  const { securityDefinitions: swagger } = describe(described.routes, { title: 'A test' });
  const { securitySchemes: openApi } = describeOpenApi(described.routes, { title: 'A test' }).components;
  assert.match(swagger['Bearer']!['description']!, /^Ask Ann for a token\n\nWrite the word Bearer/);
  assert.equal(swagger['ApiKey']!['description'], 'Ask Bob for a key');
  assert.equal(openApi!['Bearer']!['description'], 'Ask Ann for a token');
  assert.equal(openApi!['ApiKey']!['description'], 'Ask Bob for a key');
});

test('D71 – a function that returns a role which the scheme does not declare → 500, and the log names the role', async () => {
  const keys = apiKeys(() => ({ identity: 'Ann', roles: ['edtor'] }), { roles: ['editor'] });
  const edit = operation({
    method: 'GET',
    path: 'edit',
    security: [{ scheme: keys, roles: ['editor'] }],
    responses: { 204: {} },
    handle: () => noContent(),
  });
  const { request } = application([authentication(keys), { name: 'p', routes: [edit] }]);
  assert.equal((await request('/edit', { headers: { 'X-API-Key': 'k' } })).status, 500);
  assert.match(logged.splice(0).join(), /the result of the function has the role .*edtor.*, which is not in/);
});
