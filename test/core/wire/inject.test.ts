/** A request that is injected gets the reply of a request over a network (embedding). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../../../src/core/message/replies.ts';
import { type InjectedRequest, inject } from '../../../src/core/wire/in-memory.ts';
import { HttpService } from '../../../src/core/wire/service.ts';
import { ask } from '../../support/ask.ts';
import { serve, serveHandler } from '../../support/serve.ts';

const json = { 'Content-Type': 'application/json' };
const REQUESTS: readonly InjectedRequest[] = [
  { path: '/api/todo' },
  { path: '/API/Todo/?x=%' },
  { path: '/api/todo', headers: { 'If-None-Match': '*' } },
  { path: '/api/todo', headers: { Accept: 'text/plain' } },
  { path: '/api/todo/nope' },
  { path: '/api/todo/%zz' },
  { method: 'POST', path: '/api/todo', headers: json, body: '{"name":5}' },
  { method: 'POST', path: '/api/todo', headers: json, body: Buffer.from('{') },
  { method: 'POST', path: '/api/todo', body: '{}' },
  { method: 'PUT', path: '/api/todo/x', headers: json },
  { method: 'DELETE', path: '/api/todo/x' },
  { method: 'HEAD', path: '/swagger/v1/swagger.json' },
  { path: '/swagger/v1/swagger.json' },
  { path: '/swagger/ui' },
  { path: `/${'x'.repeat(9000)}` },
  { path: '/', headers: { Expect: 'nothing' } },
  { path: '/', headers: { 'X-Long': 'x'.repeat(20_000) } },
];
for (const { method = 'GET', path, headers = {}, body } of REQUESTS) {
  test(`embedding – ${method} ${path.slice(0, 40)} ${JSON.stringify(headers).slice(0, 60)} injected → as over a socket`, async (t) => {
    const { port, service } = await serve(t, { drainTimeout: 50 });
    const real = await ask(port, {
      method,
      target: path,
      headers: { Host: 'localhost', ...(headers as Record<string, string>) },
      ...(body !== undefined && { body }),
    });
    const injected = await inject(service.server, { method, path, headers, ...(body !== undefined && { body }) });
    const plain = (of: object) => ({ ...of, 'x-request-id': '', date: '', 'content-length': '' });
    assert.equal(injected.status, real.status);
    assert.deepEqual(plain(injected.headers), plain(real.headers));
    const id = /"requestId":"[^"]*"/;
    assert.equal(injected.body.replace(id, ''), real.text.replace(id, ''));
  });
}

test('embedding – POST and GET injected into a service that never listens → stored and read', async (t) => {
  const { service, port } = await serve(t);
  const { status, headers, body } = await inject(service.server, {
    method: 'POST',
    path: '/api/todo',
    headers: json,
    body: '{"name":"New"}',
  });
  assert.equal(status, 201);
  assert.equal((await inject(service.server, { path: headers.location! })).body, body);
  assert.equal((await ask(port, { target: headers.location! })).text, body);
  const unheard = new HttpService(async (context) => text(String((await context.body()).length)));
  assert.equal((await inject(unheard.server, { method: 'POST', path: '/', body: 'x'.repeat(300_000) })).body, '300000');
});

test('embedding – a reply that is no text, injected → its bytes', async (t) => {
  const sent = Buffer.from([0, 0xff, 0xfe, 0x80]);
  const { service } = await serveHandler(t, () => ({ status: 200, headers: {}, body: sent }));
  assert.deepEqual((await inject(service.server, { path: '/' })).bytes, sent);
});

test('embedding – a large reply injected → whole', async (t) => {
  const { service } = await serveHandler(t, () => ({
    status: 200,
    headers: {},
    body: Array.from({ length: 100 }, () => Buffer.alloc(64 * 1024, 'x')),
  }));
  assert.equal((await inject(service.server, { path: '/' })).body.length, 6_553_600);
});

test('embedding – a request whose connection is cut → the injection rejects', async (t) => {
  const { service } = await serveHandler(t, (context) => {
    context.request.socket.destroy();
    return text('');
  });
  await assert.rejects(inject(service.server, { path: '/' }));
});
