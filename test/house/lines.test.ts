/** What people read stays readable: files begin with what they decide, and the files that they name are there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

const sources = [...filesIn('src'), ...filesIn('test')].filter((path) => path.endsWith('.ts'));

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
