/** Dates of HTTP, and conditions on tags. `plugins/files/files.test.ts` tests the order of all conditions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  httpDate,
  matches,
  noneMatch,
  parseHttpDate,
  rangeHolds,
} from '../../../../src/core/http/headers/conditional.ts';

// The rows that no representation of this service can have: a comma in its tag, no tag, or a weak tag for If-Match.
for (const [condition, header, etag, holds, because] of [
  [noneMatch, '"a"', 'W/"a"', false, 'weak comparison'],
  [noneMatch, '"a,b"', '"a,b"', false, 'a comma inside a tag is not a separator'],
  [noneMatch, '"a,b"', '"b"', true, 'a part of a tag does not match'],
  [noneMatch, '*', undefined, true, '* without a resource'],
  [matches, undefined, undefined, true, 'no condition and no resource'],
  [matches, '"a"', undefined, false, 'a tag without a resource'],
  [matches, 'W/"a"', 'W/"a"', false, 'strong comparison, both weak'],
] as const)
  test(`RFC 9110 §13.1 – ${condition.name}: ${header} of ${etag} → ${holds ? 'holds' : 'fails'} (${because})`, () =>
    assert.equal(condition(header, etag), holds));

for (const etag of ['"a"', 'W/"a"'])
  test(`RFC 9110 §13.1.5 – If-Range: W/"a" of ${etag} → the whole, because a weak tag cannot combine byte ranges`, () =>
    assert.equal(rangeHolds('W/"a"', { etag, modified: 0 }), false));

test('RFC 9110 §8.8.2.2 – If-Range with a date of the current second → the whole', () => {
  const modified = Math.floor(Date.now() / 1000) * 1000 + 1000;
  assert.equal(rangeHolds(new Date(modified).toUTCString(), { etag: '"a"', modified }), false);
});

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);
const nextDecade = String((new Date().getUTCFullYear() + 51) % 100).padStart(2, '0');

for (const [text, time] of [
  ['Sun, 06 Nov 1994 08:49:37 GMT', TIME],
  ['Sunday, 06-Nov-94 08:49:37 GMT', TIME],
  ['Sun Nov  6 08:49:37 1994', TIME],
  [`Friday, 06-Nov-${nextDecade} 08:49:37 GMT`, Date.UTC(new Date().getUTCFullYear() + 51 - 100, 10, 6, 8, 49, 37)],
  ['Sun, 06 Nov 1994 08:49:37', undefined],
  ['Sun, 06 Nov 1994 08:49:37 CET', undefined],
  ['Sun, 06 Foo 1994 08:49:37 GMT', undefined],
  ['Thu, 31 Feb 1994 08:49:37 GMT', undefined],
  ['Wed, 00 Nov 1994 08:49:37 GMT', undefined],
  ['Mon, 29 Feb 2016 08:49:37 GMT', Date.UTC(2016, 1, 29, 8, 49, 37)],
  ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
  ['Sun, 06 Nov 1994 08:60:00 GMT', undefined],
  ['Sun, 06 Nov 1994 08:49:61 GMT', undefined],
  ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
  ['1994-11-06', undefined],
  ['0', undefined],
  ['', undefined],
] as const)
  test(`RFC 9110 §5.6.7 – "${text}" → ${time === undefined ? 'not a date' : new Date(time).toISOString()}`, () =>
    assert.equal(parseHttpDate(text), time));

test('RFC 9110 §5.6.7 – formatting a time → the preferred form', () =>
  assert.equal(httpDate(TIME), 'Sun, 06 Nov 1994 08:49:37 GMT'));
