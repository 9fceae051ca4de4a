import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { controller, operationOf } from '../../../src/operations/operation/controller.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { responsesOf } from '../../../src/operations/routes/responses-of.ts';
import { apiKeys, authentication } from '../../../src/shelf/authentication/authentication.ts';
import { contextFor } from '../../../src/testing.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';
import { ask as askOver } from '../../support/ask.ts';
import { composedRoutes } from '../../support/composed-routes.ts';
import { read } from '../../support/plain-routes.ts';
import { serveHandler } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';
import { textsOf } from '../../support/texts-of.ts';

const find = operation({
  method: 'GET',
  path: 'api/lists/{list:int}/{id}',
  parameters: { list: 'The list', id: { type: 'string', format: 'uuid' } },
  query: {
    page: { type: 'integer', minimum: 1, default: 1 },
    q: { type: 'string', maxLength: 5 },
    tag: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 2 },
    ids: { type: 'array', items: { type: 'integer' }, collectionFormat: 'csv' },
    spaced: { type: 'array', collectionFormat: 'ssv' },
    piped: { type: 'array', collectionFormat: 'pipes' },
    since: { type: 'string', format: 'date' },
    done: { type: 'boolean' },
    ratio: { type: 'number' },
    sort: { type: 'string', enum: ['name', 'age'], default: 'name' },
  },
  headers: { 'X-Tenant': { type: 'string', required: true }, 'X-Parts': { type: 'array', items: { type: 'integer' } } },
  responses: { 200: { schema: { type: 'object' } } },
  handle: ({ parameters, query, headers, values }) =>
    ok({ parameters, query, headers, values } as Record<string, unknown>),
});
const { handler, request } = serving([find]);
const ID = '2f1e0a3c-9b7d-4c5e-8f6a-0123456789ab';

async function ask(
  query: string,
  headers: Readonly<Record<string, string>> = { 'X-Tenant': 't' },
  id = ID,
  list = '7',
) {
  const reply = await request(`/api/lists/${list}/${id}${query}`, { headers });
  const body = (await reply.json()) as Readonly<Record<string, unknown>>;
  return { status: reply.status, body, errors: textsOf(body['errors']) };
}

