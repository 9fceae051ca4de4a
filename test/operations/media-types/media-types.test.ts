/** What an operation answers besides JSON: writers, files and streams, typed headers, examples (D72). */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { RepresentedCollection } from '../../../src/extensions/collection/represented-collection.ts';
import { describeOpenApi } from '../../../src/extensions/description/describe-openapi.ts';
import { describe } from '../../../src/extensions/description/describe-swagger.ts';
import { csv } from '../../../src/operations/media-types/list-formats.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import type { AnyOperation } from '../../../src/operations/operation/operation.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask } from '../../support/ask.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { serveHandler } from '../../support/serve.ts';

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
const wrong = operation({
  method: 'GET',
  path: 'wrong',
  responses: { 200: { mediaType: 'text/plain', headers: { 'X-Pages': { type: 'integer', description: 'Pages' } } } },
  handle: ({ context }) =>
    context.query.has('body') ? ok(5 as never) : { ...ok('text'), headers: { 'X-Pages': 'two' } },
});
const controllers = [{ name: 'Rows', path: 'api', operations: [list, listKept, file, events, wrong] }];
const logged: unknown[] = [];
const composed = application(
  [operations({ naming: 'PascalCase' }), verification(), { name: 'rows', routes: routesOf(...controllers) }],
  { log: (error) => void logged.push(error) },
);
await composed.start();
const { handler } = composed;

const JSON_TEXT = '[{"Id":1,"Name":"a, \\"b\\""},{"Id":2,"Name":null},{"Id":3,"Name":"=1+1"}]';
const ANSWERS: readonly (readonly [what: string, path: string, accept: string, type: string, body: string])[] = [
  ['JSON where nothing else is asked for', 'rows', '*/*', 'application/json', JSON_TEXT],
  ['CSV', 'rows', 'text/csv', 'text/csv; charset=utf-8', CSV],
  ['CSV by quality', 'rows', 'application/json;q=0.5, text/csv', 'text/csv; charset=utf-8', CSV],
  ['bytes', 'rows', 'application/x-count', 'application/x-count', '\u0003'],
  ['a kept list, JSON before the first of produces', 'kept', '*/*', 'application/json', JSON_TEXT],
  ['CSV of a kept list, with the names of the code', 'kept', 'text/csv', 'text/csv; charset=utf-8', CSV],
  ['a file', 'file', 'application/json', 'application/pdf', Buffer.from(BYTES).toString()],
  ['a stream', 'events', 'text/event-stream', 'text/event-stream; charset=utf-8', 'data: 1\n\ndata: 2\n\n'],
];
test('D72 answers besides JSON → by Accept, over HTTP', async (t) => {
  const { port } = await serveHandler(t, handler);
  for (const [what, path, accept, type, body] of ANSWERS) {
    const answer = await ask(port, { target: `/api/${path}`, headers: { Accept: accept } });
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, type, body], what);
    const vary = path === 'rows' || path === 'kept' ? 'Accept' : undefined;
    assert.equal(answer.headers['vary'], vary, what);
  }
});

test('D72 each media type of a kept list → a tag of its own, and its 304', async (t) => {
  const { port } = await serveHandler(t, handler);
  const read = (headers: Readonly<Record<string, string>>) => ask(port, { target: '/api/kept', headers });
  const [json, text] = [await read({}), await read({ Accept: 'text/csv' })];
  assert.notEqual(json.headers['etag'], text.headers['etag']);
  const again = await read({ Accept: 'text/csv', 'If-None-Match': text.headers['etag']! });
  assert.deepEqual([again.status, again.text], [304, '']);
  assert.equal((await read({ Accept: 'text/csv', 'If-None-Match': json.headers['etag']! })).status, 200);
});

test('D72 a file with a tag → 304 for who has it, typed headers', async (t) => {
  const { port } = await serveHandler(t, handler);
  const { headers } = await ask(port, { target: '/api/file' });
  assert.deepEqual([headers['x-pages'], headers['x-parts'], headers['content-length']], ['2', '0, 9', '3']);
  const again = await ask(port, { target: '/api/file', headers: { 'If-None-Match': '"1"' } });
  assert.deepEqual([again.status, again.headers['etag']], [304, '"1"']);
});

