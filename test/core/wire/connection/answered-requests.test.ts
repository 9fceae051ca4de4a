/** What an answered request has held is free again, also while its connection stays open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { text } from '../../../../src/core/message/replies.ts';
import { Client } from '../../../support/ask.ts';
import { serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

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
