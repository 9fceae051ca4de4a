/** Tests HEAD by the routes of GET, where nothing else is told of methods. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { text } from '../../../src/core/message/replies.ts';
import { route } from '../../../src/core/routing/route.ts';
import { allowedMethods, headForGet } from '../../../src/extensions/allowed-methods/allowed-methods.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { todo } from '../../../src/extensions/todo/todo.ts';
import { Client } from '../../support/ask.ts';
import { serveHandler } from '../../support/serve.ts';

/** `GET,PUT a/{b}` as a route that tells itself and the method that it was asked with. */
const routed = (lines: string): Plugin => ({
  name: 'routed',
  routes: lines.split('; ').map((line) => {
    const [methods = '', path = ''] = line.split(' ');
    const tell = { 'X-Route': line };
    return route({
      path,
      ...(methods !== 'ANY' && { method: methods.split(',') }),
      handle: ({ context: { method } }) => text(method, { headers: { ...tell, 'X-Method': method } }),
    });
  }),
});

for (const [routes, asked, told] of [
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
  test(`D104 ${routes} – ${asked} → ${told}`, async () => {
    const [method = '', path = ''] = asked.split(' ');
    const app = application([routed(routes), headForGet()], { warn() {} });
    await app.start();
    const { status, headers } = await app.request(path, { method });
    const by = headers.get('X-Route');
    assert.equal(by === null ? `${status}` : `${status} ${by}, as ${headers.get('X-Method')}`, told);
  });

test('D104 HEAD of items, over a socket → the head of GET, 304 too, and the next request on the connection', async (t) => {
  const app = application([todo(), headForGet()]);
  await app.start();
  const { port } = await serveHandler(t, app.handler);
  const client = new Client(port);
  const told = async (method: string, headers = {}) => {
    const { status, headers: sent, body } = await client.ask({ method, target: '/api/todo', headers });
    const { date: _, 'x-request-id': __, ...others } = sent;
    assert.equal(body.length, method === 'HEAD' || status === 304 ? 0 : Number(others['content-length']));
    return { status, ...others } as Record<string, unknown>;
  };
  const full = await told('GET');
  assert.deepEqual(await told('HEAD'), full);
  assert.equal((await told('HEAD', { 'If-None-Match': full['etag'] })).status, 304);
  client.destroy();
});

test('D104 beside the methods that are told → HEAD is in Allow; no document lists it', async () => {
  const app = application([
    routed('GET a'),
    todo(),
    headForGet(),
    allowedMethods(),
    description({ title: 'A', version: 'v1' }),
  ]);
  await app.start();
  assert.equal((await app.request('/a', { method: 'PUT' })).headers.get('Allow'), 'GET, HEAD, OPTIONS');
  const { paths } = (await (await app.request('/swagger/v1/openapi.json')).json()) as { paths: Record<string, object> };
  assert.deepEqual(Object.keys(paths['/api/todo']!), ['get', 'post']);
});

test('D104 mounted → the routes below the prefix alone', async () => {
  const app = application([
    mounted('a', headForGet()),
    mounted('a', routed('GET x')),
    { ...routed('GET x'), name: 'other' },
  ]);
  await app.start();
  const ask = async (path: string) => (await app.request(path, { method: 'HEAD' })).status;
  assert.deepEqual([await ask('/a/x'), await ask('/x')], [200, 404]);
});
