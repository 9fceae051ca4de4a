import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  httpDate,
  matches,
  noneMatch,
  parseHttpDate,
  precondition,
  rangeHolds,
} from '../../../../src/core/message/headers/conditional.ts';

type TagCase = readonly [header: string | undefined, etag: string | undefined, holds: boolean, because: string];

const noneMatchCases: readonly TagCase[] = [
  [undefined, '"a"', true, 'no condition'],
  ['"a"', '"a"', false, 'the client has it'],
  ['"b"', '"a"', true, 'the client has another tag'],
  ['W/"a"', '"a"', false, 'weak comparison, weak in the header'],
  ['"a"', 'W/"a"', false, 'weak comparison, weak here'],
  ['"x", W/"a" ,"y"', '"a"', false, 'a tag in a list'],
  ['"a,b"', '"a,b"', false, 'a comma inside a tag is not a separator'],
  ['"a,b"', '"b"', true, 'a part of a tag does not match'],
  ['*', '"a"', false, '* matches anything'],
  [' * ', '"a"', false, '* with blanks'],
  ['*', undefined, true, '* without a resource'],
  ['a', '"a"', true, 'a tag has quotes'],
  ['', '"a"', true, 'an empty list'],
  ['"A"', '"a"', true, 'tags are case-sensitive'],
];
for (const [header, etag, holds, because] of noneMatchCases)
  test(`RFC 9110 §13.1.2 – If-None-Match: ${header} of ${etag} → ${holds ? 'holds' : 'fails'} (${because})`, () =>
    assert.equal(noneMatch(header, etag), holds));

const matchCases: readonly TagCase[] = [
  [undefined, '"a"', true, 'no condition'],
  [undefined, undefined, true, 'no condition and no resource'],
  ['"a"', '"a"', true, 'the same tag'],
  ['"b", "a"', '"a"', true, 'a tag in a list'],
  ['"b"', '"a"', false, 'another tag'],
  ['W/"a"', '"a"', false, 'strong comparison, weak in the header'],
  ['W/"a"', 'W/"a"', false, 'strong comparison, both weak'],
  ['*', '"a"', true, '* matches any resource'],
  ['*', undefined, false, '* without a resource'],
  ['"a"', undefined, false, 'a tag without a resource'],
  ['a', '"a"', false, 'a tag has quotes'],
];
for (const [header, etag, holds, because] of matchCases)
  test(`RFC 9110 §13.1.1 – If-Match: ${header} of ${etag} → ${holds ? 'holds' : 'fails'} (${because})`, () =>
    assert.equal(matches(header, etag), holds));

const MODIFIED = 'Sun, 06 Nov 1994 08:49:37 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';
const here = { etag: '"a"', modified: parseHttpDate(MODIFIED)! };

const preconditions: readonly (readonly [
  headers: Record<string, string>,
  status: 304 | 412 | undefined,
  because: string,
])[] = [
  [{}, undefined, 'no conditions'],
  [{ 'if-none-match': '"a"' }, 304, 'the client has it'],
  [{ 'if-none-match': '"b"', 'if-modified-since': MODIFIED }, undefined, 'If-None-Match overrides the date'],
  [{ 'if-none-match': '"a"', 'if-modified-since': EARLIER }, 304, 'If-None-Match overrides the date here too'],
  [{ 'if-modified-since': MODIFIED }, 304, 'unchanged since that second'],
  [{ 'if-modified-since': LATER }, 304, 'unchanged since later'],
  [{ 'if-modified-since': EARLIER }, undefined, 'changed since'],
  [{ 'if-modified-since': '1994-11-06T08:49:38Z' }, undefined, 'not an HTTP date: ignored'],
  [{ 'if-unmodified-since': MODIFIED }, undefined, 'unchanged'],
  [{ 'if-unmodified-since': EARLIER }, 412, 'changed since'],
  [{ 'if-unmodified-since': 'yesterday' }, undefined, 'not an HTTP date: ignored'],
  [{ 'if-match': '"b"' }, 412, 'another tag'],
  [{ 'if-match': '"a"', 'if-unmodified-since': EARLIER }, undefined, 'If-Match overrides the date'],
  [{ 'if-match': '"b"', 'if-none-match': '"a"' }, 412, 'If-Match is evaluated first'],
  [{ 'if-match': '*', 'if-none-match': '"a"' }, 304, 'then If-None-Match'],
];
for (const [headers, status, because] of preconditions)
  test(`RFC 9110 §13.2.2 – ${JSON.stringify(headers)} → ${status ?? 'the usual reply'} (${because})`, () =>
    assert.equal(precondition(headers, here), status));

const ranges: readonly (readonly [header: string | undefined, etag: string, holds: boolean, because: string])[] = [
  [undefined, '"a"', true, 'no condition'],
  ['"a"', '"a"', true, 'unchanged'],
  ['"b"', '"a"', false, 'changed'],
  ['W/"a"', '"a"', false, 'a weak tag cannot combine byte ranges'],
  ['W/"a"', 'W/"a"', false, 'two weak tags cannot either'],
  [MODIFIED, '"a"', true, 'the same date'],
  [LATER, '"a"', false, 'a later date is a different date'],
  ['soon', '"a"', false, 'neither tag nor date'],
];
for (const [header, etag, holds, because] of ranges)
  test(`RFC 9110 §13.1.5 – If-Range: ${header} of ${etag} → ${holds ? 'the range' : 'the whole'} (${because})`, () =>
    assert.equal(rangeHolds(header, { ...here, etag }), holds));

test('RFC 9110 §8.8.2.2 – If-Range with a date of the current second → the whole', () => {
  const modified = Math.floor(Date.now() / 1000) * 1000 + 1000;
  assert.equal(rangeHolds(new Date(modified).toUTCString(), { etag: '"a"', modified }), false);
});

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);
const nextDecade = String((new Date().getUTCFullYear() + 51) % 100).padStart(2, '0');

const dates: readonly (readonly [text: string, time: number | undefined])[] = [
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
];
for (const [text, time] of dates)
  test(`RFC 9110 §5.6.7 – "${text}" → ${time === undefined ? 'not a date' : new Date(time).toISOString()}`, () =>
    assert.equal(parseHttpDate(text), time));

test('RFC 9110 §5.6.7 – formatting a time → the preferred form', () =>
  assert.equal(httpDate(TIME), 'Sun, 06 Nov 1994 08:49:37 GMT'));
