import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { until } from '../../support/until.ts';
import { builtService } from '../built-service.ts';
import { addItem, assertIntact } from '../items.ts';
import { startService } from '../running-service.ts';
import { latency, letGo, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

export const fewDescriptors: Fault = {
  name: 'no descriptors left → goes on when connections go',
  async run() {
    if (spawnSync('prlimit', ['--version']).error !== undefined) return 'there is no prlimit here';
    // The sources are many files, which are loaded at once.
    const service = await startService({
      program: [await builtService()],
      through: ['prlimit', '--nofile=64'],
      flags: ['--health-checks', 'on', '--static', 'static/site'],
    });
    const item = (await addItem(service.port, 'kept'))!;
    for (let round = 0; round < 3; round++) {
      const sockets = await silentOnes(service.port, 150);
      for (const socket of sockets) socket.write('GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n');
      letGo(sockets.slice(0, 75));
      letGo(sockets);
      await until(
        () =>
          latency(service.port).then(
            () => true,
            () => false,
          ),
        'an answer after the connections have gone',
        10_000,
      );
    }
    // A connection of the last round may still be on its way out.
    await until(
      () =>
        assertIntact(service.port, [item]).then(
          () => true,
          () => false,
        ),
      'the items',
    );
    assert.equal((await service.stop()).code, 0);
  },
};
