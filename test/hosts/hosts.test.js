/**
 * Puts the library inside Express 5 and 4, Connect and Fastify, each as its manual says, and asks them over a socket:
 * what the library answers, what falls through to them, whose prefix links have, and what comes of a body that is read.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import middie from '@fastify/middie';
import bodyParser from 'body-parser';
import compression from 'compression';
import connect from 'connect';
import express5 from 'express';
import express4 from 'express-4';
import Fastify from 'fastify';
import { application, listener, route, text } from '../../src/index.ts';
import { description } from '../../src/plugins/description/description.ts';
import { todo } from '../../src/plugins/todo/todo.ts';

/** The items, a path that streams, and one that tells what it was sent. */
const embedded = (options) =>
  application(
    [
      todo(),
      description({ title: 'Items' }),
      {
        name: 'echo',
        routes: [
          route({ method: 'POST', path: 'echo', handle: async ({ context }) => text(String(await context.body())) }),
          route({ method: 'GET', path: 'long', handle: () => text('long '.repeat(1000)) }),
        ],
      },
    ],
    options,
  );

/** What the host does with a request that falls through: it tells who has it, and what of it is left. */
async function answerAsHost(request, response) {
  let length = 0;
  if (request.body === undefined || !request.readableEnded) for await (const chunk of request) length += chunk.length;
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ host: request.originalUrl ?? request.url, length, method: request.method }));
}

/** A host with the application below `mount`, `before` in front of it and `answerAsHost` behind it. */
const HOSTS = {
  'Express 5': ({ mount, before = [], app }) => express(express5(), mount, before, app),
  'Express 4': ({ mount, before = [], app }) => express(express4(), mount, before, app),
  Connect: ({ mount, before = [], app }) => createServer(express(connect(), mount, before, app)),
  'Fastify with middie': async ({ mount, before = [], app }) => {
    const fastify = Fastify();
    await fastify.register(middie);
    for (const handler of before) fastify.use(handler);
    fastify.use(mount, listener(app));
    fastify.addContentTypeParser('*', (_, __, done) => done(null));
    fastify.removeContentTypeParser(['application/json', 'text/plain']);
    fastify.all('*', (request, reply) => {
      reply.hijack();
      return answerAsHost(request.raw, reply.raw);
    });
    await fastify.ready();
    return fastify.server;
  },
};

function express(host, mount, before, app) {
  for (const handler of before) host.use(handler);
  if (mount === '/') host.use(listener(app));
  else host.use(mount, listener(app));
  host.use(answerAsHost);
  return host;
}

/** Listens on a free port until the test is over; a function that asks for a path of it. */
async function serving(t, made) {
  const host = await made;
  const server = host.emit === undefined || typeof host === 'function' ? createServer(host) : host;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address();
  const ask = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return Object.assign(ask, { port });
}

