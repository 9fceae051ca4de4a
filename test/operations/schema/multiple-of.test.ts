import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multipleCheck } from '../../../src/operations/schema/keyword-checks.ts';

const CASES: readonly (readonly [value: number, factor: number, expected: boolean])[] = [
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [1e308, 0.123456789, false],
  [1e308, 1e-9, true],
  [1e308, 7, false],
  [1e22, 0.1, true],
  [123456789012.12345, 123456789012.12345, true],
  [9007199254740991, 3, false],
  [9007199254740990, 3, true],
  [2251799813685248.5, 0.2, false],
  [5e-324, 1e-9, false],
  [12391239123, 1e-8, true],
  [-7, 7, true],
  [0, 0.7, true],
  [-0, 3, true],
  [1.5, 3, false],
  [3, 1.5, true],
];

for (const [value, factor, expected] of CASES)
  test(`D68 – ${value} → ${expected ? 'a' : 'no'} multiple of ${factor}`, () =>
    assert.equal(multipleCheck(factor)(value), expected));
