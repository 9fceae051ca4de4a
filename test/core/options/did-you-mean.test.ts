/** Finds the known word that a mistyped word was meant to be (D32). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../../src/core/options/did-you-mean.ts';

const FLAGS = ['port', 'host', 'max-body', 'max-path', 'trusted-proxies', 'license-name', 'license-url'];

for (const [because, word, known, meant] of [
  ['a letter too few', 'pot', FLAGS, 'port'],
  ['a letter too many', 'ports', FLAGS, 'port'],
  ['two wrong', 'max-bady', FLAGS, 'max-body'],
  ['the beginning of several', 'license', FLAGS, 'license-url'],
  ['a longer word', 'port-number', FLAGS, 'port'],
  ['a longer word without a dash', 'portfolio', FLAGS, undefined],
  ['the nearer of two', 'max-bath', FLAGS, 'max-path'],
  ['no word', '', FLAGS, undefined],
  ['three wrong', 'prxxx', FLAGS, undefined],
  ['no known words', 'port', [], undefined],
  ['the first of two as near', 'word3', ['word1', 'word2'], 'word1'],
  ['a short word', 'of', ['on', 'off'], 'off'],
  ['a short word that is another', 'no', ['on', 'off'], undefined],
  ['a long word near a short one', 'open', ['on', 'off'], undefined],
] as const)
  test(`did you mean – ${because}: ${JSON.stringify(word)} → ${meant}`, () =>
    assert.equal(didYouMean(word, known), meant));

test('did you mean – a word of a megabyte is rejected at once', () =>
  assert.equal(didYouMean('x'.repeat(2 ** 20), FLAGS), undefined));
