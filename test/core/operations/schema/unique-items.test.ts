import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRepeated } from '../../../../src/core/operations/schema/keyword-checks.ts';
import { assertAboutLinear } from '../../../support/about-linear.ts';

test('D68 – items that all differ → a time that grows with their number', () =>
  assertAboutLinear('items', (times) => {
    const items = Array.from({ length: 5000 * times }, (_, id) => ({ id, tags: [id] }));
    return () => assert.equal(firstRepeated(items), undefined);
  }));

test('D68 – items deeper than a stack → an answer', () => {
  const deep = (): unknown => JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  assert.equal(firstRepeated([1, deep(), 2]), undefined);
  assert.equal(firstRepeated([deep(), deep()]), 1);
});

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
    assert.equal(firstRepeated(items), repeated);
  });

test('D68 – an item that contains itself → an answer', () => {
  const items: unknown[] = [];
  items.push(items, [items]);
  assert.equal(firstRepeated(items), undefined);
});
