/** A description for each version of an application, and plain routes in a description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  application,
  mounted,
  noContent,
  notFound,
  ok,
  operation,
  operations,
  type Plugin,
  problemFormat,
  route,
  type Schema,
  schema,
  text,
} from '../../../src/index.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { swaggerPage } from '../../../src/plugins/swagger-page/swagger-page.ts';

const version = (properties: Readonly<Record<string, Schema>>): Plugin => ({
  name: 'articles',
  routes: [
    operation({
      method: 'GET',
      path: 'articles',
      responses: { 200: { schema: schema('Article', { type: 'object', properties }) as Schema } },
      handle: () => ok({}),
    }),
  ],
});
const v1 = version({ title: { type: 'string' } });
const v2 = version({ heading: { type: 'string' } });
const other = operation({ method: 'DELETE', path: 'other', responses: { 204: {} }, handle: () => noContent() });
const app = application([
  mounted('v1', swaggerPage()),
  mounted('v2', swaggerPage()),
  mounted('v1', v1),
  mounted('v2', v2),
  mounted('v1', description({ title: 'Articles', version: '1' })),
  mounted('v2', description({ title: 'Articles', version: '2' })),
  { name: 'other', routes: [other] },
]);

async function documentAt(path: string, within = app) {
  const reply = await within.request(path);
  assert.equal(reply.status, 200, path);
  return (await reply.json()) as {
    info: { version: string };
    basePath?: string;
    servers?: object;
    paths: Record<string, Record<string, { summary?: string; responses: object; tags: string[] }>>;
    definitions?: Record<string, { properties: object }>;
    components?: { schemas: Record<string, { properties: object }> };
  };
}
for (const [prefix, number, member] of [
  ['v1', '1', 'title'],
  ['v2', '2', 'heading'],
] as const) {
  test(`a description mounted at ${prefix} → only the operations and the schemas below it`, async () => {
    const swagger = await documentAt(`/${prefix}/swagger/v1/swagger.json`);
    assert.deepEqual(
      [swagger.info.version, swagger.basePath, Object.keys(swagger.paths)],
      [number, `/${prefix}`, ['/articles']],
    );
    assert.deepEqual(Object.keys(swagger.definitions!['Article']!.properties), [member]);
    const openApi = await documentAt(`/${prefix}/swagger/v1/openapi.json`);
    assert.deepEqual([openApi.servers, Object.keys(openApi.paths)], [[{ url: `/${prefix}` }], ['/articles']]);
    assert.deepEqual(Object.keys(openApi.components!.schemas['Article']!.properties), [member]);
  });

  test(`the page at ${prefix} → loads the document of its version`, async () => {
    const page = await app.request(`/${prefix}/swagger/ui/`);
    assert.equal(page.status, 200);
    const script = await (await app.request(`/${prefix}/swagger/ui/init.js`)).text();
    const [, application, path] = /application: '([^']*)', document: '([^']*)'/.exec(script)!;
    const target = new URL(application! + path, `http://a/${prefix}/swagger/ui/`).pathname;
    assert.equal(target, `/${prefix}/swagger/v1/swagger.json`);
  });
}

test('a description of a version that is not mounted itself → its operations', async () => {
  const plugins = [mounted('v1', v1), mounted('v2', v2)];
  const { paths } = await documentAt(
    '/swagger/v1/swagger.json',
    application([...plugins, description({ title: 'A', of: 'v2' })]),
  );
  assert.deepEqual(Object.keys(paths), ['/v2/articles']);
});

test('a description of a prefix without operations → the start names the prefix', async () => {
  const wrong = application([mounted('v1', v1), description({ title: 'A', of: 'v3' })]);
  await assert.rejects(wrong.start(), /no operation is mounted there/);
});

test('a description whose prefix is not a text → an error where it is declared', () =>
  assert.throws(() => description({ title: 'A', of: 5 as unknown as string }), /the option "of" is not a path/));

for (const [responses, message] of [
  [{ 200: { mediatype: 'text/csv' } }, /the 200 of the operation "PlainGet": it has the unknown member "mediatype"/],
  [{ ok: {} }, /it is not a status/],
  [{ 200: { mediaType: 'csv' } }, /its "mediaType" is "csv"/],
] as const)
  test(`a plain route with the responses ${JSON.stringify(responses)} → the start names the fault`, async () => {
    const plain = route({ path: 'plain', responses: responses as {}, handle: () => text('') });
    const wrong = application([{ name: 'plain', routes: [plain] }, description({ title: 'A' })]);
    await assert.rejects(wrong.start(), message);
  });

test('plain routes with a text or responses → listed; those without are not', async () => {
  const plain: Plugin = {
    name: 'plain',
    routes: [
      route({
        path: 'feed/{year:int}',
        method: 'GET',
        summary: 'The feed',
        responses: { 200: { mediaType: 'application/rss+xml' } },
        handle: () => text(''),
      }),
      route({
        path: 'hook',
        method: ['POST', 'PUT'],
        responses: { 204: { description: 'Taken' } },
        handle: () => text(''),
      }),
      route({ path: 'any', summary: 'Any method', handle: () => text('') }),
      route({ path: 'star', method: '*', summary: 'Any method', handle: () => text('') }),
      route({ path: 'hidden', handle: () => text('') }),
    ],
  };
  const { paths } = await documentAt('/swagger/v1/swagger.json', application([plain, v1, description({ title: 'A' })]));
  assert.deepEqual(
    Object.entries(paths).map(([path, methods]) => `${path} ${Object.keys(methods)}`),
    ['/feed/{year} get', '/hook put,post', '/any get', '/star get', '/articles get'],
  );
  assert.equal(paths['/feed/{year}']!['get']!.summary, 'The feed');
  assert.match(JSON.stringify(paths['/feed/{year}']!['get']), /application\/rss\+xml.*"in":"path"/);
});

test('a plain route before operations with a format of problems → the operations have problems of this format', async () => {
  const format = problemFormat({ mediaType: 'application/vnd.a+json', write: (problem) => problem });
  const missing = operation({ method: 'GET', path: 'a', responses: { 404: {} }, handle: () => notFound('none') });
  const routes = [route({ path: 'plain', summary: 'Plain', handle: () => text('') }), missing];
  const own = application([operations({ problems: format }), { name: 'p', routes }, description({ title: 'A' })]);
  const { paths } = await documentAt('/swagger/v1/openapi.json', own);
  assert.match(JSON.stringify(paths['/a']), /application\/vnd\.a\+json/);
});

for (const of of ['v1', ''])
  test(`a description of ${JSON.stringify(of)}, mounted elsewhere → an error, because the page would call a wrong path`, () =>
    assert.throws(
      () => application([mounted('v1', v1), mounted('docs', description({ title: 'Articles', of }))]),
      /Cannot describe the operations of "(?:v1)?" below "\/docs"; mount the description elsewhere/,
    ));

test('a description of a prefix that has only a plain route with a text → the route', async () => {
  const plain = { name: 'plain', routes: [route({ path: 'feed', summary: 'The feed', handle: () => text('') })] };
  const own = application([mounted('v1', plain), mounted('v1', description({ title: 'A' }))]);
  const { paths } = await documentAt('/v1/swagger/v1/openapi.json', own);
  assert.deepEqual(Object.keys(paths), ['/feed']);
});

test('a description mounted at a prefix with an umlaut → paths that begin there, as at any prefix', async () => {
  const own = application([mounted('früh', v1), mounted('früh', description({ title: 'Articles' }))]);
  const { basePath, paths } = await documentAt('/fr%C3%BCh/swagger/v1/swagger.json', own);
  assert.deepEqual([basePath, Object.keys(paths)], ['/fr%C3%BCh', ['/articles']]);
});

for (const name of ['constructor', 'toString', 'hasOwnProperty'])
  test(`a schema with the name ${name} → described as any other`, async () => {
    const named = schema(name, { type: 'object', properties: {} });
    const routes = [
      operation({ method: 'GET', path: 'a', responses: { 200: { schema: named } }, handle: () => ok({}) }),
    ];
    const own = application([{ name: 'p', routes }, description({ title: 'Names' })]);
    const { components } = await documentAt('/swagger/v1/openapi.json', own);
    assert.ok(Object.hasOwn(components!.schemas, name));
  });

test('a description of the empty prefix → only what is not mounted, so schemas of versions do not clash', async () => {
  const site = application([
    mounted('v1', v1),
    mounted('v2', v2),
    { name: 'o', routes: [other] },
    description({ title: 'Site', of: '' }),
  ]);
  await site.start();
  const { servers, paths } = await documentAt('/swagger/v1/openapi.json', site);
  assert.deepEqual([servers, Object.keys(paths)], [[{ url: '/' }], ['/other']]);
});
