/** Problems in several formats: by `Accept`, and by operation and controller (D107). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { noContent, ok } from '../../../src/operations/operation/answers.ts';
import { type ProblemFormats, problemFormat, rfc9457 } from '../../../src/operations/operation/problem-format.ts';
import { authenticators, operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { throwing } from '../../support/throwing.ts';

const xml = problemFormat({
  mediaType: 'application/xml',
  schema: { type: 'string' },
  write: ({ status, title }) => `<problem><status>${status}</status><title>${title}</title></problem>`,
});
const plain = problemFormat({ mediaType: 'text/plain', schema: { type: 'string' }, write: ({ detail }) => detail });
const coded = (name: string) =>
  problemFormat({
    mediaType: 'application/json',
    schema: schema(name, { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }),
    write: ({ status }) => ({ code: `${name}-${status}` }),
  });
const tokens = bearerTokens({ right: { identity: 'Ada' } });

/** An application with operations of their own formats, and what it has logged. */
async function served(problems?: ProblemFormats, own: ProblemFormats = coded('Own')) {
  const logged: string[] = [];
  const log = (error: unknown) => void logged.push(String(error));
  const responses = { 204: {}, 404: {} } as const;
  const failing = throwing(new HttpProblem(404, 'There is none'));
  const rest = { method: 'GET', responses } as const;
  const composed = application(
    [
      ...(problems === undefined ? [] : [operations({ problems })]),
      verification(),
      description({ title: 'Formats' }),
      {
        name: 'things',
        offers: [authenticators.of([tokens])],
        routes: routesOf(
          {
            name: 'Own',
            path: 'controlled',
            problems: coded('Controlled'),
            operations: [
              operation({ ...rest, path: '', handle: failing }),
              operation({ ...rest, path: 'own', problems: own, handle: failing }),
              operation({ ...rest, path: 'guarded', problems: own, security: [tokens], handle: () => noContent() }),
              operation({ ...rest, path: 'rfc', problems: rfc9457, handle: failing }),
              operation({ ...rest, path: 'broken', handle: () => ok(1) as never }),
            ],
          },
          { name: 'Plain', path: 'plain', operations: [operation({ ...rest, path: '', handle: failing })] },
        ),
      },
    ],
    { log },
  );
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
    const { ask, logged } = await served([rfc9457, xml, plain]);
    const [status, contentType, text, vary] = await ask('/plain', accept);
    assert.deepEqual([status, contentType, vary], [404, type, 'Accept']);
    if (typeof body === 'string') assert.equal(text, body);
    else assert.match(text, body);
    assert.deepEqual(logged, []);
  });

test('D107 – the first format where nothing matches → not JSON, unless it is the first', async () => {
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
  test(`D107 – formats by operation, controller and application, ${path} → the nearest, once its route has matched`, async () => {
    const { ask, logged } = await served(xml);
    const [, contentType, text, vary] = await ask(path);
    assert.deepEqual([contentType, vary], [type, undefined]);
    if (body !== undefined) assert.equal(text, body);
    assert.deepEqual(logged, []);
  });

test('D107 – a 500 of an operation with a format → in this format', async () => {
  const { ask, logged } = await served(xml);
  assert.deepEqual((await ask('/controlled/broken')).slice(0, 3), [
    500,
    'application/json',
    '{"code":"Controlled-500"}',
  ]);
  assert.equal(logged.length, 1);
});

test('D107 – several formats of an operation → by Accept', async () => {
  const { ask } = await served(undefined, [coded('Own'), xml]);
  assert.deepEqual(await ask('/controlled/own', 'text/xml, application/xml'), [
    404,
    'application/xml',
    XML_404,
    'Accept',
  ]);
  assert.deepEqual(await ask('/controlled/own'), [404, 'application/json', '{"code":"Own-404"}', 'Accept']);
});

test('D107 – a format of an operation that fails → the problem as usual, and the error in the log', async () => {
  const failing = { ...xml, write: () => 5 as never };
  const { ask, logged } = await served(undefined, failing);
  assert.equal((await ask('/controlled/own'))[0], 500);
  assert.match(logged.join(), /what "write" returned is no text/);
});

test('D107 – formats in OpenAPI 3.1 → each with its schema, by operation', async () => {
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
    'two of one media type',
    [rfc9457, rfc9457],
    /: two formats have the media type "application\/problem\+json"; leave/,
  ],
  [
    'XML whose schema is no text',
    { ...xml, schema: { type: 'object' } },
    /as "application\/xml": it is no media type of/,
  ],
] as const) {
  test(`D107 – ${what} → refused when the application is composed`, () => {
    assert.throws(() => application([operations({ problems: problems as never })]), { name: 'TypeError', message });
  });
  test(`D107 – ${what}, of an operation → refused, and the operation is named`, () => {
    const one = operation({
      method: 'GET',
      path: '',
      problems: problems as never,
      responses: { 204: {} },
      handle: () => noContent(),
    });
    const plugin = { name: 'one', routes: routesOf({ name: 'One', path: 'one', operations: [one] }) };
    assert.throws(() => application([plugin]), /Cannot write the problems of the operation "OneGet"/);
  });
}
