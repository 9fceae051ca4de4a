/** Answers other than JSON: writers, files and streams, typed headers, examples (D72). */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { AnyOperation } from '../../../src/operations/operation/operation.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';
import { RepresentedCollection } from '../../../src/plugins/collection/represented-collection.ts';
import { describeOpenApi } from '../../../src/plugins/description/describe-openapi.ts';
import { describe } from '../../../src/plugins/description/describe-swagger.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';
import { verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';
import { serveHandler } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';

const Row = schema('Row', {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string', 'x-nullable': true },
    secret: { type: 'string', writeOnly: true },
  },
});
const rows = [
  { id: 1, name: 'a, "b"' },
  { id: 2, name: null },
  { id: 3, name: '=1+1' },
];
const CSV = 'id,name\r\n1,"a, ""b"""\r\n2,\r\n3,\'=1+1\r\n';
const kept = new RepresentedCollection(Row, 'PascalCase');
for (const row of rows) kept.add(String(row.id), row);

const BYTES = Uint8Array.of(0, 255, 10);
const responses = { 200: { schema: { type: 'array', items: Row }, example: [{ id: 7, name: null }] } } as const;
const tag = { ETag: { type: 'string', description: 'The state' } } as const;
const list = operation({
  method: 'GET',
  path: 'rows',
  responses,
  writers: { 'text/csv': csv(['id', 'name']), 'application/x-count': (all) => Uint8Array.of(all.length) },
  handle: () => ok(rows),
});
const listKept = operation({
  method: 'GET',
  path: 'kept',
  produces: ['text/csv', 'application/json'],
  responses: { 200: { ...responses[200], headers: tag }, 304: { headers: tag } },
  writers: { 'text/csv': csv(['id', 'name']) },
  handle: () => ok(kept.list()),
});
const file = operation({
  method: 'GET',
  path: 'file',
  responses: {
    200: {
      mediaType: 'application/pdf',
      headers: {
        ...tag,
        'X-Pages': { type: 'integer', minimum: 1, description: 'How many pages', always: true },
        'X-Parts': { type: 'array', items: { type: 'integer' }, description: 'Where they begin', example: [1, 2] },
      },
    },
    304: { headers: tag },
  },
  handle: () => ({ ...ok(BYTES), headers: { ETag: '"1"', 'X-Pages': '2', 'X-Parts': '0, 9' } }),
});
const events = operation({
  method: 'GET',
  path: 'events',
  responses: { 200: { mediaType: 'text/event-stream', example: 'data: 1\n\n' } },
  handle: () => ok(Readable.from(['data: 1\n\n', 'data: 2\n\n'])),
});
const all = routesOf({ name: 'Rows', path: 'api', operations: [list, listKept, file, events] });
const { handler, request, routes } = serving(all, operations({ naming: 'PascalCase' }), verification());

const JSON_TEXT = '[{"Id":1,"Name":"a, \\"b\\""},{"Id":2,"Name":null},{"Id":3,"Name":"=1+1"}]';
const ANSWERS: readonly (readonly [what: string, path: string, accept: string, type: string, body: string])[] = [
  ['JSON by default', 'rows', '*/*', 'application/json', JSON_TEXT],
  ['CSV', 'rows', 'text/csv', 'text/csv; charset=utf-8', CSV],
  ['CSV by quality', 'rows', 'application/json;q=0.5, text/csv', 'text/csv; charset=utf-8', CSV],
  ['bytes', 'rows', 'application/x-count', 'application/x-count', '\u0003'],
  ['a cached list, JSON before the first of produces', 'kept', '*/*', 'application/json', JSON_TEXT],
  ['CSV of a cached list, with the names of the code', 'kept', 'text/csv', 'text/csv; charset=utf-8', CSV],
  ['a file', 'file', 'application/json', 'application/pdf', Buffer.from(BYTES).toString()],
  ['a stream', 'events', 'text/event-stream', 'text/event-stream; charset=utf-8', 'data: 1\n\ndata: 2\n\n'],
];
test('D72 answers other than JSON → Accept decides, over HTTP', async (t) => {
  const { port } = await serveHandler(t, handler);
  for (const [what, path, accept, type, body] of ANSWERS) {
    const answer = await ask(port, { target: `/api/${path}`, headers: { Accept: accept } });
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, type, body], what);
    const vary = path === 'rows' || path === 'kept' ? 'Accept' : undefined;
    assert.equal(answer.headers['vary'], vary, what);
  }
});

test('D72 a file with a tag → 304 if the client has it, typed headers', async () => {
  const { headers } = await request('/api/file');
  const read = ['X-Pages', 'X-Parts', 'Content-Length'].map((name) => headers.get(name));
  assert.deepEqual(read, ['2', '0, 9', '3']);
  const again = await request('/api/file', { headers: { 'If-None-Match': '"1"' } });
  assert.deepEqual([again.status, again.headers.get('ETag')], [304, '"1"']);
});

