/** `todo.service` (D111). The program's side of it, the exit codes, has tests with `main`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const unit = textOf('test/deploy/todo.service');
const linesOf = (section: string): string[] =>
  (unit.split(/^(?=\[)/m).find((text) => text.startsWith(`[${section}]\n`)) ?? '').split('\n');

test('D111 – the unit → a start that failed with code 1 is tried again without end, one with code 2 is not', () => {
  // systemd reads the limit in the first of the two sections alone.
  assert.ok(linesOf('Unit').includes('StartLimitIntervalSec=0'));
  for (const line of ['Restart=on-failure', 'RestartSec=2s', 'RestartPreventExitStatus=2'])
    assert.ok(linesOf('Service').includes(line), line);
});

const skip = spawnSync('systemd-analyze', ['--version']).error !== undefined && 'there is no systemd-analyze here';

/** What systemd-analyze says of the unit, with these arguments: nothing, and 0, where all is well. */
function analyzed(...given: readonly string[]) {
  const folder = temporaryFolder({ 'todo.service': unit.replace('/usr/bin/node', process.execPath) });
  const path = join(folder, 'todo.service');
  const { status, stderr } = spawnSync('systemd-analyze', [...given, path], { encoding: 'utf8' });
  return [status, stderr];
}

test('D111 – the unit → systemd has no complaint', { skip }, () => assert.deepEqual(analyzed('verify'), [0, '']));

test('D111 – the unit → an exposure of at most 2.0', { skip }, () =>
  assert.deepEqual(analyzed('security', '--no-pager', '--offline=true', '--threshold=20'), [0, '']),
);