test('D72 304 in place of a stream → the stream is destroyed', async (t) => {
  const stream = Readable.from(['never read']);
  const { handler: answering } = only({
    responses: { 200: { mediaType: 'text/plain', headers: tag } },
    handle: () => ({ ...ok(stream), headers: { ETag: '"1"' } }),
  });
  const { port } = await serveHandler(t, answering);
  const { status } = await ask(port, { target: '/one', headers: { 'If-None-Match': '"1"' } });
  assert.deepEqual([status, stream.destroyed], [304, true]);
});

for (const [query, fault] of [
  ['', /the header X-Pages is wrong: Expected an integer, not "two"/],
  ['?body', /The operation|The route/],
] as const)
  test(`D72 a wrong reply${query} → 500, and the log says why`, async (t) => {
    const { port } = await serveHandler(t, handler);
    const { status } = await ask(port, { target: `/api/wrong${query}` });
    assert.equal(status, 500);
    assert.match(String(logged.pop()), fault);
  });

const routes = composedRoutes(routesOf(...controllers), { naming: 'PascalCase' });
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

test('D72 JSON that is not described → any value in both formats, with the value of its example', () => {
  const example = '{"type":"Point"}';
  const declared: readonly AnyOperation[] = [
    operation({
      method: 'GET',
      path: 'place',
      responses: { 200: { mediaType: 'application/geo+json', example } },
      handle: () => ok(example),
    }),
    operation({
      method: 'GET',
      path: 'places',
      responses: { 200: { schema: { type: 'string' }, example: 'Point' } },
      writers: { 'application/geo+json': (type) => JSON.stringify({ type }) },
      handle: () => ok('Point'),
    }),
  ];
  const places = composedRoutes(routesOf({ name: 'Places', path: '', operations: declared }), { naming: 'PascalCase' });
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

/** An application with one operation at `/one`, and what it has logged. */
function only(
  declared: Pick<AnyOperation, 'responses' | 'handle'> & Partial<AnyOperation>,
  checks = false,
  naming: 'camelCase' | 'PascalCase' = 'camelCase',
) {
  const errors: unknown[] = [];
  const one = { method: 'GET', path: '', ...declared } as AnyOperation;
  const controllers = [{ name: 'One', path: 'one', operations: [one] }];
  const log = (error: unknown) => void errors.push(error);
  const made = application(
    [operations({ naming }), ...(checks ? [verification()] : []), { name: 'one', routes: routesOf(...controllers) }],
    { log },
  );
  return { handler: made.handler, errors };
}

const WIDE = {
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: { type: 'string' },
} as const;
for (const [what, items] of [
  ['a further member', WIDE],
  ['a member of one choice', { oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, WIDE] }],
  ['a member of what is not described', { type: 'object' }],
  ['a member of a part', { allOf: [{ type: 'object', properties: { b: { type: 'string' } } }] }],
] as const)
  test(`D72 a column of ${what} → is written`, async () => {
    const writers = { 'text/csv': csv(['b']) };
    const responses = { 200: { schema: { type: 'array', items } } } as const;
    const { handler: answering } = only({ responses, writers, handle: () => ok([{ b: 'x' }]) } as never);
    assert.equal((await answerOf(answering, { path: '/one', headers: { Accept: 'text/csv' } })).body, 'b\r\nx\r\n');
  });

test('D72 a kept list that two operations answer → as each of them declares', async (t) => {
  const get = (path: string, more: object): AnyOperation =>
    ({
      method: 'GET',
      path,
      responses: { 200: { schema: { type: 'array', items: Row } } },
      handle: () => ok(own.list()),
      ...more,
    }) as AnyOperation;
  const own = new RepresentedCollection(Row, 'PascalCase');
  own.add('1', rows[1]!);
  const onlyCsv = { produces: ['text/csv'], writers: { 'text/csv': csv(['id']) } };
  const all = [get('json', {}), get('csv', onlyCsv), get('both', { writers: { 'text/csv': csv(['id']) } })];
  const { handler: answering } = application([
    operations({ naming: 'PascalCase' }),
    { name: 'one', routes: routesOf({ name: 'One', path: 'one', operations: all }) },
  ]);
  const { port } = await serveHandler(t, answering);
  for (const _ of [1, 2]) {
    assert.equal((await ask(port, { target: '/one/csv' })).text, 'id\r\n2\r\n');
    assert.equal((await ask(port, { target: '/one/json' })).text, '[{"Id":2,"Name":null}]');
    assert.equal((await ask(port, { target: '/one/both' })).headers['vary'], 'Accept');
  }
});

const PAIR = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', maxLength: 1 } } } as const;
for (const [what, items, value] of [
  ['of a choice', { oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, PAIR] }, { a: '1', b: '2' }],
  ['with a member that is too long', PAIR, { a: '1', b: 'long' }],
  ['of a choice, with a member that is too long', { oneOf: [{ type: 'string' }, PAIR] }, { a: '1', b: 'long' }],
  ['with a further member', WIDE, { a: '1', bC: '2' }],
] as const)
  for (const naming of ['camelCase', 'PascalCase'] as const)
    test(`D72 a kept value ${what}, ${naming} → a writer gets it as it is`, async (t) => {
      const store = new RepresentedCollection({ type: 'object', properties: { value: items as Schema } }, naming);
      store.add('1', { value } as never);
      const got: unknown[] = [];
      const kept = { type: 'array', items: { type: 'object', properties: { value: items as Schema } } } as const;
      const { handler: answering } = only(
        {
          responses: { 200: { schema: kept } },
          writers: { 'text/csv': (all) => String(got.push(...(all as unknown[]))) },
          handle: () => ok(store.list()),
        },
        false,
        naming,
      );
      const { port } = await serveHandler(t, answering);
      assert.equal((await ask(port, { target: '/one', headers: { Accept: 'text/csv' } })).status, 200);
      assert.deepEqual(got, [{ value }]);
    });

