import assert from 'node:assert/strict';
import { addItem, assertIntact } from '../items.ts';
import { startService } from '../running-service.ts';
import { latency } from './connections.ts';
import type { Fault } from './fault.ts';

export const closedOutput: Fault = {
  name: 'standard output and error closed by their readers → serves on, ends as told',
  async run() {
    const service = await startService({ flags: ['--access-log', 'on', '--health-checks', 'on'] });
    const { port, child } = service;
    const item = (await addItem(port, 'kept'))!;
    child.stdout!.destroy();
    child.stderr!.destroy();
    for (let count = 0; count < 200; count++) await latency(port);
    await assertIntact(port, [item]);
    assert.equal((await service.stop()).code, 0);
  },
};
