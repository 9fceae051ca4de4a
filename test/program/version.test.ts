/** Tests what `--version` prints (D32). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version } from '../../src/program/actions/version.ts';
import { textOf } from '../house/source-files.ts';

test('D32 – --version, from the sources → the version of package.json, and where it runs from', () => {
  assert.equal(version(), `${JSON.parse(textOf('package.json')).version} (source)`);
});
