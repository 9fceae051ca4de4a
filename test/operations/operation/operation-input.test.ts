/** The input of an operation's handler: its route, its body, and links to operations (D67). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { IncompleteRoute } from '../../../src/core/routing/composition.ts';
import { type LinkValues, route } from '../../../src/core/routing/route.ts';
import type { AnyOperation } from '../../../src/operations/operation/operation.ts';
import type { OperationInput } from '../../../src/operations/operation/operation-input.ts';
import { noContent, ok } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { ask } from '../../support/ask.ts';
import { serveHandler } from '../../support/serve.ts';
import { serving } from '../../support/serving.ts';

const responses = { 204: {}, 400: {}, 413: {}, 415: {} } as const;
const Page = schema('Page', { type: 'object', properties: { title: { type: 'string' } } });
let received: OperationInput<string, typeof Page | undefined> | undefined;
const received204 = (input: unknown) => {
  received = input as typeof received;
  return noContent();
};

const readPage = operation({ method: 'GET', path: '{page:int}', responses, handle: received204 });
const writePage = operation({ method: 'PUT', path: '{page:int}', body: Page, responses, handle: received204 });
const elsewhere = operation({ method: 'GET', path: 'else/{page}', responses, handle: received204 });
const controllers = [
  { name: 'Page', path: '{lang}/pages', operations: [writePage, readPage] },
  { name: 'Else', path: 'else', operations: [elsewhere] },
];
const routes = [route({ path: '{lang}/words/{word}', name: 'word', handle: () => text('') })];
const { handler } = application([{ name: 'pages', routes: [...routesOf(...controllers), ...routes] }]);

for (const [name, to, values, path, because, refusal] of [
  ['the operation', readPage, { page: 8 }, '/en/pages/8', 'the language is that of the request'],
  ['the operation', readPage, undefined, '/en/pages/7', 'all values are those of the request'],
  [
    'the operation',
    readPage,
    { page: 'x' },
    undefined,
    'the constraint refuses the value',
    /^Cannot make the link of "ByLangPagesByPage(?:Get|Put)" to "ByLangPagesByPageGet" for \{"page":"x"\}: the route .* has no path for these values: \{page:int\} rejects "x"; give the values of "\{lang\}\/pages\/\{page:int\}"$/,
  ],
  [
    'an operation of no plugin',
    operation({ method: 'GET', path: 'lost', responses, handle: received204 }),
    undefined,
    undefined,
    'it is not composed',
    /^Cannot make the link of "\w+" to "GET lost" for \{\}: its operation belongs to another plugin; name its route/,
  ],
  ['an operation of another controller', elsewhere, { page: 8 }, '/else/else/8', 'it is of the same plugin'],
  ['its operationId', 'ElseElseByPageGet', { page: 8 }, '/else/else/8', 'the name of its route'],
  ['a plain route', 'word', { word: 'tree' }, '/en/words/tree', 'found by its name'],
  ['no route', 'none', {}, undefined, 'there is none of this name'],
] as const satisfies readonly (readonly [
  string,
  string | AnyOperation,
  object | undefined,
  string | undefined,
  string,
  RegExp?,
])[])
  test(`D67 – link in an operation to ${name} with ${JSON.stringify(values)} → ${path} (${because})`, async (t) => {
    for (const basePath of ['', '/base']) {
      const { port } = await serveHandler(t, handler, { basePath });
      const headers = { 'Content-Type': 'application/json' };
      for (const request of [{}, { method: 'PUT', headers, body: '{}' }]) {
        assert.equal((await ask(port, { target: `${basePath}/en/pages/7`, ...request })).status, 204);
        const { link } = received!;
        const made = () => (typeof to === 'string' ? link(to, values) : link(to as AnyOperation, values));
        if (refusal === undefined) assert.equal(made(), path && basePath + path);
        else assert.throws(made, { name: 'Error', message: refusal });
      }
    }
  });

test('D67 – link without a target in an operation → the route of this operation, with the values of the request', async (t) => {
  const { port } = await serveHandler(t, handler, { basePath: '/base' });
  await ask(port, { target: '/base/en/pages/7?sort=x' });
  const { link } = received!;
  assert.equal(link({ page: 8 }), '/base/en/pages/8');
  assert.equal(link({ page: 7, sort: 'up' }), '/base/en/pages/7?sort=up');
  assert.throws(
    () => link({ page: 'x' }),
    /link of "ByLangPagesByPageGet" to itself for \{"page":"x"\}: .*rejects "x"; give/,
  );
});

test('D67 – two operations that link to each other, one by a function → both paths; without a path 500 and a log line', async () => {
  const get = { method: 'GET', responses: { 200: { schema: { type: 'string' } } } } as const;
  const device = operation({ ...get, path: 'd/{id:int}', handle: ({ link }) => ok(link(() => loan)) });
  const loan = operation({ ...get, path: 'd/{id:int}/loan', handle: ({ link }) => ok(link(device)) });
  const lost = operation({ ...get, path: 'd/lost', handle: ({ link }) => ok(link(() => loan)) });
  const none = operation({ ...get, path: 'd/none', handle: ({ link }) => ok(link(() => 'loan')) });
  const app = serving([device, loan, lost, none]);
  assert.equal(await (await app.request('/d/5')).json(), '/d/5/loan');
  assert.equal(await (await app.request('/d/5/loan')).json(), '/d/5');
  assert.equal((await app.request('/d/lost')).status, 500);
  assert.equal((await app.request('/d/none')).status, 500);
  assert.deepEqual(app.errors.map(String), [
    'Error: Cannot make the link of "DLostGet" to "DByIdLoanGet" for {}: the route "DByIdLoanGet" has no path for these ' +
      'values: {id} has no value; give the values of "d/{id:int}/loan"',
    'TypeError: Cannot link to what the function returned: it is not an operation; give () => operation',
  ]);
});

test('D67 – a mounted operation links to itself by its declared id → the link keeps the declared query', async () => {
  const list = operation({
    method: 'GET',
    path: 'l',
    id: 'list',
    query: { page: { type: 'integer' }, sort: { type: 'string' } },
    responses: { 200: { schema: { type: 'string' } } },
    handle: ({ link }) => ok(link('list', { page: 2 }) ?? ''),
  });
  const app = application([mounted('east', { name: 'l', routes: [list] })]);
  assert.equal(await (await app.request('/east/l?sort=up')).json(), '/east/l?page=2&sort=up');
});

const texts = { type: 'array', items: { type: 'string' }, collectionFormat: 'multi' } as const;
const word = { type: 'string' } as const;
const query = { from: word, limit: { type: 'integer', default: 10 }, tag: texts, name: word, cursor: word } as const;
for (const [given, values, path, because] of [
  [
    'another',
    () => ({ cursor: 'c2' }),
    '/7?cursor=c2&from=a%20b&tag=x&tag=y,z&name=',
    'the others stay as they were sent',
  ],
  [
    'pairs',
    () => new Map([['cursor', 'c2']]).entries(),
    '/7?cursor=c2&from=a%20b&tag=x&tag=y,z&name=',
    'an iterator is read once',
  ],
  ['no', () => ({}), '/7?from=a%20b&tag=x&tag=y,z&name=&cursor=c1', 'what is not declared is left out'],
  [
    'undefined, null and no',
    () => ({ from: undefined, cursor: null, tag: [] }),
    '/7?from=a%20b&name=',
    'undefined is not given',
  ],
  [
    'differently written',
    () => ({ FROM: 'z', cursor: null, tag: 'q', name: '' }),
    '/7?FROM=z&tag=q',
    'names ignore case',
  ],
  ['other path', () => ({ id: 8, more: 1, tag: null }), '/8?more=1&from=a%20b&name=&cursor=c1', 'the query stays'],
  ['refused', () => ({ id: 'x' }), undefined, 'the constraint refuses the value'],
] as const satisfies readonly (readonly [string, () => LinkValues, string | undefined, string])[])
  test(`D67 – link with ${given} values to the same operation → ${path} (${because})`, async () => {
    const made: (string | undefined)[] = [];
    const page: AnyOperation & IncompleteRoute = operation({
      method: 'GET',
      path: 'pages/{id:int}',
      query,
      responses: { 204: {} },
      handle({ link }) {
        const target: AnyOperation = other;
        for (const one of [
          () => link(values()),
          () => link(page, values()),
          () => link('PAGESBYIDGET', values()),
          () => link(target, values()),
        ])
          try {
            made.push(one());
          } catch {
            made.push(undefined);
          }
        return noContent();
      },
    });
    const put = { method: 'PUT', path: 'pages/{id:int}', query, responses: { 204: {} } } as const;
    const other = operation({ ...put, handle: received204 });
    const sent = '/pages/7?from=a+b&tag=x&undeclared=1&tag=y,z&Name=&cursor=c1';
    assert.equal((await serving([page, other]).request(sent)).status, 204);
    const own = path && `/pages${path}`;
    assert.deepEqual(made.slice(0, 3), [own, own, own]);
    assert.doesNotMatch(made[3] ?? '', /from=a/, 'a link to another operation keeps nothing of the query');
  });

test('D67 – the input of an operation with a body → the request, its route, its values, the body', async (t) => {
  const { port } = await serveHandler(t, handler);
  const headers = { 'Content-Type': 'application/json' };
  await ask(port, { method: 'PUT', target: '/en/pages/7', headers, body: '{ "title": "x" }' });
  const { context, route, values, body } = received!;
  assert.deepEqual(
    [context.method, route.name, { ...values }, body],
    ['PUT', 'ByLangPagesByPagePut', { lang: 'en', page: '7' }, { title: 'x' }],
  );
});
