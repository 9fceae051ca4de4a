/**
 * Problems in another format, for the application (D81), or in several formats: by `Accept`, and by operation and
 * controller (D107). A custom answer in place of the 404.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { empty, text, withHeaders } from '../../../src/core/message/replies.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import { type ProblemFormats, problemFormat, rfc9457 } from '../../../src/operations/operation/problems.ts';
import { authenticators, operations } from '../../../src/operations/operations.ts';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { controlled, plain, read } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';

const xml = problemFormat({
  mediaType: 'application/xml',
  schema: { type: 'string' },
  write: ({ status, title }) => `<problem><status>${status}</status><title>${title}</title></problem>`,
});
const words = problemFormat({ mediaType: 'text/plain', schema: { type: 'string' }, write: ({ detail }) => detail });
const coded = (name: string) =>
  problemFormat({
    mediaType: 'application/json',
    schema: schema(name, { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }),
    write: ({ status }) => ({ code: `${name}-${status}` }),
  });
const tokens = bearerTokens({ right: { identity: 'Ada' } });

const json = { 'Content-Type': 'application/json' };
const failure = problemFormat({
  mediaType: 'application/vnd.acme.error+json',
  schema: schema('Failure', {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, code: { type: 'integer' } },
  }),
  write: ({ detail, status }) => ({ error: detail, code: status }),
});
const teapot = new HttpProblem(418, 'No coffee', { brand: 'Utah', headers: { 'X-Brand': 'Utah' } });
const things: Plugin = {
  name: 'things',
  offers: [authenticators.of([tokens])],
  outerStages: [async (context, next) => withHeaders(await next(context), { 'X-Outer': 'yes' })],
  routes: [
    read('things/{n:int}', { method: 'POST', body: { type: 'object', properties: {} } }),
    read('things/{n:int}', { method: 'DELETE', security: [tokens] }),
    plain('teapot', { handle: throwing(teapot) }),
    plain('broken', { handle: throwing(new Error('secret')) }),
  ],
};

/** Returns the application of these plugins, with problems in this format, and its log. */
function failing(format: object = failure, ...plugins: readonly Plugin[]) {
  const logged: string[] = [];
  const log = (error: unknown) => void logged.push(String(error));
  const app = application([operations({ problems: format as never }), ...plugins, things], { log });
  return { app, logged };
}

for (const [asked, request, status, error, header] of [
  ['no route matches', { path: '/none' }, 404, /^Nothing answers GET \/none$/],
  ['a route throws a problem', { path: '/teapot' }, 418, /^No coffee$/, ['x-brand', 'Utah']],
  ['a route fails', { path: '/broken' }, 500, /^The service failed/],
  [
    'a body is invalid',
    { path: '/things/1', method: 'POST', headers: json, body: '[]' },
    400,
    /^The body does not match/,
  ],
  [
    'credentials are missing',
    { path: '/things/1', method: 'DELETE' },
    401,
    /^This operation needs credentials$/,
    ['www-authenticate', 'Bearer realm="api"'],
  ],
  ['the request is refused before the stages', { path: '/a%' }, 400, /percent escape/],
] as const)
  test(`D81 – problems in a custom format, ${asked} → status, media type and body of the format`, async () => {
    const reply = await answerOf(failing().app, request);
    const body = JSON.parse(reply.body) as { error: string; code: number };
    assert.deepEqual([reply.status, body.code], [status, status]);
    assert.equal(reply.headers['content-type'], 'application/vnd.acme.error+json');
    assert.equal(reply.headers['content-length'], String(Buffer.byteLength(reply.body)));
    assert.equal(reply.headers['x-outer'], 'yes');
    assert.match(body.error, error);
    const [name, value] = header ?? ['x-outer', 'yes'];
    assert.equal(reply.headers[name], value);
  });

for (const [what, write, says] of [
  ['throws', () => assert.fail('no words'), /no words/],
  ['returns nothing', () => undefined, /Cannot write the problem: "write" did not return a JSON value/],
  ['returns a function', () => () => {}, /Cannot write the problem: "write" did not return a JSON value/],
] as const)
  test(`D81 – a format that ${what} → the problem in RFC 9457, and the error in the log`, async () => {
    const { app, logged } = failing({ ...failure, write });
    const { status, body } = await answerOf(app, { path: '/none' });
    assert.deepEqual([status, JSON.parse(body).detail], [404, 'Nothing answers GET /none']);
    assert.match(logged.join(), says);
  });

