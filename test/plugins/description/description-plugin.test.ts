/** Tests the two documents of the description, and `npm run describe`. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { application } from '../../../src/core/application/application.ts';
import { listener } from '../../../src/core/server/service.ts';
import type { Controller } from '../../../src/operations/operation/controller.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import type { SwaggerDocument } from '../../../src/plugins/description/describe-swagger.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { type Asked, answerOf, type WholeReply } from '../../support/answer-of.ts';
import { programOf } from '../../support/program.ts';
import { serveListener } from '../../support/serve.ts';

type Ask = (request: Asked) => Promise<WholeReply>;

const started = async (...plugins: Parameters<typeof application>[0]): Promise<Ask> => {
  const composed = application([todo(), description({ title: 'To-do API' }), ...plugins]);
  await composed.start();
  return (request) => answerOf(composed, request);
};

for (const [path, format] of [
  ['/swagger/v1/swagger.json', '"swagger":"2.0"'],
  ['/swagger/v1/openapi.json', '"openapi":"3.1.0"'],
] as const) {
  test(`§4.2 ${path} – GET, HEAD, conditional GET, any case of the path; other methods fall through`, async () => {
    const ask = await started();
    const got = await ask({ path });
    assert.equal(got.status, 200);
    assert.equal(got.headers['content-type'], 'application/json');
    assert.equal(got.headers['cache-control'], 'no-cache');
    assert.equal(got.headers['content-length'], String(Buffer.byteLength(got.body)));
    assert.match(got.headers.etag!, /^"[\w-]{22}"$/);
    assert.ok(got.body.startsWith(`{${format},"info":{"version":"v1","title":"To-do API"}`));

    const head = await ask({ method: 'HEAD', path });
    const { 'content-length': length, etag } = got.headers;
    assert.deepEqual(
      [head.status, head.body, head.headers['content-length'], head.headers.etag],
      [200, '', length, etag],
    );
    const again = await ask({ path, headers: { 'If-None-Match': `"x", W/${got.headers.etag}` } });
    assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', etag]);
    assert.equal(again.headers['content-type'], undefined);
    for (const [headers, status] of [
      [{ 'If-Match': got.headers.etag! }, 200],
      [{ 'If-Match': '*' }, 200],
      [{ 'If-Match': '"x"' }, 412],
      [{ 'If-Match': `W/${got.headers.etag}` }, 412],
      [{ 'If-Match': '"x"', 'If-None-Match': got.headers.etag! }, 412],
    ] as const) {
      for (const method of ['GET', 'HEAD'])
        assert.equal((await ask({ method, path, headers })).status, status, JSON.stringify(headers));
    }
    assert.equal((await ask({ path: path.toUpperCase() })).body, got.body);
    assert.equal((await ask({ method: 'POST', path })).status, 404);
  });
}

const Clock = schema('Clock', { type: 'object', properties: { time: { type: 'string' } } });
const responses = { 200: { schema: Clock } };
const readTime = operation({ method: 'GET', path: '', responses, handle: () => ok({ time: 'now' }) });
const clock: Controller = { name: 'Clock', path: 'api/clock', operations: [readTime] };

test('D14 – the operations of another plugin → described, at any position in the list', async () => {
  const ask = await started({ name: 'clock', routes: routesOf(clock) });
  for (const path of ['/swagger/v1/swagger.json', '/swagger/v1/openapi.json']) {
    const { paths } = JSON.parse((await ask({ path })).body) as { paths: object };
    assert.deepEqual(Object.keys(paths), ['/api/clock', '/api/todo', '/api/todo/{id}'], path);
  }
});

/** The replies to unchanged requests of the page: each property has its example, or its default. */
const OF_ITEM = { ApiTodoByIdGet: 404, ApiTodoByIdPut: 404, ApiTodoByIdDelete: 404, ApiTodoByIdPatch: 404 };
const EXECUTED = { ApiTodoGet: 200, ApiTodoPost: 201, ...OF_ITEM };
for (const naming of ['camelCase', 'PascalCase'] as const)
  for (const model of ['base', 'annotated'] as const)
    test(`D14 – requests with the unchanged examples, ${naming}, ${model} → accepted, except that no item has the key`, async () => {
      const composed = application([operations({ naming }), todo({ naming, model }), description({ title: 'T' })]);
      await composed.start();
      const document = (await (await composed.request('/swagger/v1/swagger.json')).json()) as SwaggerDocument;
      const { properties } = document.definitions['TodoItem'] as {
        properties: Record<string, Record<string, unknown>>;
      };
      const json = Object.fromEntries(
        Object.entries(properties).map(([name, { example, default: byDefault }]) => [name, example ?? byDefault]),
      );
      const statuses: Record<string, number> = {};
      for (const [path, members] of Object.entries(document.paths))
        for (const [method, { operationId, parameters }] of Object.entries(members)) {
          const target = path.replace('{id}', () => String(parameters.find(({ name }) => name === 'id')!['x-example']));
          const body = parameters.some((parameter) => parameter.in === 'body') ? { json } : {};
          statuses[operationId] = (await composed.request(target, { method: method.toUpperCase(), ...body })).status;
        }
      assert.deepEqual(statuses, EXECUTED);
    });

