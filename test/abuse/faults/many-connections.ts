import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { readAnswers } from '../answers.ts';
import { faultsOf } from '../rules.ts';
import { startService } from '../running-service.ts';
import { latency, letGo, readToEnd, silent, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

export const manyConnections: Fault = {
  name: 'more connections than allowed → 503 with Retry-After, whole; taken again when others go',
  async run() {
    const service = await startService({
      flags: ['--max-connections', '50', '--health-checks', 'on', '--idle-timeout', '1s'],
    });
    const { port } = service;
    const sockets = await silentOnes(port, 50);
    for (const socket of sockets) socket.write('GET /health HTTP/1.1\r\n');
    for (let count = 0; count < 20; count++) {
      const {
        answers: [answer],
        fault,
      } = readAnswers(await readToEnd(await silent(port)));
      assert.equal(fault, undefined);
      assert.equal(answer?.status, 503);
      assert.deepEqual(faultsOf(answer, true), []);
      assert.ok(answer.headers.has('retry-after'));
    }
    letGo(sockets);
    await until(
      () =>
        latency(port).then(
          () => true,
          () => false,
        ),
      'an answer when the others have gone',
    );
    assert.equal((await service.stop()).code, 0);
  },
};
