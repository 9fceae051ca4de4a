/** Operations as routes: input, answers, headers, and replies that do not match the declaration. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LinkValues } from '../../../src/core/routing/route.ts';
import { type Controller, operationOf } from '../../../src/operations/operation/controller.ts';
import { created, noContent, ok } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';
import { servePlugins } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    stars: { type: 'integer', 'x-nullable': true },
    tags: { type: 'array', items: { type: 'string' } },
  },
});
const json = { 'Content-Type': 'application/json' };

const notes: Controller = {
  name: 'Note',
  path: 'notes',
  operations: [
    operation({
      method: 'GET',
      path: '',
      produces: ['text/json', 'application/json'],
      responses: { 200: { schema: { type: 'array', items: Note } } },
      handle: ({ context }) => ok([{ id: context.query.get('id') ?? 'none', stars: null }]),
    }),
    operation({
      method: 'GET',
      path: '{id}/{part?}',
      responses: { 200: { schema: Note } },
      handle: async ({ values }) => ok({ id: values.id, stars: 1, tags: ['a'] }),
    }),
    operation({
      method: 'POST',
      path: '',
      body: Note,
      responses: {
        201: { schema: Note, headers: { Location: { type: 'string', description: 'Where' } } },
        400: {},
        413: {},
        415: {},
      },
      handle: ({ body }) => created(body, 'NotesByIdByPartGet', { id: body.id }),
    }),
    operation({
      method: 'PUT',
      path: '{id}',
      body: Note,
      responses: { 204: { headers: { ETag: { type: 'string', description: 'State' } } }, 400: {}, 413: {}, 415: {} },
      handle: ({ body, values }) => noContent(`"${values.id}-${body.stars}"`),
    }),
  ],
};
/** GET operations with a tag, and a PUT operation that answers with a body and a tag. */
const tagged: Controller = {
  name: 'Tag',
  path: 'tags',
  operations: (['GET', 'PUT'] as const).map((method) =>
    operation({
      method,
      path: '',
      produces: ['application/json', 'text/json'],
      responses: {
        200: { schema: Note, headers: { ETag: { type: 'string', description: 'State', always: true } } },
        304: { headers: { ETag: { type: 'string', description: 'State', always: true } } },
        412: {},
      },
      handle: () => ({ ...ok({ id: '1', stars: null }), headers: { etag: '"1"', 'X-Own': 'x' } }),
    }),
  ),
};

for (const [method, headers, status] of [
  ['GET', {}, 200],
  ['GET', { 'If-None-Match': '"1"' }, 304],
  ['GET', { 'If-None-Match': '"2"' }, 200],
  ['GET', { 'If-Match': '"1"' }, 200],
  ['GET', { 'If-Match': '"2"' }, 412],
  ['GET', { 'If-Match': '"2"', 'If-None-Match': '"1"' }, 412],
  ['PUT', { 'If-None-Match': '"1"' }, 200],
  ['PUT', { 'If-Match': '"2"' }, 200],
] as const) {
  const because = method === 'GET' ? '' : ', its handler has changed what there is by then';
  test(`D38 – ${method} of an operation that tags its answer "1", ${JSON.stringify(headers)} → ${status}${because}`, async () => {
    const answer = await serving(routesOf(tagged), verification()).request('/tags', { method, headers });
    assert.equal(answer.status, status);
    const sent = (...names: string[]) => names.map((name) => answer.headers.get(name));
    if (status !== 412) assert.deepEqual(sent('ETag', 'Vary', 'X-Own'), ['"1"', 'Accept', 'x']);
    if (status === 304) assert.deepEqual(sent('Content-Type', 'Content-Length'), [null, null]);
  });
}

const served = async (t: TestContext): Promise<number> =>
  (await servePlugins(t, [verification(), { name: 'notes', routes: routesOf(notes) }])).port;

test('operations – a handler → gets the values, the query and the body; the schema decides how its answer is written', async (t) => {
  const port = await served(t);
  assert.equal((await ask(port, { target: '/notes/7' })).text, '{"id":"7","stars":1,"tags":["a"]}');
  assert.equal((await ask(port, { target: '/notes?id=a+b' })).text, '[{"id":"a b","stars":null}]');
  const posted = await ask(port, {
    method: 'POST',
    target: '/notes',
    headers: json,
    body: '{"ID":"a/b","tags":["x"],"more":1}',
  });
  assert.deepEqual(
    [posted.status, posted.text, posted.headers['location']],
    [201, '{"id":"a/b","stars":null,"tags":["x"]}', '/notes/a%2Fb'],
  );
  const put = await ask(port, { method: 'PUT', target: '/notes/7', headers: json, body: '{"id":"7","stars":5}' });
  assert.deepEqual([put.status, put.headers['etag']], [204, '"7-5"']);
});

test('operations – routes of a controller → in order, with the operation as a data token and the operationId as the name', () => {
  const routes = [...composedRoutes(routesOf(notes))];
  assert.deepEqual(
    routes.map(({ template, method, name }) => [method, template.text, name]),
    [
      ['GET', 'notes', 'NotesGet'],
      ['GET', 'notes/{id}/{part?}', 'NotesByIdByPartGet'],
      ['POST', 'notes', 'NotesPost'],
      ['PUT', 'notes/{id}', 'NotesByIdPut'],
    ],
  );
  assert.equal(operationOf(routes[0]!)?.operation, notes.operations[0]);
  assert.equal(operationOf(routes[0]!)?.controller, notes);
});

for (const [given, values, path] of [
  ['a number', { number: 7 }, '/invoices/7'],
  ['a long integer', { number: 9007199254740993n }, '/invoices/9007199254740993'],
  ['a value that the path does not have', { number: 7, page: 2 }, '/invoices/7?page=2'],
  ['pairs', new Map([['number', 7]]), '/invoices/7'],
  ['a long integer that the path cannot have', { id: 7n }, null],
  ['pairs that the path cannot have', new Map([['id', 7]]), null],
] as const)
  test(`D7 – a Location for ${given} → ${path ?? '500, and the log has the value'}`, async () => {
    const handle = () => created({ id: '1', stars: null }, 'InvoicesByNumberGet', values as LinkValues);
    const { request, errors } = serving([
      read('invoices/{number:long}'),
      operation({ method: 'POST', path: 'invoices', responses: { 201: { schema: Note } }, handle }),
    ]);
    const { status, headers } = await request('/invoices', { method: 'POST' });
    assert.deepEqual([status, headers.get('Location')], [path === null ? 500 : 201, path]);
    const says = /the Location of "InvoicesPost" for \{"id":"7"\}: the route "InvoicesByNumberGet" has no path/;
    if (path === null) assert.match(String(errors), says);
  });
