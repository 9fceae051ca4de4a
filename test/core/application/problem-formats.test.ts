/** Problems in another format, and a custom answer in place of the 404 (D81). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { empty, text, withHeaders } from '../../../src/core/http/replies.ts';
import { problemFormat } from '../../../src/operations/operation/problems.ts';
import { authenticators, operations } from '../../../src/operations/operations.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';

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

for (const [what, more, reply, logs] of [
  ['headers', { 'X-Code': '404' }, ['404', 'application/vnd.acme.error+json'], /^$/],
  ['a header that the problem has', { 'X-Brand': 'Acme' }, [undefined, 'application/vnd.acme.error+json'], /^$/],
  ['a header that cannot be sent', { 'X-Code': 'a\nb' }, [undefined, 'application/problem+json'], /X-Code/],
] as const)
  test(`D81 – a format that returns ${what} → added, or the problem in RFC 9457`, async () => {
    const { app, logged } = failing({ ...failure, headers: () => more });
    const { headers } = await answerOf(app, { path: '/none' });
    assert.deepEqual([headers['x-code'], headers['content-type']], reply);
    assert.equal((await answerOf(app, { path: '/teapot' })).headers['x-brand'], 'Utah');
    assert.match(logged.join(), logs);
  });

test('D81 – a format of text → its text, its media type, and its schema in OpenAPI 3.1', async () => {
  const xml = problemFormat({
    mediaType: 'application/xml',
    schema: { type: 'string' },
    write: ({ status, title }) => `<problem><status>${status}</status><title>${title}</title></problem>`,
  });
  const { app } = failing(xml, description({ title: 'Things' }));
  await app.start();
  const { headers, body } = await answerOf(app, { path: '/none' });
  assert.equal(headers['content-type'], 'application/xml');
  assert.equal(body, '<problem><status>404</status><title>Not Found</title></problem>');
  const document = JSON.parse((await answerOf(app, { path: '/swagger/v1/openapi.json' })).body);
  assert.deepEqual(document.paths['/things/{n}'].post.responses['400'].content, {
    'application/xml': { schema: { type: 'string' } },
  });
});

for (const [what, format, message] of [
  ['XML whose schema is not a text', { ...failure, mediaType: 'a/xml' }, /as "a\/xml": it is not a JSON media type/],
  ['a list of formats', [failure], /: it is not a media type; give one such as application\/json/],
] as const)
  test(`D81 – ${what} → an error at composition`, () =>
    assert.throws(() => failing(format), { name: 'TypeError', message }));
