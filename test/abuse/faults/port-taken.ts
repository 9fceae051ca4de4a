import assert from 'node:assert/strict';
import { addItem, assertIntact } from '../items.ts';
import { spawnService, startService } from '../running-service.ts';
import type { Fault } from './fault.ts';

export const portTaken: Fault = {
  name: 'port taken → one line, exit code 1, the other service goes on',
  async run() {
    const first = await startService();
    const item = (await addItem(first.port, 'first'))!;
    const second = spawnService({ port: first.port });
    const { code } = await second.exited;
    assert.equal(code, 1);
    assert.match(second.errors().replace(/^npm .*\n/gm, ''), /^Cannot listen on .*another program listens there.*\n$/);
    await assertIntact(first.port, [item]);
    await first.stop();
  },
};
