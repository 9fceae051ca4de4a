import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniqueFault } from '../../../src/operations/schema/keyword-checks.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';

test('D68 – items that all differ → a time that grows with their number', () =>
  assertAboutLinear('items', (times) => {
    const items = Array.from({ length: 5000 * times }, (_, id) => ({ id, tags: [id] }));
    return () => assert.equal(uniqueFault(items), undefined);
  }));

const LONG = 'a'.repeat(100);
for (const [what, items, repeated] of [
  ['long items that differ at their end', [[`${LONG}b`], [`${LONG}c`]], undefined],
  ['long items that are equal', [[LONG, 1], 0, [LONG, 1]], 2],
  [
    'long members in another order',
    [
      { a: LONG, b: 1 },
      { b: 1, a: LONG },
    ],
    1,
  ],
  ['a text and the number that it looks like', ['1', 1, [1], ['1']], undefined],
  ['an array and a text of its JSON', [[1], '[1]'], undefined],
] as const)
  test(`D68 – ${what} → ${repeated === undefined ? 'all differ' : `item ${repeated} repeats`}`, () => {
    const fault = repeated === undefined ? undefined : `items that differ; item ${repeated} repeats an earlier one`;
    assert.equal(uniqueFault(items), fault);
  });
