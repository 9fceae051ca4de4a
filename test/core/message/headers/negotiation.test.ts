import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Coding, preferredCoding } from '../../../../src/core/message/headers/negotiation.ts';

const BOTH: readonly Coding[] = ['br', 'gzip'];

type Case = readonly [
  header: string | undefined,
  available: readonly Coding[],
  coding: Coding | undefined,
  because: string,
];

const cases: readonly Case[] = [
  [undefined, BOTH, undefined, 'not asked'],
  ['', BOTH, undefined, 'nothing wanted'],
  ['gzip, deflate, br, zstd', BOTH, 'br', 'the smaller of equals'],
  ['br, gzip', ['gzip'], 'gzip', 'what there is'],
  ['gzip', BOTH, 'gzip', 'what is wanted'],
  ['br;q=0, gzip', BOTH, 'gzip', 'never brotli'],
  ['br;q=0.5, gzip;q=0.8', BOTH, 'gzip', 'the heavier'],
  ['br;q=0', ['br'], undefined, 'refused'],
  ['*', BOTH, 'br', 'anything'],
  ['gzip;q=0.2, *;q=0', BOTH, 'gzip', 'nothing else'],
  ['*;q=0', BOTH, undefined, 'nothing at all'],
  ['identity;q=1, *;q=0', BOTH, undefined, 'as media players ask'],
  ['identity, br;q=0.5', BOTH, undefined, 'the bytes as they are weigh more'],
  ['identity;q=0.5, br', BOTH, 'br', 'the coding weighs more'],
  ['BR', BOTH, 'br', 'codings ignore case'],
  ['x-gzip', BOTH, 'gzip', 'the old name (RFC 9110 §8.4.1.3)'],
  ['brotli, abr', BOTH, undefined, 'letters inside another name'],
  ['br;level=4, gzip', BOTH, 'gzip', 'an item that cannot be read is passed over'],
  ['br;q=7', ['br'], undefined, 'so is a weight'],
  ['br;q=1.5, gzip', BOTH, 'gzip', 'a weight above one'],
  ['br;q=0.1234, gzip;q=0.1', BOTH, 'gzip', 'a weight of four decimals'],
  ['br;q=1.001, gzip', BOTH, 'gzip', 'a weight just above one'],
  ['br;q=0.2.0, gzip;q=0.1', BOTH, 'gzip', 'a weight with two points'],
  ['gzip ; Q=1.000', BOTH, 'gzip', 'blanks, a capital, three digits'],
  [',,br,,', BOTH, 'br', 'empty items'],
  ['br', [], undefined, 'nothing beside the file'],
];
for (const [header, available, coding, because] of cases) {
  const offer = available.join(' and ') || 'none';
  test(`RFC 9110 §12.5.3 – Accept-Encoding: ${header} with ${offer} → ${coding ?? 'as it is'} (${because})`, () => {
    assert.equal(preferredCoding(header, available), coding);
    assert.equal(preferredCoding(header, available), coding, 'the same when asked again');
  });
}

test('RFC 9110 §12.5.3 – a thousand different headers → each judged for itself', () => {
  for (let n = 0; n < 1000; n++)
    assert.equal(preferredCoding(`x${n}, ${n % 2 === 0 ? 'br' : 'gzip'}`, BOTH), n % 2 === 0 ? 'br' : 'gzip');
});
