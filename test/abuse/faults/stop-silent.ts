import assert from 'node:assert/strict';
import { startService } from '../running-service.ts';
import { latency, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

export const stopSilent: Fault = {
  name: 'SIGTERM with nobody, with silent and with kept connections → gone within a second',
  async run() {
    for (const clients of [0, 200]) {
      const service = await startService({ flags: ['--health-checks', 'on'] });
      if (clients > 0) await latency(service.port);
      await silentOnes(service.port, clients);
      const from = performance.now();
      assert.equal((await service.stop()).code, 0);
      assert.ok(performance.now() - from < 1000, `gone after ${performance.now() - from} ms`);
    }
  },
};
