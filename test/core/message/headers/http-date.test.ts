import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpDate, parseHttpDate } from '../../../../src/core/message/headers/conditional.ts';

const TIME = Date.UTC(1994, 10, 6, 8, 49, 37);
const nextDecade = String((new Date().getUTCFullYear() + 51) % 100).padStart(2, '0');

const cases: readonly (readonly [text: string, time: number | undefined])[] = [
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
for (const [text, time] of cases) {
  test(`RFC 9110 §5.6.7 – "${text}" → ${time === undefined ? 'no date' : new Date(time).toISOString()}`, () => {
    assert.equal(parseHttpDate(text), time);
  });
}

test('RFC 9110 §5.6.7 – a time is written in the preferred form', () => {
  assert.equal(httpDate(TIME), 'Sun, 06 Nov 1994 08:49:37 GMT');
});