test('D38 a 304 in place of a stream with a length → is as described', async (t) => {
  const { handler: answering } = only(
    {
      responses: { 200: { mediaType: 'application/pdf', headers: tag }, 304: { headers: tag } },
      handle: () => ({ ...ok(Readable.from(['abc'])), headers: { ETag: '"1"', 'Content-Length': '3' } }),
    },
    true,
  );
  const { port } = await serveHandler(t, answering);
  assert.equal((await ask(port, { target: '/one', headers: { 'If-None-Match': '"1"' } })).status, 304);
});

const anything = { type: 'array' } as const;
for (const [what, returned] of [
  ['a number', 5],
  ['a promise', Promise.resolve('a')],
  ['nothing', undefined],
  ['a list of words of two bytes', Uint16Array.of(1)],
] as const)
  test(`D72 a writer that returns ${what} → 500, and the log names it`, async (t) => {
    const writers = { 'text/csv': () => returned as never };
    const { handler: answering, errors } = only({
      responses: { 200: { schema: anything } },
      writers,
      handle: () => ok([]),
    });
    const { port } = await serveHandler(t, answering);
    const { status } = await ask(port, { target: '/one', headers: { Accept: 'text/csv' } });
    assert.equal(status, 500);
    assert.match(
      String(errors),
      /writer of "text\/csv" of the operation "OneGet" returned .*; return a text, bytes or a source of them/,
    );
  });

test('D8 a tag that a handler gives → another one for each media type', async (t) => {
  const { handler: answering } = only({
    responses: { 200: { schema: anything, headers: tag }, 304: { headers: tag } },
    writers: { 'text/csv': () => 'a' },
    handle: () => ({ ...ok([]), headers: { etag: '"1"' } }),
  });
  const { port } = await serveHandler(t, answering);
  const read = (headers: Readonly<Record<string, string>>) => ask(port, { target: '/one', headers });
  assert.equal((await read({})).headers['etag'], '"1"');
  assert.equal((await read({ Accept: 'text/csv' })).headers['etag'], '"1-1"');
  assert.equal((await read({ Accept: 'text/csv', 'If-None-Match': '"1"' })).status, 200);
  assert.equal((await read({ Accept: 'text/csv', 'If-None-Match': '"1-1"' })).status, 304);
});

test('D72 a stream whose length is known → is sent with it', async (t) => {
  const { handler: answering } = only({
    responses: { 200: { mediaType: 'application/pdf' } },
    handle: () => ({ ...ok(Readable.from(['abc'])), headers: { 'Content-Length': '3' } }),
  });
  const { port } = await serveHandler(t, answering);
  const answer = await ask(port, { target: '/one' });
  assert.deepEqual([answer.text, answer.headers['content-length']], ['abc', '3']);
});

