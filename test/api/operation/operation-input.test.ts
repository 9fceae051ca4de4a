/** The input of an operation's handler: its route, its body, and links to operations (D67). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContent } from '../../../src/api/operation/answers.ts';
import { type AnyOperation, operation } from '../../../src/api/operation/operation.ts';
import type { OperationInput } from '../../../src/api/operation/operation-input.ts';
import { schema } from '../../../src/api/schema/declaration/schema.ts';
import { application } from '../../../src/host/application.ts';
import { text } from '../../../src/http/message/replies.ts';
import { route } from '../../../src/routing/route/route.ts';
import { ask } from '../../support/ask.ts';
import { serveHandler } from '../../support/serve.ts';

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
const { handler } = application([{ name: 'pages', controllers, routes }]);

for (const [name, to, values, path, because] of [
  ['the operation', readPage, { page: 8 }, '/en/pages/8', 'the language is that of the request'],
  ['the operation', readPage, undefined, '/en/pages/7', 'all values are those of the request'],
  ['the operation', readPage, { page: 'x' }, undefined, 'the constraint refuses the value'],
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
])[]) {
  test(`D67 – link in an operation to ${name} with ${JSON.stringify(values)} → ${path} (${because})`, async (t) => {
    for (const basePath of ['', '/base']) {
      const { port } = await serveHandler(t, handler, { basePath });
      const headers = { 'Content-Type': 'application/json' };
      for (const request of [{}, { method: 'PUT', headers, body: '{}' }]) {
        assert.equal((await ask(port, { target: `${basePath}/en/pages/7`, ...request })).status, 204);
        const { link } = received!;
        assert.equal(link(to, values), path && basePath + path);
      }
    }
  });
}

test('D67 – link in an operation without a target → its own route, with the values of the request', async (t) => {
  const { port } = await serveHandler(t, handler, { basePath: '/base' });
  await ask(port, { target: '/base/en/pages/7?sort=x' });
  const { link } = received!;
  assert.equal(link({ page: 8 }), '/base/en/pages/8');
  assert.equal(link({ page: 7, sort: 'up' }), '/base/en/pages/7?sort=up');
  assert.equal(link({ page: 'x' }), undefined);
});

test('D67 – the input of an operation with a body → the request, its route, its values, the body and its text', async (t) => {
  const { port } = await serveHandler(t, handler);
  const headers = { 'Content-Type': 'application/json' };
  await ask(port, { method: 'PUT', target: '/en/pages/7', headers, body: '{ "title": "x" }' });
  const { context, route, values, body, text } = received!;
  assert.deepEqual(
    [context.method, route.name, { ...values }, body, text],
    ['PUT', 'ByLangPagesByPagePut', { lang: 'en', page: '7' }, { title: 'x' }, '{ "title": "x" }'],
  );
});
