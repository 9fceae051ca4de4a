/** What is read by people stays readable: no line beyond 140 characters, no file of `src` beyond 200 lines (house). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

const LONGEST_LINE = 140,
  LONGEST_FILE = 200;
const sources = [...filesIn('src'), ...filesIn('test'), ...filesIn('static'), ...filesIn('.ci')].filter(
  (path) =>
    /\.(?:ts|mjs|js)$|^\.ci\//.test(path) && !path.startsWith('static/swagger-ui/') && !path.includes('/generated/'),
);
const linesOf = (path: string): string[] => textOf(path).replace(/\n$/, '').split('\n');

test('house – every source line → at most 140 characters', () => {
  assert.ok(sources.length > 200, `${sources.length} files were found`);
  const long = sources.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.length > LONGEST_LINE ? [`${path}:${at + 1}`] : [])),
  );
  assert.deepEqual(long, []);
});

test('house – every file of src → at most 200 lines', () => {
  assert.deepEqual(
    sources.filter((path) => path.startsWith('src/') && linesOf(path).length > LONGEST_FILE),
    [],
  );
});