const length = { type: 'integer', description: 'How many bytes it has', always: true } as const;
for (const [what, body] of [
  ['bytes', BYTES],
  ['a text', 'abc'],
] as const)
  test(`D72 a declared length of ${what}, where replies are checked → the server adds it`, async (t) => {
    const responses = { 200: { mediaType: 'application/pdf', headers: { 'Content-Length': length } } };
    const { handler: answering } = only({ responses, handle: () => ok(body) }, true);
    const { port } = await serveHandler(t, answering);
    const { status, headers } = await ask(port, { target: '/one' });
    assert.deepEqual([status, headers['content-length']], [200, '3']);
  });

test('D72 a declared length that a stream does not have, where replies are checked → 500 with the cause', async (t) => {
  const responses = { 200: { mediaType: 'application/pdf', headers: { 'Content-Length': length } } };
  const { handler: answering, errors } = only({ responses, handle: () => ok(Readable.from(['abc'])) }, true);
  const { port } = await serveHandler(t, answering);
  assert.equal((await ask(port, { target: '/one' })).status, 500);
  assert.match(String(errors), /the header Content-Length is missing/);
});

const pdf = { responses: { 200: { mediaType: 'application/pdf' } } } as const;
for (const [what, answer, status] of [
  ['a header that is none', { ...ok(0), headers: { 'X-A': 'a\nb' } }, 500],
  ['a Location that leads nowhere', { ...ok(0), location: { to: 'nowhere', values: {} } }, 500],
  ['a status that has no body', { ...ok(0), status: 201 }, 500],
  ['a problem', { ...ok(0), status: 404, problem: 'none' }, 404],
  ['a header that is not declared, where replies are checked', { ...ok(0), headers: { ETag: '"1"' } }, 500],
] as const)
  test(`D72 a stream with ${what} → is destroyed`, async (t) => {
    const stream = Readable.from(['never read']);
    const { handler: answering } = only(
      { ...pdf, handle: () => ({ ...answer, value: stream }) as never },
      what.endsWith('checked'),
    );
    const { port } = await serveHandler(t, answering);
    assert.deepEqual([(await ask(port, { target: '/one' })).status, stream.destroyed], [status, true]);
  });

for (const [what, declared, answer, message] of [
  [
    'a declared body that is left out',
    { 200: { schema: anything } },
    ok(undefined),
    /200 without the body that it declares/,
  ],
  ['a body that is not declared', { 204: {} }, ok('a'), /200 with a body, for which it declares no schema/],
] as const)
  test(`D14 ${what} → 500, and the log says why`, async (t) => {
    const { handler: answering, errors } = only({ responses: declared, handle: () => answer as never });
    const { port } = await serveHandler(t, answering);
    assert.equal((await ask(port, { target: '/one' })).status, 500);
    assert.match(String(errors), message);
  });

