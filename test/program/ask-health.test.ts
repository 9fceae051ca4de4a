/** Tests what `--health` reports about a service. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { test } from 'node:test';
import { askHealth } from '../../src/program/ask-health.ts';
import { defaults } from '../../src/program/settings/settings.ts';

async function asked(answer: RequestListener, healthChecks = false, host = '0.0.0.0', address = '127.0.0.1') {
  const server = createServer(answer).listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const health = await askHealth({ ...defaults(), host, port, healthChecks, allowedHosts: [] });
  server.close();
  server.closeAllConnections();
  return health;
}

test('operation – no checks → asks for the head of the description', async () => {
  const health = await asked((request, response) => response.writeHead(request.method === 'HEAD' ? 200 : 404).end());
  assert.deepEqual(health, { healthy: true, line: 'HEAD /swagger/v1/swagger.json: 200' });
});

test('operation – checks on → asks /ready', async () => {
  const health = await asked((_, response) => response.writeHead(503).end('{}'), true);
  assert.deepEqual(health, { healthy: false, line: 'GET /ready: 503' });
});

test('operation – the connection is cut → unhealthy', async () => {
  const health = await asked((request) => request.socket.destroy());
  assert.equal(health.healthy, false);
});

test('operation – nobody listens, or nobody knows where → unhealthy, and a line that says so', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  assert.deepEqual(await askHealth({ ...defaults(), host: '127.0.0.1', port, healthChecks: false, allowedHosts: [] }), {
    healthy: false,
    line: `Cannot ask the service at "127.0.0.1" port ${port}: ECONNREFUSED`,
  });
  assert.equal(
    (await askHealth({ ...defaults(), host: '127.0.0.1', port: 0, healthChecks: false, allowedHosts: [] })).healthy,
    false,
  );
});

for (const [host, address] of [
  ['::', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
] as const)
  test(`D45 – the service has ${host}, and answers at ${address} alone → it is asked there`, async () => {
    assert.equal((await asked((_, response) => response.end('{}'), true, host, address)).healthy, true);
  });