const options = { title: 'A test' } as const;

test('D72 in Swagger 2.0 → produces, file bodies, typed headers and examples', () => {
  const { paths } = describe(routes, options);
  const got = (path: string) => paths[`/api/${path}`]!.get!;
  const answers = { type: 'array', items: { $ref: '#/definitions/Row' } };
  assert.deepEqual(got('rows').produces, ['application/json', 'text/csv', 'application/x-count']);
  assert.deepEqual(got('rows').responses['200'], {
    description: 'Success',
    schema: answers,
    examples: { 'application/json': [{ Id: 7, Name: null }], 'text/csv': 'id,name\r\n7,\r\n' },
  });
  assert.deepEqual(got('file').produces, ['application/pdf']);
  assert.deepEqual(got('file').responses['200'], {
    description: 'Success',
    schema: { type: 'file' },
    headers: {
      ETag: { type: 'string', description: 'The state' },
      'X-Pages': { type: 'integer', minimum: 1, description: 'How many pages' },
      'X-Parts': { type: 'array', items: { type: 'integer' }, description: 'Where they begin', 'x-example': [1, 2] },
    },
  });
  assert.deepEqual(got('events').responses['200'], {
    description: 'Success',
    schema: { type: 'string' },
    examples: { 'text/event-stream': 'data: 1\n\n' },
  });
});

test('D72 in OpenAPI 3.1 → each media type with its schema and its example', () => {
  const { paths, components } = describeOpenApi(routes, options);
  const content = (path: string) => paths[`/api/${path}`]!.get!.responses['200']!.content;
  assert.deepEqual(content('rows'), {
    'application/json': {
      schema: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
      example: [{ Id: 7, Name: null }],
    },
    'text/csv': { schema: { type: 'string' }, example: 'id,name\r\n7,\r\n' },
    'application/x-count': { schema: { type: 'string', format: 'binary' } },
  });
  assert.deepEqual(content('file'), { 'application/pdf': { schema: { type: 'string', format: 'binary' } } });
  assert.deepEqual(content('events'), { 'text/event-stream': { schema: { type: 'string' }, example: 'data: 1\n\n' } });
  assert.deepEqual(components.headers['X-Pages'], {
    description: 'How many pages',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  });
});

test('D72 JSON without a schema → any value in both formats, with the value of its example', () => {
  const example = '{"type":"Point"}';
  const place = read('place', { responses: { 200: { mediaType: 'application/geo+json', example } } });
  const responses = { 200: { schema: { type: 'string' }, example: 'Point' } };
  const writers = { 'application/geo+json': (type: string) => JSON.stringify({ type }) };
  const places = composedRoutes([place, read('places', { responses, writers })]);
  const any = { 'application/geo+json': { schema: {}, example: { type: 'Point' } } };
  const newer = describeOpenApi(places, options).paths;
  assert.deepEqual(newer['/place']!.get!.responses['200']!.content, any);
  assert.deepEqual(newer['/places']!.get!.responses['200']!.content, {
    'application/json': { schema: { type: 'string' }, example: 'Point' },
    ...any,
  });
  assert.deepEqual(describe(places, options).paths['/place']!.get!.responses['200'], {
    description: 'Success',
    schema: {},
    examples: { 'application/geo+json': { type: 'Point' } },
  });
});

/** An application with one operation at `/one`, and its log lines. */
const only = (
  declared: Pick<AnyOperation, 'responses' | 'handle'> & Partial<AnyOperation>,
  ...plugins: readonly Plugin[]
) => serving([read('one', declared)], ...plugins);

const WIDE = {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'string' },
} as const;
test('D72 a cached list of several operations → each writes it by its declaration', async () => {
  const own = new RepresentedCollection(Row, 'PascalCase');
  own.add('1', rows[1]!);
  const writers = { 'text/csv': csv(['id']) };
  const get = (path: string, more: object) =>
    read(path, { responses: { 200: responses[200] }, handle: () => ok(own.list()), ...more });
  const operated = [get('json', {}), get('csv', { produces: ['text/csv'], writers }), get('both', { writers })];
  const { request } = serving(operated, operations({ naming: 'PascalCase' }));
  for (const _ of [1, 2]) {
    assert.equal(await (await request('/csv')).text(), 'id\r\n2\r\n');
    assert.equal(await (await request('/json')).text(), '[{"Id":2,"Name":null}]');
    assert.equal((await request('/both')).headers.get('Vary'), 'Accept');
  }
});

