import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRepeated } from '../../../../src/api/schema/keywords/unique-items.ts';
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