test('D81 – a media type that is not JSON → an error at composition', () => {
  for (const mediaType of ['text/html', 'json', 'application/json\r\nX: y', ''])
    assert.throws(
      () => failing({ ...failure, mediaType }),
      /^TypeError: Cannot write the problems of the application as/,
    );
});

test('D81 – a custom format in the documents → 3.1 has its media type and schema, 2.0 has no body for errors', async () => {
  const { app } = failing(failure, description({ title: 'Things' }));
  await app.start();
  const document = JSON.parse((await answerOf(app, { path: '/swagger/v1/openapi.json' })).body);
  assert.deepEqual(document.paths['/things/{n}'].post.responses['400'].content, {
    'application/vnd.acme.error+json': { schema: { $ref: '#/components/schemas/Failure' } },
  });
  assert.deepEqual(Object.keys(document.components.schemas), ['Failure']);
  assert.doesNotMatch((await answerOf(app, { path: '/swagger/v1/swagger.json' })).body, /Failure/);
});

test('D81 – a custom format under verification → a problem of the format passes, another body does not', async () => {
  const post = { path: '/things/1', method: 'POST', headers: json, body: '[]' };
  const good = failing(failure, verification());
  assert.equal((await answerOf(good.app, post)).status, 400);
  assert.equal((await answerOf(good.app, { path: '/none' })).status, 404);
  assert.deepEqual(good.logged, []);
  const bad = failing({ ...failure, write: () => ({ error: 7 }) }, verification());
  assert.equal((await answerOf(bad.app, post)).status, 500);
  assert.match(bad.logged.join(), /"\/error"/);
});

test('D81 – a custom unanswered → its reply is sent, and outer stages see it', async () => {
  const app = application([things], { unanswered: ({ path }) => text(`No ${path} here`, { status: 404 }) });
  const { status, body, headers } = await answerOf(app, { path: '/none' });
  assert.deepEqual([status, body, headers['x-outer']], [404, 'No /none here', 'yes']);
  assert.equal((await answerOf(app, { path: '/teapot' })).status, 418);
});

test('D81 – a custom unanswered with an invalid reply → 500, and the log names the option', async () => {
  const logged: string[] = [];
  const log = (error: unknown) => void logged.push(String(error));
  const app = application([], { unanswered: () => ({ ...empty(), status: 99 }), log });
  assert.equal((await app.request('/none')).status, 500);
  assert.match(logged.join(), /The stage "unanswered" returned a reply with the status "?99/);
});

/** Returns an application with operations that have custom formats, and its log. */
async function served(problems?: ProblemFormats, own: ProblemFormats = coded('Own')) {
  const logged: string[] = [];
  const log = (error: unknown) => void logged.push(String(error));
  const handle = throwing(new HttpProblem(404, 'There is none'));
  const getting = (path: string, more: object = {}) => read(path, { responses: { 204: {}, 404: {} }, handle, ...more });
  const formats: Plugin = {
    name: 'formats',
    offers: [authenticators.of([tokens])],
    routes: routesOf(
      {
        name: 'Own',
        path: 'controlled',
        problems: coded('Controlled'),
        operations: [
          getting(''),
          getting('own', { problems: own }),
          getting('guarded', { problems: own, security: [tokens] }),
          getting('rfc', { problems: rfc9457 }),
          getting('broken', { handle: () => ok(1) }),
        ],
      },
      { name: 'Plain', path: 'plain', operations: [getting('')] },
    ),
  };
  const plugins = [verification(), description({ title: 'Formats' }), formats];
  const composed = application(problems === undefined ? plugins : [operations({ problems }), ...plugins], { log });
  await composed.start();
  const ask = async (path: string, accept?: string) => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const reply = await answerOf(composed, { path, headers });
    return [reply.status, reply.headers['content-type'], reply.body, reply.headers['vary']] as const;
  };
  return { composed, ask, logged };
}

