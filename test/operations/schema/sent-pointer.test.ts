import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PropertyNaming, sentPointer } from '../../../src/operations/schema/names.ts';

type Case = readonly [
  text: string,
  path: readonly (string | number)[],
  pointer: string,
  because: string,
  naming?: PropertyNaming,
];

const cases: readonly Case[] = [
  ['{"key":1}', ['key'], '/key', 'as on the wire'],
  ['{"KEY":1}', ['key'], '/KEY', 'in capitals'],
  ['{"KEY":1}', ['key'], '/KEY', 'in capitals', 'PascalCase'],
  ['{}', ['key'], '/key', 'not sent'],
  ['{}', ['key'], '/Key', 'not sent: the spelling of the wire', 'PascalCase'],
  ['{"key":1,"KEY":2}', ['key'], '/KEY', 'the last'],
  ['{"KEY":1,"key":2,"KEY":3,"other":4}', ['key'], '/key', 'the last in the order of JSON.parse'],
  ['\ufeff {"Key":1}', ['key'], '/Key', 'behind a byte order mark'],
  ['{"\\u004bey":1}', ['key'], '/Key', 'an escape in the name'],
  ['{"\u212aey":1}', ['key'], '/key', 'a Kelvin sign is not a k'],
  ['{"A/B~c":1}', ['a/b~C'], '/A~1B~0c', 'signs that a pointer escapes'],
  ['{"Lines":[{"count":1},{"COUNT":2}]}', ['lines', 1, 'count'], '/Lines/1/COUNT', 'in an object in an array'],
  [
    '{"Lines":[{"count":1}],"LINES":[{"Count":1}]}',
    ['lines', 0, 'count'],
    '/LINES/0/Count',
    'in the array that was sent last',
  ],
  ['{"Lines":[[1],[{"Count":2}]]}', ['lines', 1, 0, 'count'], '/Lines/1/0/Count', 'in an array in an array'],
  ['{"Lines":[]}', ['lines', 3, 'count'], '/Lines/3/count', 'below what was not sent'],
  ['{"To":"{\\"STREET\\":1}"}', ['to', 'street'], '/To/street', 'below a string that looks like an object'],
  ['{"To":null}', ['to', 'street', 'name'], '/To/street/name', 'below null'],
  ['"a{"', ['key'], '/key', 'a body that is a string'],
];
for (const [text, path, pointer, because, naming = 'camelCase'] of cases)
  test(`D3 – ${path.join('.')} in ${text.replace('\ufeff', 'BOM')}, ${naming} → ${pointer} (${because})`, () =>
    assert.equal(sentPointer(text, path, naming), pointer));
