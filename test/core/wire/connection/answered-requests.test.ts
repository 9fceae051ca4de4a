/** What an answered request has held is free again, also while its connection stays open. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { SOURCE_LOADER } from '../../../support/program.ts';

/** V8 takes some time to give memory back, and the last request may be known until the next. */
const STILL_KNOWN = 5;

test('answered requests – what they held → is free after a collection of the new space, and so not copied on', () => {
  const command = [...SOURCE_LOADER, '--no-warnings', join(import.meta.dirname, 'answered-requests-run.ts')];
  const env = { ...process.env, NODE_V8_COVERAGE: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env, timeout: 30_000 });
  assert.equal(stderr, '');
  const { requests, left } = JSON.parse(stdout) as {
    readonly requests: number;
    readonly left: Readonly<Record<string, { readonly minor: number; readonly full: number }>>;
  };
  assert.ok(requests > 2 * STILL_KNOWN && Object.keys(left).length > 0);
  for (const [what, { minor, full }] of Object.entries(left)) {
    assert.ok(minor <= STILL_KNOWN, `${what}: ${minor} of ${requests} are kept by what is in the old space`);
    assert.ok(full <= STILL_KNOWN, `${what}: ${full} of ${requests} are kept by their open connections`);
  }
});
