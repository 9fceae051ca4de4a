import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { addItem, assertIntact, type Item } from '../items.ts';
import { metric } from '../metric.ts';
import { startService } from '../running-service.ts';
import { latency, letGo, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

const MIB = 2 ** 20;

export const slowReaders: Fault = {
  name: 'sixty clients that ask for 20 MB and do not read → one copy for all, each cut after its time',
  async run() {
    const service = await startService({
      flags: ['--health-checks', 'on', '--metrics', 'on', '--write-timeout', '3s'],
    });
    const { port } = service;
    const items: Item[] = [];
    for (let at = 0; at < 25; at++) items.push((await addItem(port, `${at}`.padEnd(800_000, 'x')))!);
    await assertIntact(port, items);
    const before = service.memory();
    const sockets = await silentOnes(port, 60);
    for (const socket of sockets)
      socket.write('GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\nGET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.ok((await latency(port)) < 3000);
    const grown = service.memory() - before;
    assert.ok(grown < 100 * MIB, `${Math.round(grown / MIB)} MiB of memory for slow readers`);
    await until(
      async () => (await metric(port, 'http_connections')) <= 2,
      'the end of clients that do not read',
      30_000,
    );
    letGo(sockets);
    await assertIntact(port, items);
    assert.equal((await service.stop()).code, 0);
  },
};