for (const [name, host] of Object.entries(HOSTS)) {
  test(`${name} – a path of the application, one of the host → each has its own`, async (t) => {
    const ask = await serving(t, host({ mount: '/', app: embedded() }));
    assert.equal((await (await ask('/api/todo')).json())[0].name, 'Item1');
    for (const method of ['GET', 'DELETE'])
      assert.deepEqual(await (await ask('/theirs?x=1', { method })).json(), { host: '/theirs?x=1', length: 0, method });
    assert.equal((await ask('/theirs', { method: 'HEAD' })).status, 200);
  });

  test(`${name} – a POST that falls through → the host reads its body`, async (t) => {
    const ask = await serving(t, host({ mount: '/', app: embedded() }));
    const headers = { 'Content-Type': 'application/octet-stream' };
    const reply = await ask('/theirs', { method: 'POST', headers, body: Buffer.alloc(300_000) });
    assert.deepEqual(await reply.json(), { host: '/theirs', length: 300_000, method: 'POST' });
    assert.equal(reply.headers.get('x-request-id'), null);
  });

  for (const basePath of ['', '/tools'])
    test(`${name} – mounted below /v1, base path "${basePath}" → Location and document begin with both`, async (t) => {
      const app = embedded(basePath === '' ? {} : { basePath });
      await app.start();
      const ask = await serving(t, host({ mount: '/v1', app }));
      const headers = { 'Content-Type': 'application/json' };
      const made = await ask(`/v1${basePath}/api/todo`, { method: 'POST', headers, body: '{"name":"New"}' });
      assert.equal(made.status, 201);
      const { basePath: described } = await (await ask(`/v1${basePath}/swagger/v1/swagger.json`)).json();
      assert.equal(described, `/v1${basePath}`);
      const location = made.headers.get('location');
      assert.ok(location.startsWith(`/v1${basePath}/api/todo/`), location);
      assert.equal((await (await ask(location)).json()).name, 'New');
      assert.equal((await (await ask('/v1/theirs')).json()).host, '/v1/theirs');
      assert.equal((await (await ask('/api/todo')).json()).host, '/api/todo');
    });

  test(`${name} – a request that is refused → a problem below the mount path, the host's beside it`, async (t) => {
    const ask = await serving(t, host({ mount: '/v1', app: embedded() }));
    const refused = await ask(`/v1/${'x'.repeat(3000)}`);
    assert.equal(refused.status, 414);
    assert.equal((await refused.json()).instance, `/v1/${'x'.repeat(3000)}`);
    assert.equal((await ask(`/${'x'.repeat(3000)}`)).status, 200);
  });

  test(`${name} – pipelined requests of both → answered in their order`, async (t) => {
    const { port } = await serving(t, host({ mount: '/', app: embedded() }));
    const socket = connectSocket(port, '127.0.0.1');
    const paths = ['/api/todo', '/theirs/1', '/echo', '/theirs/2', '/api/todo', '/theirs/3'];
    const asked = paths.map((path, at) => {
      const last = at === paths.length - 1 ? 'Connection: close\r\n' : '';
      const method = path === '/echo' ? 'POST' : 'GET';
      return `${method} ${path} HTTP/1.1\r\nHost: a\r\n${last}Content-Length: 2\r\n\r\nhi`;
    });
    socket.end(asked.join(''));
    const answers = Buffer.concat(await socket.toArray()).toString();
    const found = [...answers.matchAll(/"host":"([^"]+)"|Item1|\r\n\r\n(hi)/g)].map(
      ([whole, path, echo]) => path ?? echo ?? whole,
    );
    assert.deepEqual(found, ['Item1', '/theirs/1', 'hi', '/theirs/2', 'Item1', '/theirs/3']);
  });

  test(`${name} – compression in front → unpacked, it is what was sent`, async (t) => {
    const ask = await serving(t, host({ mount: '/', before: [compression({ threshold: 0 })], app: embedded() }));
    const reply = await ask('/long', { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(reply.headers.get('content-encoding'), 'gzip');
    assert.equal(await reply.text(), 'long '.repeat(1000));
  });
}

const JSON_TYPE = 'application/json';
const PARSERS = { 'Express 5': express5, 'Express 4': express4, Connect: bodyParser };
for (const [name, parsers] of Object.entries(PARSERS)) {
  test(`${name} – json() in front → 500, and the log says where to mount; what it leaves is read`, async (t) => {
    const errors = [];
    const app = embedded({ log: (error) => errors.push(error) });
    const ask = await serving(t, HOSTS[name]({ mount: '/', before: [parsers.json()], app }));
    const init = (type) => ({ method: 'POST', headers: { 'Content-Type': type }, body: '{"name":"New"}' });
    assert.equal((await ask('/api/todo', init(JSON_TYPE))).status, 500);
    assert.equal(errors.length, 1);
    assert.match(errors[0].message, /mount the listener before the body parser, for example before express\.json\(\)$/);
    assert.equal(await (await ask('/echo', init('text/plain'))).text(), '{"name":"New"}');
    assert.equal((await (await ask('/theirs', init(JSON_TYPE))).json()).host, '/theirs');
  });

  test(`${name} – json() behind → reads what has fallen through`, async (t) => {
    const host = name === 'Connect' ? connect() : parsers();
    host.use(listener(embedded()));
    host.use(parsers.json());
    host.use((request, response) => response.end(JSON.stringify(request.body)));
    const ask = await serving(t, host);
    const reply = await ask('/theirs', { method: 'POST', headers: { 'Content-Type': JSON_TYPE }, body: '{"a":[1]}' });
    assert.deepEqual(await reply.json(), { a: [1] });
  });
}

/** Fastify without its middleware package: what none of its routes takes. */
function inNotFoundHandler() {
  const fastify = Fastify();
  const listen = listener(embedded());
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_, __, done) => done(null));
  fastify.get('/theirs', () => 'theirs');
  fastify.setNotFoundHandler((request, reply) => {
    reply.hijack();
    listen(request.raw, reply.raw);
  });
  return fastify.ready().then(() => fastify.server);
}

test("Fastify's not-found handler → an item is made and read", async (t) => {
  const ask = await serving(t, inNotFoundHandler());
  assert.equal(await (await ask('/theirs')).text(), 'theirs');
  const init = { method: 'POST', headers: { 'Content-Type': JSON_TYPE }, body: '{"name":"New"}' };
  const made = await ask('/api/todo', init);
  assert.equal(made.status, 201);
  assert.equal((await (await ask(made.headers.get('location'))).json()).name, 'New');
  assert.equal((await ask('/nowhere')).status, 404);
});