const handle = () => ok('');
const text = { type: 'string' } as const;
for (const [what, declaration, message] of [
  [
    'a schema and a mediaType',
    { responses: { 200: { schema: text, mediaType: 'text/csv' } } },
    /schema and a mediaType/,
  ],
  ['a mediaType that is none', { responses: { 200: { mediaType: 'csv' } } }, /"mediaType" is "csv"; give one such as/],
  ['an example that the schema refuses', { responses: { 200: { schema: text, example: 5 } } }, /is not a string/],
  ['no responses', { responses: {} }, /it has no responses/],
  ['a response that is no status', { responses: { default: {} } }, /it is no status; give a number from 200 to 599/],
  ['an unknown member', { responses: { 200: { descripton: 'x' } } }, /"descripton"; did you mean "description"\?/],
  ['a body of an error', { responses: { 404: { schema: text } } }, /an error is a problem; leave it out/],
  ['a body of a 204', { responses: { 204: { mediaType: 'text/csv' } } }, /this status has no body/],
  [
    'a media type that a response gives',
    { responses: { 200: { mediaType: 'a/b' } }, produces: ['a/b'] },
    /leave produces out/,
  ],
  [
    'produces that is no list',
    { responses: { 200: { schema: text } }, produces: 'text/csv' },
    /"produces" is "text\/csv"; give a/,
  ],
  ['a charset', { responses: { 200: { schema: text } }, produces: ['text/json; charset=utf-8'] }, /no media type/],
  [
    'a writer of JSON',
    { responses: { 200: { schema: text } }, writers: { 'application/json': String } },
    /which the schema of the response writes/,
  ],
  ['a query that is none', { responses: { 204: {} }, query: null }, /its "query" is null; give an object/],
  ['a parameter that is none', { responses: { 204: {} }, query: { a: null } }, /it is no declaration/],
  ['a header that is none', { responses: { 204: { headers: { 'X-A': null } } } }, /it is no declaration/],
  ['produces that lists nothing', { responses: { 200: { schema: text } }, produces: [] }, /lists no media type/],
  ['writers of nothing', { responses: { 204: {} }, writers: { 'text/csv': String } }, /no success has a schema/],
  ['a media type in capitals', { responses: { 200: { mediaType: 'Text/CSV' } } }, /in lower case/],
  [
    'a header that is required',
    { responses: { 204: { headers: { 'X-A': { type: 'string', description: '', required: true } } } } },
    /a response header has no "required"/,
  ],
  [
    'a header that the body decides',
    { responses: { 204: { headers: { 'Content-Type': { type: 'string', description: '' } } } } },
    /OpenAPI ignores a header of this name/,
  ],
  [
    'an example that is no JSON',
    { responses: { 200: { mediaType: 'application/geo+json', example: '{' } } },
    /is not JSON; give a text of JSON/,
  ],
  ['an example of nothing', { responses: { 204: { example: 'a' } } }, /an example, but no schema/],
  ['CSV without a writer', { responses: { 200: { schema: text } }, produces: ['text/csv'] }, /"text\/csv" is not JSON/],
  [
    'a writer that produces does not list',
    { responses: { 200: { schema: text } }, produces: ['application/json'], writers: { 'text/csv': String } },
    /which produces does not list/,
  ],
  ['a writer that is none', { responses: { 200: { schema: text } }, writers: { 'text/csv': 5 } }, /is no function/],
  ['a writer of no media type', { responses: { 200: { schema: text } }, writers: { csv: String } }, /no media type/],
  [
    'a header that is an object',
    { responses: { 200: { schema: text, headers: { 'X-A': { type: 'object', description: '' } } } } },
    /the header "X-A" of the 200/,
  ],
  ...(
    [
      ['a column that no row has', { type: 'object', properties: { id: text, title: text } }, 'titel', 'title'],
      ['a column in other capitals', { type: 'object', properties: { id: text } }, 'Id', 'id'],
      [
        'a column that is not sent',
        { type: 'object', properties: { key: { type: 'string', writeOnly: true } } },
        'key',
      ],
      ['a column of no part', { allOf: [{ type: 'object', properties: { id: text } }] }, 'ide', 'id'],
      ['a column of no choice', { oneOf: [{ type: 'object', properties: { id: text } }] }, 'name'],
      ['a column that every object has', { type: 'object', properties: { id: text } }, 'constructor'],
    ] as const
  ).map(
    ([what, items, column, meant = '']) =>
      [
        what,
        {
          responses: { 200: { schema: { type: 'array', items } } },
          writers: { 'text/csv': csv([column]) },
        },
        new RegExp(`has the column "${column}", which no row of its 200 has.*${meant}.*; give a property of its items`),
      ] as const,
  ),
] as const)
  test(`D72 ${what} → is refused when it is composed`, () => {
    const declared = { method: 'GET', path: '', handle, ...declaration } as never;
    assert.throws(() => composedRoutes(routesOf({ name: 'One', path: 'one', operations: [declared] })), message);
  });

test('D69 a declared header Accept of a 415 → its own text', () => {
  const headers = { Accept: { type: 'string', description: 'What is read' } } as const;
  const declared = { method: 'GET', path: '', responses: { 415: { headers }, 204: {} }, handle } as never;
  composedRoutes(routesOf({ name: 'One', path: 'one', operations: [declared] }));
});

const FORGED = {
  version: 1,
  length: 2,
  body: '{}HTTP/1.1 200 OK\r\n\r\n',
  replies: [{ status: 200, headers: ['Set-Cookie', 'a=b'], body: 'forged' }],
};
test('a body of a client that looks like a kept value → is written as any other', async (t) => {
  const object = { type: 'object' } as const;
  const responses = { 200: { schema: object } };
  const echoing = only({ method: 'POST', body: object, responses, handle: ({ body }) => ok(body) });
  const { port } = await serveHandler(t, echoing.handler);
  for (const body of [FORGED, { ...FORGED, replies: null }, { ...FORGED, replies: '' }, { ...FORGED, replies: {} }]) {
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(port, { method: 'POST', target: '/one', headers, body: text });
    assert.deepEqual([answer.status, answer.text, answer.headers['set-cookie']], [200, text, undefined]);
  }
});
