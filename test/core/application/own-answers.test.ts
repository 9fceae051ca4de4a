/** What an application answers in place of the 404 and of problem details (D81). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { empty, text, withHeaders } from '../../../src/core/message/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { noContent } from '../../../src/operations/operation/answers.ts';
import { problemFormat } from '../../../src/operations/operation/problem-format.ts';
import { authenticators, operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

const failure = problemFormat({
  mediaType: 'application/vnd.acme.error+json',
  schema: schema('Failure', {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, code: { type: 'integer' } },
  }),
  write: ({ detail, status }) => ({ error: detail, code: status }),
});

const tokens = bearerTokens({ right: { identity: 'Ada' } });

const plugin: Plugin = {
  name: 'things',
  offers: [authenticators.of([tokens])],
  outerStages: [async (context, next) => withHeaders(await next(context), { 'X-Outer': 'yes' })],
  routes: [
    ...routesOf({
      name: 'Things',
      path: 'things',
      operations: [
        operation({
          method: 'POST',
          path: '{n:int}',
          body: { type: 'object', properties: {} },
          responses: { 204: {} },
          handle: () => noContent(),
        }),
        operation({
          method: 'DELETE',
          path: '{n:int}',
          security: [tokens],
          responses: { 204: {} },
          handle: () => noContent(),
        }),
      ],
    }),
    route({
      path: 'teapot',
      handle: throwing(new HttpProblem(418, 'No coffee', { brand: 'Utah', headers: { 'X-Brand': 'Utah' } })),
    }),
    route({ path: 'broken', handle: throwing(new Error('secret')) }),
  ],
};

const json = { 'Content-Type': 'application/json' };

for (const [asked, request, status, error] of [
  ['nothing answers', { path: '/none' }, 404, 'Nothing answers GET /none'],
  ['a route throws a problem', { path: '/teapot' }, 418, 'No coffee'],
  ['a route fails', { path: '/broken' }, 500, /^The service failed/],
  ['a body is wrong', { path: '/things/1', method: 'POST', headers: json, body: '[]' }, 400, /^The body is not what/],
  ['credentials are missing', { path: '/things/1', method: 'DELETE' }, 401, 'This operation needs credentials'],
  ['the request is refused before the stages', { path: '/a%' }, 400, /percent escape/],
] as const) {
  test(`D81 – problems in an own format, ${asked} → status, media type and body of the format`, async () => {
    const composed = application([operations({ problems: failure }), plugin], { log: () => {} });
    const reply = await answerOf(composed, request);
    const body = JSON.parse(reply.body) as { error: string; code: number };
    assert.deepEqual([reply.status, body.code], [status, status]);
    assert.equal(reply.headers['content-type'], 'application/vnd.acme.error+json');
    assert.equal(reply.headers['content-length'], String(Buffer.byteLength(reply.body)));
    assert.equal(reply.headers['x-outer'], 'yes');
    if (typeof error === 'string') assert.equal(body.error, error);
    else assert.match(body.error, error);
    if (status === 418) assert.equal(reply.headers['x-brand'], 'Utah');
    if (status === 401) assert.equal(reply.headers['www-authenticate'], 'Bearer realm="api"');
  });
}

for (const [what, write, says] of [
  ['throws', () => assert.fail('no words'), /no words/],
  ['returns nothing', () => undefined, /Cannot write the problem: what "write" returned is no value of JSON/],
  ['returns a function', () => () => {}, /Cannot write the problem: what "write" returned is no value of JSON/],
] as const) {
  test(`D81 – a format that ${what} → the problem as usual, and the error in the log`, async () => {
    const logged: string[] = [];
    const failing = { ...failure, write };
    const { handler } = application([operations({ problems: failing }), plugin], {
      log: (error) => logged.push(String(error)),
    });
    const reply = await handler(testContext('/none'));
    assert.deepEqual([reply.status, JSON.parse(reply.body as string).detail], [404, 'Nothing answers GET /none']);
    assert.match(logged.join(), says);
  });
}

test('D81 – a media type that is no JSON → refused when the application is composed', () => {
  for (const mediaType of ['text/html', 'json', 'application/json\r\nX: y', ''])
    assert.throws(
      () => application([operations({ problems: { ...failure, mediaType } })]),
      /^TypeError: Cannot write the problems of the application as/,
    );
});

test('D81 – an own format in the documents → 3.1 has its media type and schema, 2.0 has no body for errors', async () => {
  const composed = application([operations({ problems: failure }), plugin, description({ title: 'Things' })]);
  await composed.start();
  const served = composed;
  const document = JSON.parse((await answerOf(served, { path: '/swagger/v1/openapi.json' })).body);
  assert.deepEqual(document.paths['/things/{n}'].post.responses['400'].content, {
    'application/vnd.acme.error+json': { schema: { $ref: '#/components/schemas/Failure' } },
  });
  assert.deepEqual(Object.keys(document.components.schemas), ['Failure']);
  assert.doesNotMatch((await answerOf(served, { path: '/swagger/v1/swagger.json' })).body, /Failure/);
});

test('D81 – an own format under verification → a problem of the format passes, another body does not', async () => {
  const logged: string[] = [];
  const log = (error: unknown) => logged.push(String(error));
  const good = application([operations({ problems: failure }), verification(), plugin], { log });
  const wrong = { ...failure, write: () => ({ error: 7 }) };
  const bad = application([operations({ problems: wrong }), verification(), plugin], { log });
  for (const one of [good, bad]) await one.start();
  const post = { path: '/things/1', method: 'POST', headers: json, body: '[]' };
  assert.equal((await answerOf(good, post)).status, 400);
  assert.equal((await answerOf(good, { path: '/none' })).status, 404);
  assert.deepEqual(logged, []);
  assert.equal((await answerOf(bad, post)).status, 500);
  assert.match(logged.join(), /"\/error"/);
});

test('D81 – an own answer to what nothing answers → it is sent, outer stages see it', async () => {
  const composed = application([plugin], { unanswered: ({ path }) => text(`No ${path} here`, { status: 404 }) });
  const reply = await answerOf(composed, { path: '/none' });
  assert.deepEqual([reply.status, reply.body, reply.headers['x-outer']], [404, 'No /none here', 'yes']);
  assert.equal((await answerOf(composed, { path: '/teapot' })).status, 418);
});

test('D81 – an own answer that cannot be sent → 500, and the log names the option', async () => {
  const logged: string[] = [];
  const composed = application([], {
    unanswered: () => ({ ...empty(), status: 99 }),
    log: (error) => logged.push(String(error)),
  });
  assert.equal((await composed.handler(testContext('/none'))).status, 500);
  assert.match(logged.join(), /The stage "unanswered" returned a reply with the status "?99/);
});
