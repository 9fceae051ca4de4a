/** Every kind of answer of an operation: over HTTP, checked against its declaration, and in the documents. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { redirect, stream } from '../../../src/core/http/replies.ts';
import type { AnyOperation } from '../../../src/operations/operation/operation.ts';
import { problem } from '../../../src/operations/operation/problems.ts';
import { answer, noContent, ok, type Result } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { file, fileResponses } from '../../../src/plugins/files/files.ts';
import { events } from '../../../src/shelf/events/events.ts';
import { verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serveHandler } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = temporaryFolder({ 'a.pdf': '0123456789', 'a.txt': 'text' });
const Item = schema('Item', { type: 'object', required: ['id'], properties: { id: { type: 'string' } } });
const text = (description: string) => ({ type: 'string', description }) as const;
const located = { headers: { Location: text('Where') } } as const;

const get = { method: 'GET' } as const;
const take = (name: string) =>
  name === 'taken'
    ? problem(409, `"${name}" is taken`, {
        type: 'https://example.com/taken',
        title: 'Taken',
        by: { id: 7 },
        status: 500,
        headers: { 'Retry-After': '5' },
      })
    : ok({ id: name });
const operations: readonly AnyOperation[] = [
  operation({
    ...get,
    path: 'items/{id}',
    responses: { 200: { schema: Item }, 409: { headers: { 'Retry-After': text('When') } } },
    handle: ({ values }) => take(values.id),
  }),
  operation({
    ...get,
    path: 'jobs',
    responses: { 202: { schema: Item, headers: { 'X-Place': text('In the queue'), Location: text('Where') } } },
    handle: () =>
      answer(202, { id: 'a' }, { headers: { 'X-Place': '3' }, location: { to: 'ItemsByIdGet', values: { id: 'a' } } }),
  }),
  operation({ ...get, path: 'accepted', responses: { 202: {} }, handle: () => answer(202) }),
  operation({
    ...get,
    path: 'invalid',
    responses: { 422: {}, 204: {} },
    handle: ({ context }) =>
      context.query.has('ok')
        ? noContent()
        : problem(422, 'Wrong', { errors: [{ pointer: '/a', detail: 'is wrong' }] }),
  }),
  operation({ ...get, path: 'old', responses: { 308: located }, handle: () => redirect('/api/items/a', 308) }),
  operation({
    ...get,
    path: 'events',
    responses: { 200: { mediaType: 'text/event-stream' } },
    handle: ({ context }) =>
      events(context, async function* ({ lastEventId }) {
        yield { id: Number(lastEventId ?? 0) + 1, data: { a: 1 } };
      }),
  }),
  operation({
    ...get,
    path: 'rows',
    responses: {
      200: { mediaType: 'text/csv', headers: { ETag: text('The state') } },
      304: { headers: { ETag: text('') } },
    },
    handle: () => stream(['a,b\r\n', '1,2\r\n'], { mediaType: 'text/csv', headers: { ETag: '"1"' } }),
  }),
  operation({
    ...get,
    path: 'files/{name}',
    responses: { ...fileResponses('application/pdf'), 403: {} },
    handle: ({ context, values }) =>
      values.name === 'no' ? problem(403, 'Not yours') : file(context, values.name, { root, downloadAs: 'ü.pdf' }),
  }),
];
const controllers = [{ name: 'Answers', path: '', operations }];

async function served(t: TestContext, list = operations): Promise<number> {
  const controller = { name: 'Answers', path: '', operations: list };
  const { port } = await serveHandler(
    t,
    application([verification(), { name: 'answers', routes: routesOf(controller) }], {
      log: (error) => console.error(error),
    }).handler,
  );
  return port;
}

for (const [what, question, status, body, headers = {}] of [
  ['ok of a helper', { target: '/items/a' }, 200, '{"id":"a"}'],
  [
    'a status with body, header and Location',
    { target: '/jobs' },
    202,
    '{"id":"a"}',
    { 'x-place': '3', location: '/items/a' },
  ],
  ['a status alone', { target: '/accepted' }, 202, '', { 'content-length': '0', 'transfer-encoding': undefined }],
  ['a redirect', { target: '/old' }, 308, '', { location: '/api/items/a', 'content-length': '0' }],
  [
    'events',
    { target: '/events', headers: { 'Last-Event-ID': '6' } },
    200,
    ':\n\nid: 7\ndata: {"a":1}\n\n',
    { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  ],
  ['a stream', { target: '/rows' }, 200, 'a,b\r\n1,2\r\n', { 'content-type': 'text/csv; charset=utf-8', etag: '"1"' }],
  [
    'a stream that the client has',
    { target: '/rows', headers: { 'If-None-Match': '"1"' } },
    304,
    '',
    { etag: '"1"', 'content-type': undefined },
  ],
  [
    'a file',
    { target: '/files/a.pdf' },
    200,
    '0123456789',
    {
      'content-type': 'application/pdf',
      'content-length': '10',
      'content-disposition': 'attachment; filename="_.pdf"; filename*=UTF-8\'\'%C3%BC.pdf',
    },
  ],
  [
    'a part of a file',
    { target: '/files/a.pdf', headers: { Range: 'bytes=1-2' } },
    206,
    '12',
    { 'content-length': '2' },
  ],
  ['a file that the client has', { target: '/files/a.pdf', headers: { 'If-None-Match': '*' } }, 304, ''],
  ['no such file', { target: '/files/b.pdf' }, 404, undefined],
  ['a file in another state', { target: '/files/a.pdf', headers: { 'If-Match': '"0"' } }, 412, undefined],
  [
    'a part that the file does not have',
    { target: '/files/a.pdf', headers: { Range: 'bytes=99-' } },
    416,
    undefined,
    { 'content-range': 'bytes */10' },
  ],
  ['a problem beside a file', { target: '/files/no' }, 403, undefined],
  ['a problem with violations', { target: '/invalid' }, 422, undefined],
] as const)
  test(`D75 – ${what}, from an operation → ${status}, as declared`, async (t) => {
    const got = await ask(await served(t), question);
    if (body === undefined) assertProblem(got, status);
    else assert.deepEqual([got.status, got.text], [status, body]);
    for (const [name, value] of Object.entries(headers)) assert.equal(got.headers[name], value, name);
    const policy = got.headers['content-security-policy'];
    assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", 'once, and not twice');
  });

