/** How many connections may be open, and what an answered request leaves while its connection stays open. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { text } from '../../../../src/core/http/replies.ts';
import { ask, Client } from '../../../support/ask.ts';
import { assertParserProblem } from '../../../support/problem.ts';
import { logged, serve, serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

test('limits – a connection above the limit → 503 with Retry-After, then the end', async (t) => {
  const { port, service } = await serve(t, { maxConnections: 2 });
  const first = new Client(port);
  const second = new Client(port);
  for (const client of [first, second]) assert.equal((await client.ask({ target: '/api/todo' })).status, 200);
  const third = new Client(port);
  void third.send({ target: '/api/todo' });
  const [refused, ...more] = await third.answers();
  assertParserProblem(refused!, 503);
  assert.equal(refused!.headers['retry-after'], '1');
  assert.equal(refused!.headers['connection'], 'close');
  assert.equal(more.length, 0);
  assert.equal((await second.ask({ target: '/api/todo' })).status, 200, 'those that are open go on');
  const [{ socket } = assert.fail()] = service.connections;
  const gone = once(socket, 'close');
  first.destroy();
  await gone;
  assert.equal((await ask(port, { target: '/api/todo' })).status, 200);
  second.destroy();
  assert.match(logged.splice(0).join(), /"The limit maxConnections is reached/);
});

test('limits – a silent connection above the limit → gets the 503 too', async (t) => {
  const { port } = await serve(t, { maxConnections: 1 });
  const first = new Client(port);
  await first.ask({ target: '/api/todo' });
  const [refused] = await new Client(port).answers();
  assertParserProblem(refused!, 503);
  first.destroy();
  assert.match(logged.splice(0).join(), /"The limit maxConnections is reached/);
});

test('limits – any number of requests on a connection by default → kept', async (t) => {
  const { client } = await serve(t);
  for (let at = 0; at < 300; at += 1)
    assert.equal((await client.ask({ target: '/api/todo' })).headers['connection'], 'keep-alive');
});

test('RFC 9112 9.3 – HTTP/1.0 → closed, unless it asks to be kept', async (t) => {
  const { port } = await serve(t);
  assert.equal((await ask(port, { target: '/api/todo', version: '1.0', headers: { Connection: [] } })).status, 200);
  const kept = new Client(port);
  const question = { target: '/api/todo', version: '1.0', headers: { Connection: 'keep-alive' } };
  for (let at = 0; at < 2; at += 1) assert.equal((await kept.ask(question)).status, 200);
});

test('wire errors – connections that open and close without a request → leave no log line', async (t) => {
  const { port, service } = await serve(t);
  const clients = Array.from({ length: 30 }, () => new Client(port));
  await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
  const other = new Client(port);
  await other.ask({ target: '/api/todo' });
  const gone = [...service.connections]
    .slice(0, 30)
    .map(({ socket }) => new Promise((closed) => void socket.once('close', closed)));
  for (const [at, client] of clients.entries())
    [() => client.end(), () => client.reset(), () => client.destroy()][at % 3]!();
  await Promise.all(gone);
  assert.equal(service.connections.size, 1);
  assert.equal((await other.ask({ target: '/api/todo' })).status, 200);
});

test('limits – answered requests whose connections stay open → their bodies are not kept', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bodies: WeakRef<object>[] = [];
  const { port, service } = await serveHandler(t, async (context) => {
    const body = await context.body();
    bodies.push(new WeakRef(body));
    return text(String(body.length));
  });
  const clients = Array.from({ length: 10 }, () => new Client(port));
  t.after(() => clients.forEach((client) => void client.destroy()));
  for (const client of clients) assert.equal((await client.ask({ method: 'POST', body: 'a body' })).text, '6');
  // The last request may be known until the next.
  const kept = (): number => (collect(), bodies.filter((body) => body.deref() !== undefined).length);
  await until(() => kept() <= 1, 'the bodies are free');
  assert.deepEqual([bodies.length, service.connections.size], [10, 10]);
});
