/** The valid and invalid values of each keyword (D68): `keyword.cases.ts`, and long tables of three keywords. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSchema } from '../../../src/operations/schema/assert-schema.ts';
import { FORMATS, multipleCheck } from '../../../src/operations/schema/keyword-checks.ts';
import { uncheckedValidator, valueChecker } from '../../../src/operations/schema/read-value.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';
import { textsOf } from '../../support/texts-of.ts';
import { KEYWORD_CASES } from './keyword.cases.ts';

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 60);

for (const { clause, schema, valid, invalid } of KEYWORD_CASES) {
  const read = uncheckedValidator({ type: 'object', required: ['value'], properties: { value: schema } }, 'camelCase');
  const check = valueChecker(schema, 'camelCase');
  const errorsOf = (value: unknown) => read(JSON.parse(JSON.stringify({ value }))).errors;

  test(`D68 ${clause} → a valid schema`, () => assertSchema(schema, 'this test'));

  for (const value of valid)
    test(`D68 ${clause} – ${shown(value)} → valid in bodies and replies`, () => {
      assert.equal(errorsOf(value), undefined);
      assert.deepEqual(check(value), []);
    });

  for (const [value, ...faults] of invalid)
    test(`D68 ${clause} – ${shown(value)} → invalid, with the pointer of each violation`, () => {
      assert.deepEqual(
        textsOf(errorsOf(value)),
        faults.map(([pointer, detail]) => ({ pointer: `/value${pointer}`, detail })),
      );
      assert.notDeepEqual(check(value), []);
    });
}

for (const [clause, format, valid, invalid] of [
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
] as const)
  for (const [verdict, texts] of Object.entries({ valid, invalid }))
    for (const text of texts)
      test(`${clause} – ${format} "${text}" → ${verdict}`, () =>
        assert.equal(FORMATS['string']![format]!(text), verdict === 'valid'));

for (const [value, factor, expected] of [
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [1e308, 0.123456789, false],
  [1e308, 1e-9, true],
  [1e15, 0.01, true],
  [1e308, 7, false],
  [1e22, 0.1, true],
  [123456789012.12345, 123456789012.12345, true],
  [2147483648.1, 1e-7, true],
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
] as const)
  test(`D68 – ${value} → ${expected ? 'a' : 'not a'} multiple of ${factor}`, () =>
    assert.equal(multipleCheck(factor)(value), expected));

for (const [format, textOf] of [
  ['uri', (times: number) => `http://${'a@'.repeat(2000 * times)}`],
  ['date-time', (times: number) => `1985-04-12T23:20:50.${'5'.repeat(4000 * times)}`],
  ['email', (times: number) => `${'a.'.repeat(2000 * times)}@`],
] as const)
  test(`D31 – ${format}, a text that is nearly one → a time that grows with its length`, () =>
    assertAboutLinear('characters', (times) => {
      const text = textOf(times);
      return () => FORMATS['string']![format]!(text);
    }));
