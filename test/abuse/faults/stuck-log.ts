import assert from 'node:assert/strict';
import { Client } from '../client.ts';
import { startService } from '../running-service.ts';
import { latency } from './connections.ts';
import type { Fault } from './fault.ts';

/** More than a pipe holds, and more than may wait. */
const REQUESTS = 12_000;

export const stuckLog: Fault = {
  name: 'the reader of the access log is stuck → nobody waits for it, memory is bounded, the end comes',
  async run() {
    for (const flag of ['on', '3']) {
      const service = await startService({
        flags: ['--access-log', flag, '--health-checks', 'on'],
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
      service.child.stdout!.pause();
      const before = service.memory();
      const path = `/health?${'x'.repeat(10)}`;
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const client = new Client(service.port);
          const long = `${path}/${'y'.repeat(150)}`;
          for (let count = 0; count < REQUESTS / 8; count++) assert.equal((await client.send('GET', long)).status, 200);
          client.close();
        }),
      );
      assert.ok((await latency(service.port)) < 1000);
      assert.ok(service.memory() - before < 120 * 2 ** 20);
      const from = performance.now();
      assert.equal((await service.stop()).code, 0);
      assert.ok(performance.now() - from < 3000, `--access-log ${flag}: the end took ${performance.now() - from} ms`);
    }
  },
};
