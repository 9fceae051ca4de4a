/**
 * Checks that `test/` mirrors `src/`: each folder is a room of `src/` or one of the folders below.
 * `test/README.md` says where a case belongs.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { ALONE } from '../run/alone.ts';
import { APART } from '../run/apart.ts';
import { filesIn } from './source-files.ts';

/** Folders of `test/` that are about the whole service or the project. */
const OTHERS = [
  ...['abuse', 'bench', 'browser', 'clients', 'deploy', 'e2e', 'engines', 'expressions', 'hosts', 'house', 'lending'],
  ...['lessons', 'manifests', 'meters', 'opentelemetry', 'release', 'run', 'schemas', 'style', 'support', 'surface'],
];

/** Folders of tests that are neither a room nor listed. Paths are below `src/` and `test/`. */
function misplaced(sources: readonly string[], testFiles: readonly string[]): string[] {
  const folders = [...new Set(testFiles.map((path) => posix.dirname(path)))];
  return folders.filter(
    (folder) =>
      folder !== '.' &&
      !OTHERS.includes(folder.split('/')[0]!) &&
      !sources.some((source) => source.startsWith(`${folder}/`)),
  );
}

for (const [testFiles, faults] of [
  [['http/reply/a.test.ts', 'http/b.test.ts', 'e2e/b.test.ts', 'main.test.ts'], []],
  [
    ['http/reply/a.test.ts', 'http/replies/x.ts', 'misc/x.ts'],
    ['http/replies', 'misc'],
  ],
] as const) {
  test(`house – tests ${testFiles.join(', ')} → ${faults.join(' and ') || 'none'} out of place`, () => {
    assert.deepEqual(misplaced(['http/reply/a.ts'], testFiles), faults);
  });
}

test('house – the tests → mirror src', () => {
  const below = (folder: string): string[] => filesIn(folder).map((path) => posix.relative(folder, path));
  const [sources, tests] = [below('src'), below('test')];
  assert.ok(sources.length > 100 && tests.length > 100, `${sources.length} sources, ${tests.length} files of tests`);
  assert.deepEqual(misplaced(sources, tests), []);
});

test('house – the test files that run alone, and those that npm test leaves out → are there', () => {
  const files = filesIn('test');
  const named = [...Object.keys(ALONE), ...Object.keys(APART)];
  assert.deepEqual(
    named.filter((place) => !files.some((file) => file === place || (place.endsWith('/') && file.startsWith(place)))),
    [],
  );
});
