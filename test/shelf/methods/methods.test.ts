/** Tests HEAD, OPTIONS and 405 over HTTP. */

import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import { type Route, route } from '../../../src/core/routing/route.ts';
import { notFound } from '../../../src/operations/operation/problems.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { staticSite } from '../../../src/plugins/files/files.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { cors } from '../../../src/shelf/cors/cors.ts';
import { allowedMethods, headForGet } from '../../../src/shelf/methods/methods.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { ask, Client } from '../../support/ask.ts';
import { read } from '../../support/plain-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { serveHandler } from '../../support/serve.ts';
import { waiting } from '../../support/streams.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';
import { ALONE, CONSTRAINED, type MethodsCase, WITH_CATCH_ALL } from './methods.cases.ts';

/** `GET,PUT a/{b}` as a route that answers with its text and the method of the request. */
function routeOf(line: string): Route {
  const [methods = '', path = ''] = line.split(' ');
  return route({
    path,
    ...(methods !== 'ANY' && { method: methods.split(',') }),
    handle: ({ context }) => text(line, { headers: { 'X-Route': line, 'X-Method': context.method } }),
  });
}

const routed = (lines: string): Plugin => ({ name: 'routed', routes: lines.split('; ').map(routeOf) });
const even: Plugin = { name: 'even', constraints: { even: (value) => /[02468]$/.test(value) } };

async function serverOf(plugins: readonly Plugin[], options = {}) {
  const composed = application(plugins, options);
  await composed.start();
  return composed;
}

async function assertAnswer(plugins: readonly Plugin[], { ask: request, status, by, allow }: MethodsCase) {
  const [method = '', path = ''] = request.split(' ');
  const reply = await answerOf(await serverOf(plugins, { warn() {} }), { method, path });
  assert.deepEqual([reply.status, reply.headers['x-route'], reply.headers.allow], [status, by, allow]);
  if (method === 'HEAD') assert.equal(reply.body, '');
  else if (status >= 400) assert.equal(JSON.parse(reply.body).status, status);
  if (status === 405 && method !== 'HEAD') {
    assert.equal(reply.headers['content-type'], 'application/problem+json');
    assert.equal(JSON.parse(reply.body).detail, `This path does not support ${method}, only ${allow}`);
  }
}

for (const row of [...ALONE, ...CONSTRAINED, ...WITH_CATCH_ALL])
  test(`D79 ${row.routes} – ${row.ask} → ${row.status} ${row.allow ?? row.by ?? ''}`, () =>
    assertAnswer([even, routed(row.routes), allowedMethods()], row));

test('D9 – without the plugin → each method without a route is 404', async () => {
  const served = await serverOf([routed('GET a')]);
  for (const method of ['HEAD', 'OPTIONS', 'PUT']) {
    const { status, headers } = await answerOf(served, { method, path: '/a' });
    assert.deepEqual([status, headers.allow], [404, undefined], method);
  }
});

test('D79 HEAD of a stream → the stream is destroyed, and the request has no range', async (t: TestContext) => {
  let stream: Readable | undefined;
  let range: string | undefined = 'not called';
  const handle = ({ context }: { readonly context: Context }): Reply => {
    range = context.headers.range;
    stream = waiting();
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: stream };
  };
  const streaming = { name: 'a', routes: [route({ method: 'GET', path: 'stream', handle })] };
  const composed = await serverOf([streaming, allowedMethods()]);
  const { port } = await serveHandler(t, composed.handler);
  const { status } = await ask(port, { method: 'HEAD', target: '/stream', headers: { Range: 'bytes=0-1' } });
  assert.deepEqual([status, range, stream!.destroyed], [200, undefined, true]);
});

test('D79 HEAD of a path whose handler throws → the status of GET, without a body', async () => {
  const missing = read('missing', { responses: { 404: {} }, handle: () => notFound('Nothing') });
  const served = await serverOf([verification(), { name: 'a', routes: [missing] }, allowedMethods()]);
  const { status, body } = await answerOf(served, { method: 'HEAD', path: '/missing' });
  assert.deepEqual([status, body], [404, '']);
});