const XML_404 = '<problem><status>404</status><title>Not Found</title></problem>';
for (const [accept, type, body] of [
  [undefined, 'application/problem+json', /"detail":"There is none"/],
  ['*/*', 'application/problem+json', /"detail"/],
  ['application/json', 'application/problem+json', /"detail"/],
  ['image/png', 'application/problem+json', /"detail"/],
  ['application/xml', 'application/xml', XML_404],
  ['application/problem+json;q=0.4, application/xml', 'application/xml', XML_404],
  ['application/*', 'application/problem+json', /"detail"/],
  ['text/plain', 'text/plain; charset=utf-8', 'There is none'],
] as const)
  test(`D107 – several formats, Accept: ${accept} → ${type}, and Vary`, async () => {
    const { ask, logged } = await served([rfc9457, xml, words]);
    const [status, contentType, written, vary] = await ask('/plain', accept);
    assert.deepEqual([status, contentType, vary], [404, type, 'Accept']);
    if (typeof body === 'string') assert.equal(written, body);
    else assert.match(written, body);
    assert.deepEqual(logged, []);
  });

test('D107 – no accepted format → the first format of the list', async () => {
  const { ask } = await served([xml, coded('Failure')]);
  for (const accept of [undefined, '*/*', 'image/png'])
    assert.equal((await ask('/plain', accept))[1], 'application/xml');
});

for (const [path, type, body] of [
  ['/controlled', 'application/json', '{"code":"Controlled-404"}'],
  ['/controlled/own', 'application/json', '{"code":"Own-404"}'],
  ['/controlled/guarded', 'application/json', '{"code":"Own-401"}'],
  ['/controlled/rfc', 'application/problem+json', undefined],
  ['/plain', 'application/xml', XML_404],
  ['/none', 'application/xml', XML_404],
  ['/a%', 'application/xml', '<problem><status>400</status><title>Bad Request</title></problem>'],
] as const)
  test(`D107 – formats by operation, controller and application, ${path} → the format of the operation or its controller, after its route has matched`, async () => {
    const { ask, logged } = await served(xml);
    const [, contentType, written, vary] = await ask(path);
    assert.deepEqual([contentType, vary], [type, undefined]);
    if (body !== undefined) assert.equal(written, body);
    assert.deepEqual(logged, []);
  });

test('D107 – a 500 of an operation with a format → uses this format', async () => {
  const { ask, logged } = await served(xml);
  assert.deepEqual((await ask('/controlled/broken')).slice(0, 3), [
    500,
    'application/json',
    '{"code":"Controlled-500"}',
  ]);
  assert.equal(logged.length, 1);
});

test('D107 – several formats of an operation → Accept selects one', async () => {
  const { ask } = await served(undefined, [coded('Own'), xml]);
  assert.deepEqual(await ask('/controlled/own', 'text/xml, application/xml'), [
    404,
    'application/xml',
    XML_404,
    'Accept',
  ]);
  assert.deepEqual(await ask('/controlled/own'), [404, 'application/json', '{"code":"Own-404"}', 'Accept']);
});

test('D107 – a format of an operation that fails → the problem in RFC 9457, and the error in the log', async () => {
  const { ask, logged } = await served(undefined, { ...xml, write: () => 5 as never });
  assert.equal((await ask('/controlled/own'))[0], 500);
  assert.match(logged.join(), /"write" did not return a string/);
});

test('D107 – formats in OpenAPI 3.1 → each operation has its formats with their schemas', async () => {
  const { ask } = await served([rfc9457, xml]);
  const document = JSON.parse((await ask('/swagger/v1/openapi.json'))[2]);
  const content = (path: string) => document.paths[path].get.responses['404'].content;
  assert.deepEqual(content('/plain'), {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'application/xml': { schema: { type: 'string' } },
  });
  assert.deepEqual(content('/controlled'), {
    'application/json': { schema: { $ref: '#/components/schemas/Controlled' } },
  });
  assert.deepEqual(content('/controlled/own'), {
    'application/json': { schema: { $ref: '#/components/schemas/Own' } },
  });
});

for (const [what, problems, message] of [
  ['no format', [], /^Cannot write the problems of the application: the list has no format; leave it out$/],
  [
    'two formats with the same media type',
    [rfc9457, rfc9457],
    /: two formats have the media type "application\/problem\+json"; leave/,
  ],
  [
    'XML whose schema is not a text',
    { ...xml, schema: { type: 'object' } },
    /as "application\/xml": it is not a JSON media type/,
  ],
] as const) {
  test(`D107 – ${what} → an error at composition`, () =>
    assert.throws(() => application([operations({ problems: problems as never })]), { name: 'TypeError', message }));
  test(`D107 – ${what}, of an operation → an error with the operation`, () => {
    const plugin = controlled('One', 'one', read('', { problems }));
    assert.throws(() => application([plugin]), /Cannot write the problems of the operation "OneGet"/);
  });
}