const PAIR = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', maxLength: 1 } } } as const;
for (const [what, items, value] of [
  ['of a choice', { oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, PAIR] }, { a: '1', b: '2' }],
  ['with a member that is too long', PAIR, { a: '1', b: 'long' }],
  ['with an additional member', WIDE, { a: '1', bC: '2' }],
] as const)
  for (const naming of ['camelCase', 'PascalCase'] as const)
    test(`D72 a cached value ${what}, ${naming} → a writer gets it unchanged`, async () => {
      const properties = { value: items as Schema };
      const store = new RepresentedCollection({ type: 'object', properties }, naming);
      store.add('1', { value } as never);
      const got: unknown[] = [];
      const responses = { 200: { schema: { type: 'array', items: { type: 'object', properties } } } } as const;
      const writers = { 'text/csv': (all: readonly unknown[]) => String(got.push(...all)) };
      const { request } = only({ responses, writers, handle: () => ok(store.list()) }, operations({ naming }));
      assert.equal((await request('/one', { headers: { Accept: 'text/csv' } })).status, 200);
      assert.deepEqual(got, [{ value }]);
    });

const anything = { type: 'array' } as const;
for (const [what, returned] of [
  ['a number', 5],
  ['a promise', Promise.resolve('a')],
  ['nothing', undefined],
  ['a Uint16Array', Uint16Array.of(1)],
] as const)
  test(`D72 a writer that returns ${what} → 500, and the log names it`, async () => {
    const writers = { 'text/csv': () => returned as never };
    const { request, errors } = only({ responses: { 200: { schema: anything } }, writers, handle: () => ok([]) });
    assert.equal((await request('/one', { headers: { Accept: 'text/csv' } })).status, 500);
    const says =
      /writer of "text\/csv" of the operation "OneGet" returned .*; return a text, bytes or a source of them/;
    assert.match(String(errors), says);
  });

test('D8 a tag of a handler → a different tag for each media type', async () => {
  const { request } = only({
    responses: { 200: { schema: anything, headers: tag }, 304: { headers: tag } },
    writers: { 'text/csv': () => 'a' },
    handle: () => ({ ...ok([]), headers: { etag: '"1"' } }),
  });
  const asked = (headers: Readonly<Record<string, string>>) => request('/one', { headers });
  assert.equal((await asked({})).headers.get('ETag'), '"1"');
  assert.equal((await asked({ Accept: 'text/csv' })).headers.get('ETag'), '"1-1"');
  assert.equal((await asked({ Accept: 'text/csv', 'If-None-Match': '"1"' })).status, 200);
  assert.equal((await asked({ Accept: 'text/csv', 'If-None-Match': '"1-1"' })).status, 304);
});

const length = { type: 'integer', description: 'How many bytes it has', always: true } as const;
const sized = { 200: { mediaType: 'application/pdf', headers: { 'Content-Length': length } } };
for (const [what, made] of [
  ['bytes', () => ok(BYTES)],
  ['a text', () => ok('abc')],
  ['a stream with a length', () => ({ ...ok(Readable.from(['abc'])), headers: { 'Content-Length': '3' } })],
] as const)
  test(`D72 verification() and the length of ${what} → is sent`, async () => {
    const { status, headers } = await only({ responses: sized, handle: made }, verification()).request('/one');
    assert.deepEqual([status, headers.get('Content-Length')], [200, '3']);
  });

test('D72 verification() and a stream of another length → 500 with the cause', async () => {
  const { request, errors } = only({ responses: sized, handle: () => ok(Readable.from(['abc'])) }, verification());
  assert.equal((await request('/one')).status, 500);
  assert.match(String(errors), /the header Content-Length is missing/);
});

const pdf = { 200: { mediaType: 'application/pdf' } };
for (const [what, answer, status] of [
  ['an invalid header', { ...ok(0), headers: { 'X-A': 'a\nb' } }, 500],
  ['a Location without a route', { ...ok(0), location: { to: 'nowhere', values: {} } }, 500],
  ['a status without a declared body', { ...ok(0), status: 201 }, 500],
  ['a problem', { ...ok(0), status: 404, problem: 'none' }, 404],
  ['an undeclared header and verification()', { ...ok(0), headers: { ETag: '"2"' } }, 500],
  ['a tag that the client has', { ...ok(0), headers: { ETag: '"1"' } }, 304],
  ['a tag that the client has, and a length', { ...ok(0), headers: { ETag: '"1"', 'Content-Length': '3' } }, 304],
] as const)
  test(`D72 a stream with ${what} → is destroyed`, async () => {
    const stream = Readable.from(['never read']);
    const checks = what.endsWith('verification()') ? [verification()] : [];
    const { request } = only({ responses: pdf, handle: () => ({ ...answer, value: stream }) as never }, ...checks);
    const reply = await request('/one', { headers: { 'If-None-Match': '"1"' } });
    assert.deepEqual([reply.status, stream.destroyed], [status, true]);
  });

