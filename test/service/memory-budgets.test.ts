/** The default memory limits of items and bodies (D121). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { limitSettings } from '../../src/service/app.ts';
import { bodyBudget, storeBudget } from '../../src/service/memory-budgets.ts';
import { readSettings } from '../../src/service/settings/settings.ts';

const MIB = 2 ** 20;
const BODY = MIB;
/** Two bodies of the default size, compressed and decompressed. */
const LEAST = 4 * BODY + 64 * 1024;

// The heap limits are those of Node 20 to 24 in a container of this size.
for (const [container, heap, store] of [
  [Infinity, 4144, 1024],
  [4096, 2096, 512],
  [1024, 524, 119],
  [512, 259, 52.75],
  [256, 259, 32],
  [128, 259, 16],
  [64, 259, 8],
  // With --max-old-space-size=64, which does not limit the young generation.
  [Infinity, 112, 16],
  [256, 64, 8],
] as const)
  test(`D121 – a container of ${container} MiB, a heap of ${heap} MiB → items take ${store} MiB`, () =>
    assert.equal(storeBudget(heap * MIB, container * MIB), store * MIB));

for (const [container, maxBody, bytes] of [
  [Infinity, BODY, 64 * MIB],
  [1024, BODY, 64 * MIB],
  [512, BODY, 32 * MIB],
  [256, BODY, 16 * MIB],
  [128, BODY, 8 * MIB],
  [64, BODY, LEAST],
  [256, 32 * MIB, 128 * MIB + 64 * 1024],
  [Infinity, 32 * MIB, 128 * MIB + 64 * 1024],
] as const)
  test(`D121 – a container of ${container} MiB, bodies of ${maxBody} → ${bytes} bytes of bodies`, () =>
    assert.equal(bodyBudget(maxBody, container * MIB), bytes));

test('D121 – the process without a limit → the default budgets', () => {
  const heap = getHeapStatistics().heap_size_limit;
  assert.equal(storeBudget(), storeBudget(heap, process.constrainedMemory() || Infinity));
  assert.equal(limitSettings(readSettings([], {})).maxBodyMemory, bodyBudget(BODY));
  assert.equal(limitSettings(readSettings(['--max-body-memory', '5m'], {})).maxBodyMemory, 5 * MIB);
});
