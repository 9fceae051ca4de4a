import assert from 'node:assert/strict';
import { Client } from '../client.ts';
import { addItem, listItems, removeItem } from '../items.ts';
import { startService } from '../running-service.ts';
import { latency, letGo, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

const MIB = 2 ** 20;

export const smallHeap: Fault = {
  name: '64 MB of heap → full is 507, reading and many slow readers go on, deleting makes room',
  async run() {
    const service = await startService({ node: ['--max-old-space-size=64'], flags: ['--health-checks', 'on'] });
    const { port } = service;
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const client = new Client(port);
        let status = 201;
        for (let count = 0; status === 201; count++)
          ({ status } = await client.send('POST', '/api/todo', { name: 'x'.repeat((count * 37 + at) % 2500) }));
        assert.equal(status, 507);
        client.close();
      }),
    );
    const full = await listItems(port);
    assert.equal(await addItem(port, 'y'.repeat(100_000)), undefined);
    const reader = new Client(port);
    for (const { key } of full.filter((_, at) => at % 4 === 0))
      assert.equal((await reader.send('GET', `/api/todo/${key}`)).status, 200);
    const readers = await silentOnes(port, 200);
    for (const [at, socket] of readers.entries()) {
      socket.write('GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n');
      if (at % 10 === 9)
        await reader.send('PATCH', `/api/todo/${full[(at * 97) % full.length]!.key}`, { name: 'changed' });
    }
    assert.ok((await latency(port)) < 3000);
    assert.ok(service.memory() < 300 * MIB, `${service.memory() / MIB} MiB of memory`);
    letGo(readers);
    for (const { key } of full.slice(-1000)) assert.ok(await removeItem(port, key));
    assert.ok(await addItem(port, 'room again'));
    assert.equal((await listItems(port)).length, full.length - 1000 + 1);
    reader.close();
    assert.equal((await service.stop()).code, 0);
  },
};
