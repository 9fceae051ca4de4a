import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelRun } from './model.ts';
import { assertOrderKept } from './order.ts';
import { startService } from './running-service.ts';

test('abuse – twenty clients change the same items → no confirmed change is lost', { timeout: 60_000 }, async () => {
  const service = await startService();
  const { differences, conflicts } = await modelRun({ port: service.port, seed: 3, clients: 20, operations: 50 });
  assert.deepEqual(differences, []);
  assert.ok(conflicts > 0, "nobody was in anybody's way");
  await assertOrderKept(service.port, 40);
  assert.equal((await service.stop()).code, 0);
});