/** Names that every object inherits. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
// Node drops a header with the name `__proto__`.
for (const name of INHERITED)
  for (const place of ['query', 'headers'] as const)
    for (const sent of name === '__proto__' && place === 'headers' ? [undefined] : [undefined, 'a'])
      test(`D70 – a parameter "${name}" in ${place}, ${sent === undefined ? 'absent' : 'sent'} → the handler gets what was sent`, async () => {
        const declared = Object.fromEntries([[name, { type: 'string' }]]);
        const { request } = serving([
          operation({
            method: 'GET',
            path: 'x',
            [place]: declared,
            responses: { 200: { schema: { type: 'array' } } },
            handle: (input: Record<string, object>) => ok(Object.entries(input[place]!)),
          } as never),
        ]);
        const query = place === 'query' && sent !== undefined ? `?${name}=${sent}` : '';
        const headers = place === 'headers' && sent !== undefined ? [[name, sent]] : [];
        const reply = await request(`/x${query}`, { headers: headers as [string, string][] });
        assert.deepEqual([reply.status, await reply.json()], [200, sent === undefined ? [] : [[name, sent]]]);
      });

const DEFAULTS = { page: 1, sort: 'name' };
for (const [clause, query, values] of [
  ['defaults', '', {}],
  ['an integer', '?page=12', { page: 12 }],
  ['names ignore case, others are ignored', '?PAGE=2&x=1', { page: 2 }],
  ['an empty text is a value', '?q=', { q: '' }],
  ['an empty integer is absent (D128)', '?page=', {}],
  ['form decoding', '?q=a%20b+c', { q: 'a b c' }],
  ['multi', '?tag=ab&tag=c,d', { tag: ['ab', 'c,d'] }],
  ['csv', '?ids=1,2,-3', { ids: [1, 2, -3] }],
  ['csv with escaped separators', '?ids=1%2C2%2C-3', { ids: [1, 2, -3] }],
  ['ssv', '?spaced=a%20b+c', { spaced: ['a', 'b', 'c'] }],
  ['pipes, escaped or not', '?piped=a|b%7Cc,d', { piped: ['a', 'b', 'c,d'] }],
  ['csv that is repeated', '?ids=1,2&ids=3', { ids: [1, 2, 3] }],
  ['csv without a value', '?ids=', { ids: [] }],
  ['a date', '?since=2024-02-29', { since: '2024-02-29' }],
  ['booleans', '?done=True', { done: true }],
  ['numbers', '?ratio=-1.5e3', { ratio: -1500 }],
  ['numbers', '?ratio=6.02e23', { ratio: 6.02e23 }],
  ['an enum', '?sort=age', { sort: 'age' }],
] as const)
  test(`D70 ${clause} – ${query} → the typed values`, async () => {
    const reply = await ask(query);
    assert.deepEqual([reply.status, reply.body['query']], [200, { ...DEFAULTS, ...values }]);
  });

for (const [clause, query, ...faults] of [
  ['not an integer', '?page=x', ['page', 'Expected an integer, not "x"']],
  ['a hexadecimal integer', '?page=0x10', ['page', 'Expected an integer, not "0x10"']],
  ['an integer beyond 2^53', '?page=9007199254740993', ['page', 'Expected an integer, not "9007199254740993"']],
  ['a limit', '?page=0', ['page', 'Expected at least 1']],
  ['sent twice', '?page=1&Page=2', ['page', 'Expected one value, not 2']],
  ['a length', '?q=abcdef', ['q', 'Expected 5 or fewer characters, not 6']],
  ['an item', '?tag=ab&tag=c', ['tag', 'Value 2: Expected 2 or more characters, not 1']],
  ['too many items', '?tag=ab&tag=cd&tag=ef', ['tag', 'Expected 2 or fewer items, not 3']],
  ['an item of a wrong type', '?ids=1,x', ['ids', 'Value 2: Expected an integer, not "x"']],
  [
    'every wrong item',
    '?ids=x,1,y',
    ['ids', 'Value 1: Expected an integer, not "x"'],
    ['ids', 'Value 3: Expected an integer, not "y"'],
  ],
  ['not a date', '?since=2023-02-29', ['since', 'Expected the format date']],
  ['not a boolean', '?done=1', ['done', 'Expected a boolean, not "1"']],
  ['a number beyond the range of a double', '?ratio=1e999', ['ratio', 'Expected a number, not "1e999"']],
  ['not in the enum', '?sort=size', ['sort', 'Expected one of "name", "age"']],
  [
    'every error',
    '?page=x&sort=size',
    ['page', 'Expected an integer, not "x"'],
    ['sort', 'Expected one of "name", "age"'],
  ],
] as const)
  test(`D70 ${clause} – ${query} → 400 with the name of each parameter`, async () => {
    const { status, errors } = await ask(query);
    const expected = faults.map(([parameter, detail]) => ({ parameter, in: 'query', detail }));
    assert.deepEqual([status, errors], [400, expected]);
  });

test('D70 headers → typed values by their declared names', async () => {
  const { body } = await ask('', { 'x-tenant': 'a', 'X-PARTS': '1, 2' });
  assert.deepEqual(body['headers'], { 'X-Tenant': 'a', 'X-Parts': [1, 2] });
});

test('D70 a missing required header → 400 with its name', async () => {
  const { status, errors } = await ask('', {});
  const detail = 'This parameter is required';
  assert.deepEqual([status, errors], [400, [{ parameter: 'X-Tenant', in: 'header', detail }]]);
});

test('§4.3 rule 7, D70 the path → texts in values, types in parameters', async () => {
  const { body } = await ask('');
  assert.deepEqual(
    [body['values'], body['parameters']],
    [
      { list: '7', id: ID },
      { list: 7, id: ID },
    ],
  );
});

test('§4.3 rule 8, D70 a value that violates a constraint → 404, a value that violates only the declaration → 400', async () => {
  assert.equal((await ask('', undefined, ID, 'x')).status, 404);
  const { status, errors } = await ask('', undefined, 'x');
  assert.deepEqual([status, errors], [400, [{ parameter: 'id', in: 'path', detail: 'Expected the format uuid' }]]);
});

test('D70 a query without declared parameters → not parsed', () => {
  const composed = serving([read('plain')]);
  const context = contextFor('/plain?a=1');
  Object.defineProperty(context, 'query', { get: () => assert.fail('the query was parsed') });
  assert.equal((composed.handler(context) as { status: number }).status, 204);
});

const text = { type: 'string' } as const;
/** Declares the query parameter `a`, a list of these items. */
const listOf = (items: object) => ({ query: { a: { type: 'array', items } } });
for (const [clause, declared, message] of [
  [
    'a keyword of another type',
    { query: { a: { ...text, minimum: 1 } } },
    /query parameter "a" of the operation "AGet".*"minimum", which string/,
  ],
  ['an object', { query: { a: { type: 'object' } } }, /neither a scalar nor a list of scalars/],
  ['a list of lists', listOf({ type: 'array' }), /neither a scalar/],
  ['multi in a header', { headers: { a: { type: 'array', collectionFormat: 'multi' } } }, /"multi"; use one of csv/],
  [
    'a list in the path without commas',
    { path: 'a/{b}', parameters: { b: { type: 'array', collectionFormat: 'pipes' } } },
    /"pipes"; use one of csv/,
  ],
  [
    'a misspelt format of a list',
    { query: { a: { type: 'array', items: text, collectionFormat: 'pipe' } } },
    /"pipe"; did you mean "pipes"\? Use one of multi, csv, ssv, pipes/,
  ],
  ['a format without a list', { query: { a: { ...text, collectionFormat: 'csv' } } }, /only a list can have it/],
  ['readOnly', { query: { a: { ...text, readOnly: true } } }, /"readOnly", which a parameter does not have/],
  ['null', { query: { a: { ...text, 'x-nullable': true } } }, /"x-nullable", which a parameter/],
  ['items that are readOnly', listOf({ ...text, readOnly: true }), /its items/],
  ['items with a default', listOf({ ...text, default: '' }), /items have a def/],
  ['an invalid flag', { query: { a: { ...text, required: 'yes' } } }, /"required" is "yes"; give true or false/],
  ['an invalid header name', { headers: { 'a b': text } }, /its name is not a header name/],
  ['no name', { query: { '': text } }, /it has no name/],
  ['credentials', { headers: { Authorization: text } }, /OpenAPI ignores .* declare it as security/],
  [
    'a type that the route excludes',
    { path: 'a/{id:int}', parameters: { id: { type: 'boolean' } } },
    /it is of type boolean, but the route has only values of type integer/,
  ],
  ['a name that is not in the path', { parameters: { b: 'B' } }, /"b" of the operation "AGet": its path has none/],
  [
    'an unknown member',
    { querry: {} },
    /it has the unknown member "querry"; did you mean "query"\? Use one of method, id, .*, handlerTimeout$/,
  ],
  ['an unknown method', { method: 'HEAD' }, /its "method" is "HEAD"; give one of GET/],
  ['no handler', { handle: undefined }, /it has no "handle"/],
  ['a "public" that is not a boolean', { public: 'no' }, /its "public" is "no"; give true or false/],
  [
    'both "public" and security',
    { public: true, security: [] },
    /it is public and has security; leave one of them out/,
  ],
  [
    'a GET with a body',
    { body: { type: 'object' } },
    /Cannot declare the operation "\w+": it is a GET with a body, which no browser can send; use parameters of the/,
  ],
] as const)
  test(`D70 ${clause} → application(…) throws`, () => {
    assert.throws(() => serving([read('a', declared)]), message);
  });