test('D79 a constraint that fails for another method → 500, and its error in the log', async () => {
  const logged: unknown[] = [];
  const failing = { ...routed('GET a/{x:known}; PUT a/{x}'), constraints: { known: throwing(new Error('no table')) } };
  const served = await serverOf([failing, allowedMethods()], { log: (error: unknown) => void logged.push(error) });
  assert.equal((await answerOf(served, { method: 'POST', path: '/a/b' })).status, 500);
  assert.match(String(logged), /no table/);
});

test('D79 after cors and files → they answer preflight requests and files, and other paths of files are unknown', async () => {
  const root = temporaryFolder({ 'form.html': '<p>' });
  const served = await serverOf([
    cors({ origins: ['https://a.example'] }),
    staticSite({ root }),
    routed('POST form.html; GET b'),
    allowedMethods(),
  ]);
  const summaryOf = async (method: string, path: string, headers = {}) => {
    const reply = await answerOf(served, { method, path, headers });
    return [reply.status, reply.headers.allow, reply.headers['access-control-allow-methods'] !== undefined];
  };
  const question = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
  assert.deepEqual(await summaryOf('OPTIONS', '/b', question), [204, undefined, true]);
  const { Origin } = question;
  assert.deepEqual(await summaryOf('OPTIONS', '/b', { Origin }), [204, 'GET, HEAD, OPTIONS', false]);
  assert.deepEqual(await summaryOf('GET', '/form.html'), [200, undefined, false]);
  assert.deepEqual(await summaryOf('PUT', '/form.html'), [405, 'POST, OPTIONS', false]);
  assert.deepEqual(await summaryOf('PUT', '/nothing.html'), [404, undefined, false]);
});

for (const [what, plugins, path, status] of [
  ['mounted routes', [mounted('tools', routed('GET a')), allowedMethods()], '/tools/a', 405],
  ['mounted, below its prefix', [routed('GET x; GET tools/a'), mounted('tools', allowedMethods())], '/tools/a', 405],
  ['in another case', [routed('GET tools/a'), mounted('tools', allowedMethods())], '/TOOLS/a', 405],
  ['the prefix itself', [routed('GET tools'), mounted('tools', allowedMethods())], '/tools', 405],
  ['outside of its prefix', [routed('GET x; GET tools/x'), mounted('tools', allowedMethods())], '/x', 404],
  ['a path without the prefix', [routed('GET a'), mounted('tools', allowedMethods())], '/tools/a', 404],
  ['mounted twice', [routed('GET a/b/c'), mounted('a', mounted('b', allowedMethods()))], '/a/b/c', 405],
] as const)
  test(`D79 ${what} – PUT ${path} → ${status}`, async () => {
    const served = await serverOf(plugins);
    const reply = await answerOf(served, { method: 'PUT', path });
    assert.deepEqual([reply.status, reply.headers.allow], [status, status === 405 ? 'GET, HEAD, OPTIONS' : undefined]);
    if (status === 405) assertProblemBody(reply.body, path);
    const head = await answerOf(served, { method: 'HEAD', path });
    assert.equal(head.status, status === 405 ? 200 : 404);
  });

/** A mounted stage sees the path below its prefix, but the problem is about the whole path. */
const assertProblemBody = (body: string, path: string): void =>
  assert.equal(JSON.parse(body).instance.toLowerCase(), path.toLowerCase());

test('D79 a server – a method of another path over a socket → 405 is a problem with every member', async (t) => {
  const { port } = await serveHandler(t, (await serverOf([todo(), allowedMethods()])).handler);
  const answer = await ask(port, { method: 'PUT', target: '/api/todo', body: '{}' });
  assertProblem(answer, 405);
  assert.equal(answer.headers['allow'], 'GET, HEAD, POST, OPTIONS');
});

