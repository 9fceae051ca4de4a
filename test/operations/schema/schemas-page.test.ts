/** The table of the page on schemas has each keyword, each kind of schema that has it, and each format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../../src/operations/schema/keyword-checks.ts';
import { KEYWORDS } from '../../../src/operations/schema/schema.ts';
import { textOf } from '../../house/source-files.ts';

const [, table = ''] = /^\| Keyword \| Schemas \| Rule \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/m.exec(
  textOf('src/guide/schemas.md'),
)!;
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const rows = table
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [keywords, schemas, rule] = line.slice(2, -2).split(' | ') as [string, string, string];
    return {
      keywords: namesIn(keywords),
      schemas: schemas === 'all' ? Object.keys(KEYWORDS) : schemas.replaceAll('`', '').split(', '),
      rule,
    };
  });

for (const [schema, keywords] of Object.entries(KEYWORDS))
  test(`D68 – the page on schemas → lists each keyword of ${schema} once`, () => {
    const listed = rows.flatMap((row) => (row.schemas.includes(schema) ? row.keywords : []));
    assert.deepEqual(listed.toSorted(), keywords.toSorted());
  });

test('D68 – the page on schemas → names no other kind of schema', () => {
  const others = rows.flatMap(({ schemas }) => schemas).filter((schema) => !(schema in KEYWORDS));
  assert.deepEqual(others, []);
});

test('D68 – the page on schemas → lists each format of a text and of a number', () => {
  const formats = rows.filter(({ keywords }) => keywords.includes('format'));
  for (const { schemas, rule } of formats)
    assert.deepEqual(namesIn(rule).toSorted(), schemas.flatMap((schema) => Object.keys(FORMATS[schema]!)).sort());
  assert.equal(formats.length, 2);
});
