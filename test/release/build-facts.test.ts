/** Tests what a build is told about itself, and what the command for a release is told. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { buildFacts, ROOT, versionText } from './build-facts.ts';

const { version } = JSON.parse(textOf('package.json')) as { version: string };

test('D88 – COMMIT and SOURCE_DATE_EPOCH → what the build tells, in the place of git', () => {
  const facts = buildFacts({ COMMIT: '0123456789ab', SOURCE_DATE_EPOCH: '1790000000' });
  assert.deepEqual(facts, { version, commit: '0123456789ab', modified: 1_790_000_000_000 });
  assert.equal(versionText(facts), `${version} (commit 0123456789ab)`);
});

test('D88 – neither of them → the commit of git with its time, or unknown', () => {
  const { commit, modified } = buildFacts({});
  assert.match(commit, /^(?:[0-9a-f]{12,}(?:, changed)?|unknown)$/);
  assert.equal(modified > 0, commit !== 'unknown');
});

for (const epoch of ['yesterday', '-1', '1.5'])
  test(`D88 – SOURCE_DATE_EPOCH ${epoch} → refused`, () => {
    assert.throws(
      () => buildFacts({ SOURCE_DATE_EPOCH: epoch }),
      new RegExp(`^RangeError: Cannot build: SOURCE_DATE_EPOCH "${epoch}" is no time; give seconds since 1970$`),
    );
  });

for (const words of [['--node', process.execPath], ['--node'], ['1.0.0']])
  test(`D91 – npm run release -- ${words.map((word) => word.replace(/^.*\//, '')).join(' ')} → refused in a line, before anything is made`, () => {
    const timeOf = () => statSync(join(ROOT, 'release'), { throwIfNoEntry: false })?.mtimeMs;
    const before = timeOf();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/release/release.ts', ...words],
      { cwd: ROOT, encoding: 'utf8', timeout: 20_000 },
    );
    assert.deepEqual([status, stdout, timeOf()], [2, '', before]);
    assert.match(stderr, /^Cannot make a release with "[^"\n]+": npm run release takes no arguments; [^\n]+\n$/);
  });
