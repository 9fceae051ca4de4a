/** Checks what the table `calls` of the bench counts, by the floor, whose functions one can count by reading it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';

/** Returns the lines behind the heading of the table. */
function calls(row: string): string[] {
  const command = ['test/bench/bench.mjs', '--only', 'calls', '--row', row, '--list'];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
  assert.equal(stderr, '');
  return stdout.slice(stdout.indexOf('## calls')).split('\n');
}

const FLOOR = [
  { row: 'one item by id', count: '2 (2, 1)', functions: 'json ×1, (anonymous) ×1' },
  {
    row: 'create (POST)',
    count: '6 (6, 1)',
    functions: 'json ×1, withBody ×1, (anonymous) ×1, (anonymous) ×1, (anonymous) ×1, (anonymous) ×1',
  },
];

for (const { row, count, functions } of FLOOR) {
  test(`bench – calls for ${row} → those of the functions in files, the same in each run`, () => {
    const lines = calls(row);
    const [header, , cells] = lines.slice(2).map((line) => line.split('|').map((cell) => cell.trim()));
    assert.equal(cells![header!.indexOf('floor')], count);
    assert.ok(lines.includes(`- test/bench/floor/server.mjs: ${functions}`), lines.join('\n'));
    assert.deepEqual(calls(row), lines);
  });
}
