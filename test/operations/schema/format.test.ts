import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../../src/operations/schema/keyword-checks.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';

const CASES: readonly (readonly [
  clause: string,
  format: string,
  valid: readonly string[],
  invalid: readonly string[],
])[] = [
  [
    'RFC 9562 §4',
    'uuid',
    ['00000000-0000-0000-0000-000000000000', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'],
    [
      '',
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf',
      '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
      'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    ],
  ],
  [
    'RFC 3339 §5.6, §5.7',
    'date',
    ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'],
    ['2023-02-29', '1900-02-29', '2024-04-31', '2024-13-01', '2024-00-01', '2024-1-1', '24-01-01', '2024-01-01Z', ''],
  ],
  [
    'RFC 3339 §5.6, §5.7',
    'date-time',
    ['1985-04-12T23:20:50.52Z', '1990-12-31t15:59:60-08:00', '1990-12-31 23:59:60z', '1937-01-01T12:00:27.87+00:20'],
    [
      '1985-04-12T23:20:50',
      '1985-04-12',
      '1985-04-12T24:00:00Z',
      '1985-04-12T23:60:00Z',
      '1990-12-31T15:59:60Z',
      '1985-04-12T23:20:50.Z',
      '1985-02-30T00:00:00Z',
      '1985-04-12T00:00:00+24:00',
      '1985-04-12T00:00:00+0100',
    ],
  ],
  [
    'RFC 5321 §4.1.2',
    'email',
    ['a@b', 'joe.bloggs@example.com', "!#$%&'*+-/=?^_`{|}~@example.org", `${'a'.repeat(64)}@example.com`],
    ['', 'a', '@b', 'a@', '.a@b', 'a.@b', 'a..b@c', 'a@-b.c', 'a@b-.c', 'a@b..c', 'a b@c', `${'a'.repeat(250)}@b.cd`],
  ],
  [
    'RFC 3986 §3',
    'uri',
    [
      'http://example.org/a?b=c#d',
      'urn:isbn:0451450523',
      'mailto:a@b',
      'http://[::1]:80/',
      'file:///etc/hosts',
      'http://a@b:80',
      'x:',
      'http://u:p@[v1.a:b]/%20',
    ],
    [
      '',
      '/a',
      '//a/b',
      'http://a b/',
      'http://a/%zz',
      'http://[::1/',
      'http://[1:2]/',
      'http://[::f%f:1.2.3.4]',
      'http://[fe80::1%25eth0]/',
      'http://a:b/',
      '1x:a',
      'http://a/\u00e9',
      'http://a/#b#c',
      'http://a\\b',
    ],
  ],
  ['a hint for people', 'password', ['', 'x'], []],
];

for (const [clause, format, valid, invalid] of CASES) {
  const check = FORMATS['string']![format]!;
  for (const text of valid) test(`${clause} – ${format} "${text}" → valid`, () => assert.equal(check(text), true));
  for (const text of invalid) test(`${clause} – ${format} "${text}" → invalid`, () => assert.equal(check(text), false));
}

for (const [format, textOf] of Object.entries({
  uri: (times: number) => `http://${'a@'.repeat(2000 * times)}`,
  'date-time': (times: number) => `1985-04-12T23:20:50.${'5'.repeat(4000 * times)}`,
  email: (times: number) => `${'a.'.repeat(2000 * times)}@`,
}))
  test(`D31 – ${format}, a text that is nearly one → a time that grows with its length`, () =>
    assertAboutLinear('characters', (times) => {
      const text = textOf(times);
      return () => FORMATS['string']![format]!(text);
    }));
