import assert from 'node:assert/strict';
import { once } from 'node:events';
import { startService } from '../running-service.ts';
import { silent } from './connections.ts';
import type { Fault } from './fault.ts';

const UNFINISHED = [
  'POST /api/todo HTTP/1.1',
  'Host: a',
  'Content-Type: application/json',
  'Expect: 100-continue',
  'Content-Length: 21',
  '',
  '',
].join('\r\n');

export const stopTwice: Fault = {
  name: 'a second signal → ends now; no second one → the grace period ends it with 0',
  async run() {
    for (const [first, second, code] of [
      ['SIGTERM', 'SIGTERM', 143],
      ['SIGINT', 'SIGINT', 130],
      ['SIGTERM', undefined, 0],
    ] as const) {
      const service = await startService({ flags: ['--shutdown-grace', '1500ms'], stdio: ['ignore', 'pipe', 'pipe'] });
      const client = await silent(service.port);
      client.write(UNFINISHED);
      client.resume();
      // 100 Continue: the request runs.
      await once(client, 'data');
      const from = performance.now();
      const told = once(service.child.stdout!, 'data');
      service.child.kill(first);
      await told;
      if (second !== undefined) service.child.kill(second);
      assert.equal((await service.exited).code, code);
      const took = performance.now() - from;
      assert.ok(second === undefined ? took > 1400 && took < 3000 : took < 1000, `${took} ms`);
    }
  },
};
