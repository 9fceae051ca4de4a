import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Client } from '../support/ask.ts';
import { stopUnderLoad } from './faults/stop-faults.ts';
import { startService } from './running-service.ts';

test('shutdown – SIGTERM under load → every request answered whole or never accepted', { timeout: 60_000 }, () =>
  stopUnderLoad(12),
);

test('D32 – thirty connections opened while the process is suspended, then SIGTERM → all answered, and /ready is 503', async () => {
  const { port, child, stop } = await startService({ flags: ['--health-checks', 'on'] });
  child.kill('SIGSTOP');
  const clients = Array.from({ length: 30 }, () => new Client(port));
  await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
  const answers = clients.map((client, at) => client.ask({ target: at % 2 === 0 ? '/api/todo' : '/ready' }));
  const exited = stop();
  child.kill('SIGCONT');
  for (const [at, { status }] of (await Promise.all(answers)).entries()) assert.equal(status, at % 2 === 0 ? 200 : 503);
  assert.equal((await exited).code, 0);
});
