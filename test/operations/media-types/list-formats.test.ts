/** Lists as CSV and as lines of JSON: the texts, and what cannot be written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { csv, ndjson } from '../../../src/operations/media-types/list-formats.ts';

const FIELDS: readonly (readonly [value: string | number | bigint | boolean | null | undefined, field: string])[] = [
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [0, '0'],
  [-1.5, '-1.5'],
  [Number.NaN, 'NaN'],
  [2n ** 64n, '18446744073709551616'],
  [false, 'false'],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  [' kept ', ' kept '],
  ['=SUM(A1)', "'=SUM(A1)"],
  ['@cmd', "'@cmd"],
  ['\t=1', "'\t=1"],
];
for (const [value, field] of FIELDS)
  test(`RFC 4180 ${inspect(value)} in CSV → ${JSON.stringify(field)}`, () => {
    assert.equal(csv(['a', 'b'])([{ a: value, b: 'end' }], String), `a,b\r\n${field},end\r\n`);
  });

test('RFC 4180 – an empty or blank field that stands alone → in quotes, for readers skip such a line', () => {
  const rows = [{ a: '' }, { a: null }, {}, { a: ' ' }, { a: 'x' }];
  assert.equal(csv(['a'])(rows, String), 'a\r\n""\r\n""\r\n""\r\n" "\r\nx\r\n');
  assert.equal(csv([''])([{ '': 1 }], String), '""\r\n1\r\n');
  assert.equal(csv(['a', 'b'])([{}], String), 'a,b\r\n,\r\n');
});

test('D100 – CSV without columns → refused', () => {
  assert.throws(() => csv([]), /^TypeError: Cannot write CSV without columns: give csv\(\['key', 'name'\]\)$/);
});

for (const [what, row, pointer] of [
  ['a row that is null', null, '/1'],
  ['a row that is a text', 'a', '/1'],
  ['a member that is an object', { a: { b: 1 } }, '/1/a'],
  ['a member that is a function', { a: () => 1 }, '/1/a'],
] as const)
  test(`D100 – ${what} in CSV → an error that names its place`, () => {
    const message = new RegExp(`^Cannot write "${pointer}" as CSV: it is .*; give rows that are objects of texts`);
    assert.throws(() => csv(['a'])([{ a: 1 }, row as never], String), { name: 'TypeError', message });
  });

test('D100 – lines of JSON → each row as its schema writes it, at its place', () => {
  const writeRow = (row: unknown, position: number) => `${position}:${JSON.stringify(row)}`;
  assert.equal(ndjson()([{ a: 1 }, null], writeRow), '0:{"a":1}\n1:null\n');
  assert.equal(ndjson()([], writeRow), '');
});
