import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRange } from '../../../src/extensions/files/file-headers.ts';

type Want = readonly [first: number, last: number] | 'unsatisfiable' | undefined;

const cases: readonly (readonly [header: string | undefined, length: number, range: Want, because: string])[] = [
  [undefined, 10, undefined, 'not asked'],
  ['bytes=0-4', 10, [0, 4], 'both ends included'],
  ['bytes=5-', 10, [5, 9], 'to the end'],
  ['bytes=5-99', 10, [5, 9], 'the end is cut'],
  ['bytes=-3', 10, [7, 9], 'the last three, not the first'],
  ['bytes=-99', 10, [0, 9], 'a suffix longer than the body is all of it'],
  ['bytes=9-9', 10, [9, 9], 'one byte'],
  ['bytes=10-', 10, 'unsatisfiable', 'behind the end'],
  ['bytes=-0', 10, 'unsatisfiable', 'the last nothing'],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable', 'beyond every number'],
  ['bytes=0-99999999999999999999', 10, [0, 9], 'an end beyond every number'],
  ['bytes=5-2', 10, undefined, 'backwards: no range'],
  ['bytes=-', 10, undefined, 'neither end'],
  ['bytes=a-b', 10, undefined, 'no numbers'],
  ['bytes=0-4, 6-7', 10, undefined, 'several: the whole'],
  ['bytes=+1-2', 10, undefined, 'signs are no digits'],
  ['items=0-4', 10, undefined, 'an unknown unit'],
  ['Bytes=0-4', 10, [0, 4], 'units ignore case'],
  ['bytes=0-', 0, 'unsatisfiable', 'an empty body has no first byte'],
  ['bytes=-5', 0, undefined, 'an empty body whole'],
];
for (const [header, length, range, because] of cases) {
  test(`RFC 9110 §14.1.2 – Range: ${header} of ${length} → ${range ?? 'the whole'} (${because})`, () => {
    const found = byteRange(header, length);
    assert.deepEqual(typeof found === 'object' ? [found.first, found.last] : found, range);
  });
}