const FORWARDED = { 'X-Forwarded-Prefix': '/outer' };
const proxied = { trustedProxies: ['loopback'] };
/** The programs in front of the service, and the prefix of the paths in its documents and links. */
for (const [who, options, mount, headers, prefix] of [
  ['nothing', {}, '', {}, ''],
  ['a base path', { basePath: '/base' }, '', {}, '/base'],
  ['a host that mounts it', {}, '/meters', {}, '/meters'],
  ['a host, and a base path', { basePath: '/base' }, '/meters', {}, '/meters/base'],
  ['a trusted proxy', proxied, '', FORWARDED, '/outer'],
  ['a trusted proxy without the header', proxied, '', {}, ''],
  ['a proxy that is not trusted', {}, '', FORWARDED, ''],
  ['all of them', { ...proxied, basePath: '/base' }, '/meters', FORWARDED, '/outer/meters/base'],
] as const)
  test(`D16 – in front is ${who} → both documents and Location begin with "${prefix}"`, async (t) => {
    const composed = application([todo(), description({ title: 'T' })], options);
    await composed.start();
    const listen = listener(composed);
    const port = await serveListener(t, (request, response) => {
      listen(Object.assign(request, { originalUrl: request.url, url: request.url!.slice(mount.length) }), response);
    });
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${mount}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    const json = { 'Content-Type': 'application/json' };
    const { headers: created } = await ask('/api/todo', { method: 'POST', headers: json, body: '{"name":"a"}' });
    assert.equal(created.get('location')!.replace(/\/api\/todo\/.*/, ''), prefix);
    for (const path of ['/swagger/v1/swagger.json', '/swagger/v1/openapi.json']) {
      const reply = await ask(path);
      const { basePath, servers } = (await reply.json()) as { basePath?: string; servers?: readonly { url: string }[] };
      assert.equal(basePath ?? servers![0]!.url, prefix || '/', path);
      assert.equal(reply.headers.get('vary'), 'trustedProxies' in options ? 'X-Forwarded-Prefix' : null);
      assert.equal((await ask(path, { headers: { 'If-None-Match': reply.headers.get('etag')! } })).status, 304);
    }
  });

test('D16 – many prefixes → a separate document and entity tag for each, also for a repeated request', async () => {
  const composed = application([todo(), description({ title: 'T' })], proxied);
  await composed.start();
  const prefixes = Array.from({ length: 40 }, (_, at) => `/p${at}`);
  const etags: (string | null)[] = [];
  for (const prefix of [...prefixes, ...prefixes]) {
    const forwarded = { headers: { 'X-Forwarded-Prefix': prefix } };
    const { headers } = await composed.request('/swagger/v1/swagger.json', forwarded);
    etags.push(headers.get('etag'));
  }
  assert.equal(new Set(etags).size, 40);
  assert.deepEqual(etags.slice(40), etags.slice(0, 40));
});

test('D16 – a base path in the options → used for every prefix', async () => {
  const composed = application([todo(), description({ title: 'T', basePath: '/public' })], proxied);
  await composed.start();
  const reply = await composed.request('/swagger/v1/swagger.json', { headers: FORWARDED });
  assert.equal(((await reply.json()) as SwaggerDocument).basePath, '/public');
  assert.equal(reply.headers.get('vary'), null);
});

const DESCRIBE = [...programOf('src/service/commands.ts'), 'describe'];
const run = promisify(execFile);
const print = (...flags: readonly string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [...DESCRIBE, ...flags]);

test('OpenAPI 3.1 – npm run describe → prints either document with its settings, without a server', async () => {
  const printed = async (...flags: readonly string[]): Promise<Record<string, any>> =>
    JSON.parse((await print(...flags)).stdout);
  const swagger = await printed('--base-path', '/x', '--property-naming', 'PascalCase');
  assert.deepEqual([swagger['swagger'], swagger['basePath']], ['2.0', '/x']);
  assert.deepEqual(Object.keys(swagger['definitions'].TodoItem.properties), ['Key', 'Name', 'IsComplete']);
  const openApi = await printed('--openapi');
  assert.deepEqual([openApi['openapi'], openApi['servers']], ['3.1.0', [{ url: '/' }]]);
  assert.match((await print('--help')).stdout, /^Usage: npm run describe -- [^]*Example: npm run describe -- /);
  await assert.rejects(
    print('--model'),
    (error: { code: number; stderr: string }) =>
      error.code === 2 && /^Cannot use the flag "--model".*\n$/.test(error.stderr),
  );
});
