/** Tests that the service survives in a container with the least memory that the pages promise (D121). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { builtService } from '../abuse/built-service.ts';
import { isLong } from '../support/long-run.ts';
import { container } from './memory/container.ts';
import { inContainer } from './memory/in-container.ts';

const MIB = 2 ** 20;
const LEAST = 256 * MIB;

for (const size of [20, 2000, 1_000_000])
  test(`D121 – 256 MiB, full of items with names of ${size}, 40 lists and 200 PUTs of 1 MB at once → the service survives and answers all`, async (t) => {
    if (!isLong) return t.skip('it takes a minute; npm run test:long has it');
    const trial = await inContainer(LEAST, size, [await builtService()]);
    if (typeof trial === 'string') return t.skip(trial);
    const { kills, parts, errors } = trial;
    for (const { name, peak } of parts) t.diagnostic(`${name}: at most ${Math.round(peak / MIB)} MiB`);
    assert.equal(kills, 0, errors);
    const counts = (name: string) => parts.find((part) => part.name === name)?.answers ?? new Map<string, number>();
    assert.deepEqual([...counts('lists')], [['200', 40]], errors);
    const ofPuts = [...counts('PUTs')];
    assert.deepEqual(
      ofPuts.filter(([status]) => !['204', '503', '507'].includes(status)),
      [],
    );
    assert.equal(
      ofPuts.reduce((sum, [, count]) => sum + count, 0),
      200,
    );
  });

test('D121 – a process that needs more memory than its container has → is killed, and the trial reports it', async (t) => {
  const limit = container(64 * MIB);
  if (typeof limit === 'string') return t.skip(limit);
  const [command = '', ...rest] = limit.through;
  const { signal } = spawnSync(command, [...rest, process.execPath, '-e', 'Buffer.alloc(200 * 2 ** 20, 1)']);
  assert.deepEqual([signal, limit.kills()], ['SIGKILL', 1]);
  limit.remove();
});
