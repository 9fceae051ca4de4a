/** Tests what a build is told about itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { buildFacts, versionText } from './build-facts.ts';

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
