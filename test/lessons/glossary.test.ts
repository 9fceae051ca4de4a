/** Tests the glossary: it has few words, and all words of the lessons. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, textOf } from '../house/source-files.ts';
import { lessons } from './lessons.ts';

const MAX_WORDS = 38;
const glossary = textOf('test/lessons/glossary.md');
const rows = glossary.split('\n').filter((line) => line.startsWith('| **'));
const boldIn = (text: string): string[] => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word]) => word!);

test(`lessons – the glossary → at most ${MAX_WORDS} words, each in one line`, () => {
  assert.ok(rows.length > 20 && rows.length <= MAX_WORDS, `${rows.length} words`);
  for (const row of rows) assert.match(row, /^\| \*\*[^|]+ \| [^|]{10,130} \|$/);
});

test('lessons – a word that a lesson introduces → in the glossary, which the first lesson and the pages link', () => {
  const known = rows.flatMap(boldIn);
  for (const { name, text } of lessons())
    for (const word of boldIn(text)) assert.ok(known.includes(word), `${name} introduces "${word}"`);
  for (const page of ['README.md', 'teacher.md', '01-fold/README.md'])
    assert.match(textOf(`test/lessons/${page}`), /\]\((?:\.\.\/)?glossary\.md\)/, page);
});

test('lessons – the pages and the code → use no "behind", "in front" or "station"', () => {
  const pages = [...filesIn('test/lessons').filter((path) => !path.endsWith('.test.ts')), 'src/service/explain.ts'];
  const found = pages.flatMap((path) =>
    [...textOf(path).matchAll(/.*\b(?:[Bb]ehind|[Ii]n front|station)\b.*/g)].map(([line]) => `${path}: ${line.trim()}`),
  );
  assert.deepEqual(found, []);
});