test('D79 the documents → as without the plugin: HEAD, OPTIONS and 405 are not described', async () => {
  const documentOf = async (...more: Plugin[]) => {
    const { request } = await serverOf([todo(), description({ title: 'A', version: '1' }), ...more]);
    return (await request('/swagger/v1/openapi.json')).text();
  };
  const body = await documentOf(allowedMethods());
  assert.equal(body, await documentOf());
  assert.doesNotMatch(body, /"405"|"head"|"options"/);
});

test('D79 an application that has not been started → answers as a started one', async () => {
  const { handler } = application([routed('GET a'), allowedMethods()]);
  assert.equal((await handler(testContext('/a'))).status, 200);
  assert.equal((await handler(testContext('/a', { method: 'OPTIONS' }))).status, 204);
});

for (const [routes, request, expected] of [
  ['GET a', 'HEAD /a', '200 GET a, as GET'],
  ['GET a', 'HEAD /A/', '200 GET a, as GET'],
  ['GET a', 'GET /a', '200 GET a, as GET'],
  ['GET a', 'HEAD /b', '404'],
  ['POST a', 'HEAD /a', '404'],
  ['GET a', 'PUT /a', '404'],
  ['GET a', 'OPTIONS /a', '404'],
  ['GET a; HEAD a', 'HEAD /a', '200 HEAD a, as HEAD'],
  ['ANY a', 'HEAD /a', '200 ANY a, as HEAD'],
  ['GET {*page}', 'HEAD /x/y', '200 GET {*page}, as GET'],
  ['ANY {*page}', 'HEAD /x', '200 ANY {*page}, as HEAD'],
  ['GET a; ANY {*page}', 'HEAD /a', '200 GET a, as GET'],
  ['GET a; ANY {*page}', 'HEAD /x', '200 ANY {*page}, as HEAD'],
  ['HEAD {*page}; GET {*page}', 'HEAD /x', '200 HEAD {*page}, as HEAD'],
  ['GET n/{id:int}', 'HEAD /n/x', '404'],
] as const)
  test(`D104 ${routes} – ${request} → ${expected}`, async () => {
    const [method = '', path = ''] = request.split(' ');
    const app = await serverOf([routed(routes), headForGet()], { warn() {} });
    const { status, headers } = await app.request(path, { method });
    const by = headers.get('X-Route');
    assert.equal(by === null ? `${status}` : `${status} ${by}, as ${headers.get('X-Method')}`, expected);
  });

test('D104 HEAD of items, over a socket → the head of GET, also for 304, and the next request is answered', async (t) => {
  const { port } = await serveHandler(t, (await serverOf([todo(), headForGet()])).handler);
  const client = new Client(port);
  const headOf = async (method: string, headers = {}) => {
    const { status, headers: sent, body } = await client.ask({ method, target: '/api/todo', headers });
    const { date: _, 'x-request-id': __, ...others } = sent;
    assert.equal(body.length, method === 'HEAD' || status === 304 ? 0 : Number(others['content-length']));
    return { status, ...others } as Record<string, unknown>;
  };
  const full = await headOf('GET');
  assert.deepEqual(await headOf('HEAD'), full);
  assert.equal((await headOf('HEAD', { 'If-None-Match': full['etag'] })).status, 304);
  client.destroy();
});

test('D104 together with allowedMethods → HEAD is in Allow; the description does not list it', async () => {
  const documents = description({ title: 'A', version: 'v1' });
  const app = await serverOf([routed('GET a'), todo(), headForGet(), allowedMethods(), documents]);
  assert.equal((await app.request('/a', { method: 'PUT' })).headers.get('Allow'), 'GET, HEAD, OPTIONS');
  const { paths } = (await (await app.request('/swagger/v1/openapi.json')).json()) as { paths: Record<string, object> };
  assert.deepEqual(Object.keys(paths['/api/todo']!), ['get', 'post']);
});

test('D104 mounted → only the routes below the prefix', async () => {
  const other = { ...routed('GET x'), name: 'other' };
  const app = await serverOf([mounted('a', headForGet()), mounted('a', routed('GET x')), other]);
  const ask = async (path: string) => (await app.request(path, { method: 'HEAD' })).status;
  assert.deepEqual([await ask('/a/x'), await ask('/x')], [200, 404]);
});
