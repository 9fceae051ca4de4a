import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { addItem, assertIntact } from '../items.ts';
import { metric } from '../metric.ts';
import { startService } from '../running-service.ts';
import { silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

/** What a client has sent when it leaves. */
export const WAYS: readonly string[] = [
  '',
  'G',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\nContent-Type: application/json\r\n\r\n{"name',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n\r\n',
  'GET /swagger/ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n',
];

/** Makes so many connections, and resets each at one of the stages. */
export async function resetMany(port: number, count: number): Promise<void> {
  const sockets = await silentOnes(port, count);
  for (const [at, socket] of sockets.entries()) socket.write(WAYS[at % WAYS.length]!, () => socket.resetAndDestroy());
}

export const resets: Fault = {
  name: 'four thousand connections reset at every stage → no trace of them',
  async run() {
    const service = await startService({ flags: ['--metrics', 'on'] });
    const { port } = service;
    const item = (await addItem(port, 'kept'))!;
    for (let round = 0; round < 20; round++) await resetMany(port, 200);
    await until(async () => (await metric(port, 'http_connections')) <= 2, 'no connection left');
    await assertIntact(port, [item]);
    assert.equal(service.errors().replace(/^npm .*\n/gm, ''), '');
    assert.equal((await service.stop()).code, 0);
  },
};