/** The template, the declared parameters, the value, and the status of a reply with this value. */
for (const [constraint, parameters, sent, status] of [
  ['double', {}, '1.5', 200],
  ['double', {}, 'NaN', 500],
  ['float', {}, '-Infinity', 500],
  ['double', { x: { type: 'number' } }, '1.5', 200],
  ['double', { x: { type: 'number' } }, 'NaN', 400],
  ['double', { x: { type: 'number' } }, '-Infinity', 400],
  ['float', { x: { type: 'number' } }, 'NaN', 400],
  ['float', { x: { type: 'number' } }, 'Infinity', 400],
  ['float', { x: { type: 'integer' } }, 'Infinity', 400],
] as const)
  test(`D70 {x:${constraint}} as ${JSON.stringify(parameters)}, ${sent} → ${status}`, async () => {
    const answer = read(`{x:${constraint}}`, {
      parameters,
      responses: { 200: { schema: { type: 'number' } } },
      handle: (input: { readonly parameters: { readonly x: number } }) => ok(input.parameters.x),
    });
    assert.equal((await serving([answer]).request(`/${sent}`)).status, status);
  });

for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
  test(`D129 ${method} with a body → composes`, () => {
    serving([read('a', { method, body: { type: 'object' } } as object)]);
  });

test('D70 path parameters of a controller → the handler gets typed values', async () => {
  const lists = controller({
    name: 'Lists',
    path: 'lists/{list:int}',
    operations: (operation) => [
      operation({
        method: 'GET',
        path: '{id}',
        parameters: { list: { type: 'integer', maximum: 9 } },
        responses: { 200: { schema: { type: 'object' } } },
        handle: ({ parameters: { list, id } }) => ok({ list, id }),
      }),
    ],
  });
  const { request } = serving(routesOf(lists));
  assert.equal(await (await request('/lists/7/a')).text(), '{"list":7,"id":"a"}');
  assert.equal((await request('/lists/10/a')).status, 400);
});

test('D70 a header in two lines → two values', async (t) => {
  const { port } = await serveHandler(t, handler);
  const target = `/api/lists/7/${ID}`;
  const twice = await askOver(port, { target, headers: { 'X-Tenant': ['a', 'b'] } });
  assert.deepEqual(
    [twice.status, textsOf(twice.json().errors)],
    [400, [{ parameter: 'X-Tenant', in: 'header', detail: 'Expected one value, not 2' }]],
  );
  const list = await askOver(port, { target, headers: { 'X-Tenant': 'a', 'X-Parts': ['1, 2', '3'] } });
  assert.deepEqual(list.json().headers, { 'X-Tenant': 'a', 'X-Parts': [1, 2, 3] });
});

