import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOpenApi } from '../../src/api/description/describe-openapi.ts';
import { describe } from '../../src/api/description/describe-swagger.ts';
import { ok } from '../../src/api/operation/answers.ts';
import { operation } from '../../src/api/operation/operation.ts';
import { verifyReply } from '../../src/api/verify-reply.ts';
import { application } from '../../src/host/application.ts';
import { inject } from '../../src/http/inject.ts';
import { HttpService } from '../../src/http/service.ts';
import { apiKeys, authentication, bearerTokens } from '../../src/plugins/authentication.ts';

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
      ok(tokens.identityOf(context) ?? keys.identityOf(context) ?? inQuery.identityOf(context) ?? 'nobody'),
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
const composed = application(
  [authentication(tokens, keys, inQuery), { name: 'guarded', controllers: [controller, general] }],
  { security: [tokens], verify: (routed, reply) => verifyReply(routed, reply, 'camelCase') },
);
const { server } = new HttpService(composed.handler, { refuse: composed.refuse });

const BEARER = 'Bearer realm="api"';
const CASES: readonly (readonly [
  clause: string,
  path: string,
  headers: Readonly<Record<string, string>>,
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
  ['no requirement', '/guarded/open', {}, 200, '"nobody"'],
  ['a role', '/guarded/admin', { Authorization: 'Bearer ann-token' }, 200, '"Ann"'],
  ['without the role', '/guarded/admin', { Authorization: 'Bearer bob-token' }, 403, ''],
  ['a way that the operation does not have', '/guarded/admin', { 'X-API-Key': 'cy-key' }, 401, BEARER],
  ['a key in the query', '/guarded/key?key=dan-key', {}, 200, '"Dan"'],
  ['a wrong key in the query', '/guarded/key?key=x', {}, 401, 'ApiKey realm="api"'],
  ['what the application says', '/general/any', {}, 401, BEARER],
  ['what the application says, fulfilled', '/general/any', { Authorization: 'Bearer bob-token' }, 200, '"Bob"'],
];

for (const [clause, path, headers, status, told] of CASES)
  test(`D71 ${clause} – ${path} ${JSON.stringify(headers)} → ${status}`, async () => {
    const reply = await inject(server, { path, headers });
    assert.deepEqual(
      [reply.status, reply.status === 200 ? reply.body : (reply.headers['www-authenticate'] ?? '')],
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
  assert.equal((await inject(server, asked)).status, 401);
  const headers = { ...asked.headers, Authorization: 'Bearer bob-token' };
  assert.equal((await inject(server, { ...asked, headers })).status, 400);
});

test('D71 an operation whose scheme no plugin checks → refused, with the remedy', () =>
  assert.throws(
    () => application([{ name: 'guarded', controllers: [controller] }]),
    /Cannot protect the operation "GuardedBothGet": no plugin checks the security scheme "Bearer"; add authentication/,
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