test('D75 – a problem with members and headers → the reply has them; its members do not change status and detail', async (t) => {
  const got = await ask(await served(t), { target: '/items/taken' });
  const { requestId, ...members } = got.json();
  assert.equal(got.headers['retry-after'], '5');
  assert.equal(requestId, got.headers['x-request-id']);
  assert.deepEqual(members, {
    type: 'https://example.com/taken',
    title: 'Taken',
    status: 409,
    detail: '"taken" is taken',
    instance: '/items/taken',
    by: { id: 7 },
  });
});

for (const status of [200, 302, 399, 600, 404.5, Number.NaN])
  test(`D75 – a problem with the status ${status} → throws`, () =>
    assert.throws(() => problem(status as 404, 'no'), {
      name: 'RangeError',
      message: /an error status is 400 to 599/,
    }));

const given = (responses: AnyOperation['responses'], made: () => unknown): AnyOperation =>
  operation({ ...get, path: 'wrong', responses, handle: made as () => Result<204, never> });
let left: Readable | undefined;
for (const [what, wrong, log] of [
  [
    'a file of another type than declared',
    operation({
      ...get,
      path: 'wrong',
      responses: fileResponses('application/pdf'),
      handle: ({ context }) => file(context, 'a.txt', { root }),
    }),
    /a 200 of the type "text\/plain; charset=utf-8", but it declares "application\/pdf"; correct one/,
  ],
  [
    'a type of its own for a body that is written',
    given({ 200: { schema: Item } }, () => answer(200, { id: 'a' }, { headers: { 'content-type': 'text/html' } })),
    /the header content-type, which follows from the body; leave it out/,
  ],
  [
    'a length for a text',
    given({ 200: { mediaType: 'text/csv' } }, () => answer(200, 'a', { headers: { 'Content-Length': '7' } })),
    /the header Content-Length, which follows from the body/,
  ],
  [
    'a stream where none is declared',
    given({ 200: {} }, () => {
      left = Readable.from(['a']);
      return stream(left);
    }),
    /returned a 200 with a body, but declares no schema and no mediaType for it/,
  ],
  [
    'a status that is not declared',
    given({ 204: {} }, () => problem(404, 'no')),
    /answers 404 otherwise than it declares/,
  ],
] as const)
  test(`D75 – ${what} → 500, and the log names the operation`, async (t) => {
    assert.equal((await ask(await served(t, [wrong]), { target: '/wrong' })).status, 500);
    assert.match(logged.splice(0).join(), log);
    if (left !== undefined) assert.equal(left.destroyed, true);
  });

test('D75 – the responses of a file → both documents have each status, its headers and its bytes', () => {
  const routes = composedRoutes(routesOf(...controllers));
  const swagger = describe(routes, { title: 'Answers' }).paths['/files/{name}']!['get']!;
  const open = describeOpenApi(routes, { title: 'Answers' }).paths['/files/{name}']!['get']!;
  const statuses = ['200', '206', '304', '403', '404', '412', '416'];
  for (const document of [swagger, open]) assert.deepEqual(Object.keys(document.responses).sort(), statuses);
  for (const status of ['200', '206']) {
    assert.deepEqual(swagger.responses[status]!.schema, { type: 'file' });
    assert.deepEqual(Object.keys(open.responses[status]!.content!), ['application/pdf']);
    assert.ok('ETag' in open.responses[status]!.headers!);
  }
  for (const status of ['206', '416']) assert.ok('Content-Range' in swagger.responses[status]!.headers!);
});

test('RFC 9110 §15.4 – an operation that declares a 303 → its Location is described, and verification accepts the redirect', async () => {
  const go = operation({ method: 'POST', path: 'go', responses: { 303: {} }, handle: () => redirect('/', 303) });
  const checked = application([verification(), { name: 'go', routes: [go] }]);
  assert.equal((await checked.request('/go', { method: 'POST' })).status, 303);
  assert.match(JSON.stringify(describe(checked.routes, { title: 'Go' })), /"303":\{[^}]*"headers":\{"Location"/);
});