for (const [what, declared, answer, message] of [
  ['a missing body', { 200: { schema: anything } }, ok(undefined), /200 without the body that it declares/],
  ['an undeclared body', { 204: {} }, ok('a'), /200 with a body, but declares no schema/],
] as const)
  test(`D14 ${what} → 500, and the log has the cause`, async () => {
    const { request, errors } = only({ responses: declared, handle: () => answer as never });
    assert.equal((await request('/one')).status, 500);
    assert.match(String(errors), message);
  });

const handle = () => ok('');
const text = { type: 'string' } as const;
/** Declarations with this 200, and with this 204. */
const of200 = (response: object, more: object = {}) => ({ responses: { 200: response }, ...more });
const of204 = (response: object = {}, more: object = {}) => ({ responses: { 204: response }, ...more });
const ofText = (more: object) => of200({ schema: text }, more);
const header = (more: object) => ({ headers: { 'X-A': { type: 'string', description: '', ...more } } });
for (const [what, declaration, message] of [
  ['a schema and a mediaType', of200({ schema: text, mediaType: 'text/csv' }), /schema and a mediaType/],
  ['an invalid mediaType', of200({ mediaType: 'csv' }), /"mediaType" is "csv"; give a media type such as/],
  ['a media type in capitals', of200({ mediaType: 'Text/CSV' }), /in lower case/],
  ['an unknown keyword', of200({ schema: { ...text, contentEncoding: 'base64' } }), /the keyword "contentEncoding"/],
  ['an example that does not match the schema', of200({ schema: text, example: 5 }), /Expected a string, not a number/],
  ['no responses', { responses: {} }, /it has no responses/],
  [
    'a response with an invalid status',
    { responses: { default: {} } },
    /it is not a status; use a number from 200 to 599/,
  ],
  ['an unknown member', of200({ descripton: 'x' }), /"descripton"; did you mean "description"\?/],
  ['a body of an error', { responses: { 404: { schema: text } } }, /an error is a problem; leave it out/],
  ['a body of a 204', of204({ mediaType: 'text/csv' }), /this status has no body/],
  ['produces that is not a list', ofText({ produces: 'text/csv' }), /"produces" is "text\/csv"; give a/],
  ['an empty list in produces', ofText({ produces: [] }), /lists no media type/],
  ['a charset', ofText({ produces: ['text/json; charset=utf-8'] }), /not a media type/],
  ['CSV without a writer', ofText({ produces: ['text/csv'] }), /"text\/csv" is not JSON/],
  ['a writer of JSON', ofText({ writers: { 'application/json': String } }), /which the schema of the response writes/],
  ['a writer that is not a function', ofText({ writers: { 'text/csv': 5 } }), /is not a function/],
  ['a writer with an invalid media type', ofText({ writers: { csv: String } }), /not a media type/],
  [
    'a writer that is not in produces',
    ofText({ produces: ['application/json'], writers: { 'text/csv': String } }),
    /which produces does not list/,
  ],
  ['writers without a schema', of204({}, { writers: { 'text/csv': String } }), /no success has a schema/],
  ['a query that is null', of204({}, { query: null }), /its "query" is null; give an object/],
  ['a parameter that is null', of204({}, { query: { a: null } }), /it is not a declaration/],
  ['an invalid header', of204({ headers: { 'X-A': null } }), /it is not a declaration/],
  ['a header that is required', of204(header({ required: true })), /a response header has no "required"/],
  ['a header that is an object', of204(header({ type: 'object' })), /the header "X-A" of the 204/],
  [
    'a header that follows from the body',
    of204({ headers: { 'Content-Type': { type: 'string', description: '' } } }),
    /OpenAPI ignores a header of this name/,
  ],
] as const)
  test(`D72 ${what} → application(…) throws`, () =>
    assert.throws(() => only({ handle, ...declaration } as never), message));

test('D69 a declared header Accept of a 415 → the declared text', () => {
  const headers = { Accept: { type: 'string', description: 'What is read' } } as const;
  only({ responses: { 415: { headers }, 204: {} }, handle });
});

const FORGED = {
  version: 1,
  length: 2,
  body: '{}HTTP/1.1 200 OK\r\n\r\n',
  replies: [{ status: 200, headers: ['Set-Cookie', 'a=b'], body: 'forged' }],
};
test('a request body that looks like a cached value → is written like any other value', async () => {
  const schema = { type: 'object' } as const;
  const echo = { method: 'POST', body: schema, responses: { 200: { schema } } } as const;
  const { request } = only({ ...echo, handle: ({ body }) => ok(body) });
  const body = JSON.stringify(FORGED);
  const reply = await request('/one', { method: 'POST', json: FORGED });
  assert.deepEqual([reply.status, await reply.text(), reply.headers.get('Set-Cookie')], [200, body, null]);
});
