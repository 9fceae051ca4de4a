/** What people read stays readable: lines have at most 120 characters, files begin with what they decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

const MAX_WIDTH = 120;
const sources = [...filesIn('src'), ...filesIn('test'), ...filesIn('static'), ...filesIn('.ci')].filter(
  (path) =>
    /\.(?:ts|mjs|js)$|^\.ci\//.test(path) && !path.startsWith('static/swagger-ui/') && !path.includes('/generated/'),
);
const linesOf = (path: string): string[] => textOf(path).replace(/\n$/, '').split('\n');

/**
 * A text or an expression that no formatter breaks: what is left of the line without it is short. Or a command in a
 * comment: no sign continues a line in every shell.
 */
const isUnbreakable = (line: string): boolean =>
  /^ \* {5}node /.test(line) ||
  (!/^\s*(?:\/?\*|\/\/)/.test(line) &&
    line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\]|\\.)+\/[a-z]*|`.*$/g, '').length <=
      MAX_WIDTH);

test(`house – every source line → at most ${MAX_WIDTH} characters, but for long texts and expressions`, () => {
  assert.ok(sources.length > 200, `${sources.length} files were found`);
  const long = sources.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.length > MAX_WIDTH && !isUnbreakable(line) ? [`${path}:${at + 1}`] : [])),
  );
  assert.deepEqual(long, []);
});

test('house – every file of src → begins with a sentence about what it decides or does', () => {
  const headless = sources.filter((path) => path.startsWith('src/') && !/^\/\*\*\s+(?:\* )?[A-Z\`]/.test(textOf(path)));
  assert.deepEqual(headless, []);
});

test('house – every source that a comment of src names → is there', () => {
  const files = sources.filter((path) => path.startsWith('src/'));
  const missing = files.flatMap((path) =>
    [...textOf(path).matchAll(/\`((?:[\w-]+\/)*[\w-]+\.(?:test\.|types\.)?ts)\`/g)].flatMap(([, named]) =>
      [...sources].some((source) => source === named || source.endsWith(`/${named}`)) ? [] : [`${path}: ${named}`],
    ),
  );
  assert.deepEqual(missing, []);
});
