/** `todo.service` and `todo@.service` (D111). The program's side of it, the exit codes, has tests with `main`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const UNITS = {
  'todo.service': textOf('test/deploy/todo.service'),
  'todo@1.service': textOf('test/deploy/todo@.service'),
};
type Name = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as readonly Name[];
const linesOf = (unit: string, section: string): string[] =>
  (unit.split(/^(?=\[)/m).find((text) => text.startsWith(`[${section}]\n`)) ?? '').split('\n');

for (const name of NAMES)
  test(`D111 – ${name} → a start that failed with code 1 is tried again without end, one with code 2 is not`, () => {
    // systemd reads the limit in the first of the two sections alone.
    assert.ok(linesOf(UNITS[name], 'Unit').includes('StartLimitIntervalSec=0'));
    for (const line of ['Restart=on-failure', 'RestartSec=2s', 'RestartPreventExitStatus=2'])
      assert.ok(linesOf(UNITS[name], 'Service').includes(line), line);
  });

test('D87 – the two units → the same rights, and the instances of the template have one user and admin ports of their own', () => {
  const [one, several] = NAMES.map((name) => UNITS[name].slice(UNITS[name].indexOf('UMask=')));
  assert.equal(several, one);
  assert.ok(linesOf(UNITS['todo@1.service'], 'Service').includes('User=todo'));
  assert.match(UNITS['todo@1.service'], / --reuse-port on .* --admin-port \d*%i$/m);
});

const skip = spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd-analyze here';

/** What systemd-analyze says of the unit, with these arguments: nothing, and 0, where all is well. */
function analyzed(name: Name, ...given: readonly string[]) {
  const folder = temporaryFolder({ [name]: UNITS[name].replace('/usr/bin/node', process.execPath) });
  const { status, stderr } = spawnSync('systemd-analyze', [...given, join(folder, name)], { encoding: 'utf8' });
  return [status, stderr];
}

for (const name of NAMES) {
  test(`D111 – ${name} → systemd has no complaint`, { skip }, () =>
    assert.deepEqual(analyzed(name, 'verify'), [0, '']),
  );

  test(`D111 – ${name} → an exposure of at most 2.0`, { skip }, () =>
    assert.deepEqual(analyzed(name, 'security', '--no-pager', '--offline=true', '--threshold=20'), [0, '']),
  );
}
