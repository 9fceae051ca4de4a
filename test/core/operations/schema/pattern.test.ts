import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternOf } from '../../../../src/core/operations/schema/keyword-checks.ts';

const CASES: readonly (readonly [clause: string, source: string, maxLength: number | RegExp])[] = [
  ['D37 a search that is done in one walk', 'foo', Infinity],
  ['D37 bound at the start', '^[a-z]+$', Infinity],
  ['D37 a search that begins at every character', '[a-z]+1', 3162],
  ['D31 exponential', '^(a+)+$', /in a repetition/],
  ['a mistake in the expression', '(', /Invalid regular expression/],
  ['only what compiles with the flag u, as in JSON Schema', '\\-', /Invalid escape/],
];

for (const [clause, source, expected] of CASES)
  test(`${clause} – ${source} → ${expected}`, () => {
    if (typeof expected === 'number') assert.equal(patternOf(source).maxLength, expected);
    else assert.throws(() => patternOf(source), expected);
  });
