import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startService } from '../running-service.ts';
import { silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc'];

export const stopFirstProcess: Fault = {
  name: 'SIGTERM as process 1 → ends with 0 within a second',
  async run() {
    const { status, stderr, error } = spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), 'true'], { encoding: 'utf8' });
    if (status !== 0) return `no namespace of its own here: ${error?.message ?? stderr.trim()}`;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await startService({ through: NAMESPACE });
      const outer = service.child.pid!;
      await silentOnes(service.port, 3);
      const inner = Number(readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim());
      const from = performance.now();
      process.kill(inner, signal);
      assert.equal((await service.exited).code, 0);
      assert.ok(performance.now() - from < 1000);
    }
  },
};