test('D70 a header in two lines that a stage replaces by one text → one value', async (t) => {
  const first: Stage = (context, next) =>
    next(contextWith(context, { headers: { ...context.headers, 'x-tenant': 'a' } }));
  const { port } = await serveHandler(t, pipeline([first], handler));
  const twice = await askOver(port, { target: `/api/lists/7/${ID}`, headers: { 'X-Tenant': ['a', 'b'] } });
  assert.deepEqual(twice.json().headers, { 'X-Tenant': 'a' });
});

test('D70 a name with the characters "~" and "/" → appears unchanged in the problem', async () => {
  const query = { 'a~b/c': { type: 'integer', minimum: 1 } } as const;
  const { request } = serving([read('odd', { query })]);
  const { errors } = (await (await request('/odd?a~b/c=0')).json()) as { errors: readonly { parameter: string }[] };
  assert.equal(errors[0]!.parameter, 'a~b/c');
});

test('D70 a long query with many declared parameters → the time grows linearly with its length', () => {
  const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
  const query = Object.fromEntries(names.map((name) => [name, { type: 'array', items: { type: 'integer' } } as const]));
  const { handler: answer } = serving([read('many', { query })]);
  assertAboutLinear('parameters', (times) => {
    const target = `/many?${'p1=5&'.repeat(1000 * times)}`;
    return () => assert.equal((answer(contextFor(target)) as { status: number }).status, 204);
  });
});

const strict = (declared: object) => read('strict', { query: { page: { type: 'integer' } }, ...declared });
const violation = (parameter: string, hint = '') => ({
  parameter,
  in: 'query',
  detail: `This parameter is not declared${hint}`,
});
const many = Array.from({ length: 12 }, (_, at) => `x${at}`);
const ten = many.slice(0, 10).map((name) => violation(name));
const on = { strictQuery: true };
const undeclared = { strictQuery: true, query: undefined };

for (const [clause, declared, option, query, errors] of [
  ['of the operation: another name', on, undefined, '?pgae=2', [violation('pgae', ' (did you mean page?)')]],
  [
    'of the application, with another violation',
    {},
    true,
    '?q=1&q=2&page=x',
    [{ ...violation('page'), detail: 'Expected an integer, not "x"' }, violation('q')],
  ],
  ['of the application, disabled by the operation', { strictQuery: false }, true, '?q=1', undefined],
  ['undefined means omitted', { strictQuery: undefined }, undefined, '?q=1', undefined],
  ['names ignore case', on, undefined, '?PAGE=2', undefined],
  ['without declared parameters: every name', undeclared, undefined, '?page=2', [violation('page')]],
  ['without a query', undeclared, undefined, '', undefined],
  ['of many names, the first ten', on, undefined, `?${many.join('&')}`, ten],
  ['a long name is cut', on, undefined, `?${'y'.repeat(500)}`, [violation('y'.repeat(100))]],
] as const)
  test(`D102 a strict query ${clause}: ${query.slice(0, 20)} → ${errors === undefined ? 'taken' : 400}`, async () => {
    const reply = await serving([strict(declared)], operations({ strictQuery: option })).request(`/strict${query}`);
    assert.equal(reply.status, errors === undefined ? 204 : 400);
    if (errors !== undefined) assert.deepEqual(textsOf(((await reply.json()) as { errors: unknown }).errors), errors);
  });

test('D102 a strict query → its 400 is declared; a strictQuery that is not a boolean throws', () => {
  const [route] = composedRoutes([strict({ strictQuery: true, query: undefined })]);
  assert.deepEqual(Object.keys(responsesOf(operationOf(route!)!)), ['204', '400']);
  assert.throws(
    () => composedRoutes([strict({ strictQuery: 'yes' })]),
    /Cannot declare the operation, "GET strict": its "strictQuery" is "yes"; give true or false/,
  );
});

test('D102 a strict query of an operation with API keys in the query → the parameter of the keys is declared', async () => {
  const keys = apiKeys({ k1: { identity: 'Ann' } }, { in: 'query', parameter: 'key' });
  const { request } = application([
    authentication(keys),
    { name: 'p', routes: [strict({ strictQuery: true, security: [{ all: [keys] }] })] },
  ]);
  for (const [query, status] of [
    ['?key=k1&page=1', 204],
    ['?key=k1&pgae=1', 400],
    ['?page=1', 401],
  ] as const)
    assert.equal((await request(`/strict${query}`)).status, status, query);
});
