import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMultipleOf } from '../../../../src/core/operations/schema/keyword-checks.ts';

const CASES: readonly (readonly [value: number, factor: number, expected: boolean])[] = [
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [1e308, 0.123456789, false],
  [1e308, 1e-300, true],
  [5e-324, 5e-324, true],
  [12391239123, 1e-8, true],
  [-7, 7, true],
  [0, 0.7, true],
  [-0, 3, true],
  [1.5, 3, false],
  [3, 1.5, true],
];

for (const [value, factor, expected] of CASES)
  test(`D68 – ${value} → ${expected ? 'a' : 'no'} multiple of ${factor}`, () =>
    assert.equal(isMultipleOf(value, factor), expected));
