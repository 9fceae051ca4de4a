/** How media types are read and compared (RFC 9110 §8.3), and how one of several is chosen (§12.5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Coding,
  isJsonType,
  parseContentType,
  preferredCoding,
} from '../../../../src/core/message/headers/content-type.ts';
import { assertAboutLinear } from '../../../support/about-linear.ts';

type Parameters = readonly (readonly [name: string, value: string])[];

const readable: readonly (readonly [text: string, type: string, parameters: Parameters, because: string])[] = [
  ['application/json', 'application/json', [], 'a type alone'],
  ['Application/JSON', 'application/json', [], 'types ignore case'],
  [' \tapplication/json\t ', 'application/json', [], 'white space around it'],
  ['application/json;charset=utf-8', 'application/json', [['charset', 'utf-8']], 'a parameter'],
  [
    'application/json \t;\t Charset=UTF-8 ',
    'application/json',
    [['charset', 'UTF-8']],
    'white space, and a name with capitals',
  ],
  ['application/json;charset="UTF-8"', 'application/json', [['charset', 'UTF-8']], 'a quoted value'],
  [
    'application/json;x="a;b, c\\"\\\\\\d"; y=1',
    'application/json',
    [
      ['x', 'a;b, c"\\d'],
      ['y', '1'],
    ],
    'a semicolon and escapes in quotes',
  ],
  ['application/json;x=""', 'application/json', [['x', '']], 'quotes around nothing'],
  ['application/json;', 'application/json', [], 'an empty parameter'],
  ['application/json; ;;charset=utf-8;', 'application/json', [['charset', 'utf-8']], 'several empty parameters'],
  [
    'a/b;c=1;C=2',
    'a/b',
    [
      ['c', '1'],
      ['c', '2'],
    ],
    'a name twice',
  ],
];
for (const [text, type, parameters, because] of readable)
  test(`RFC 9110 §8.3.1 – Content-Type: ${JSON.stringify(text)} → ${type} (${because})`, () =>
    assert.deepEqual(parseContentType(text), { type, parameters }));

const unreadable: readonly (readonly [text: string, because: string])[] = [
  ['', 'nothing'],
  ['json', 'no subtype'],
  ['/json', 'no type'],
  ['application/', 'an empty subtype'],
  ['a/b/c', 'a slash too many'],
  ['application /json', 'white space in the type'],
  ['a/b c', 'white space in the subtype'],
  ['a/b, c/d', 'two types'],
  ['\u00a0application/json', 'a blank that is none here'],
  ['application/json\v', 'a vertical tab'],
  ['a/b;charset=utf-16 le', 'white space in a value'],
  ['a/b;charset', 'no value'],
  ['a/b;charset=', 'an empty value'],
  ['a/b;charset =utf-8', 'white space before the sign'],
  ['a/b;charset= utf-8', 'white space behind the sign'],
  ['a/b;=utf-8', 'no name'],
  ['a/b;charset="utf-8"x', 'more behind the quotes'],
  ['a/b;charset=x"utf-8"', 'more before the quotes'],
  ['a/b;charset="utf-8', 'quotes that do not end'],
  ['a/b;charset="utf-8\\"', 'a quote at the end that is escaped'],
  ['a/b;charset=utf=8', 'a sign in a value'],
  ["a/b;charset='utf,8'", 'a comma in a value'],
  ['a/b;x=é\u0100', 'letters of no header line'],
];
for (const [text, because] of unreadable)
  test(`RFC 9110 §5.6.6 – Content-Type: ${JSON.stringify(text)} → cannot be read (${because})`, () =>
    assert.equal(parseContentType(text), undefined));

const hostile: readonly (readonly [what: string, made: (length: number) => string])[] = [
  ['blanks behind the sign', (length) => `application/json;charset=${' '.repeat(length)}a b`],
  ['blanks before the sign', (length) => `application/json;charset${' '.repeat(length)}=a`],
  ['blanks between letters', (length) => `application/json;charset=a${' '.repeat(length)}b`],
  ['blanks in front', (length) => `${' '.repeat(length)}a b`],
  ['empty parameters', (length) => `application/json${';'.repeat(length)}a`],
  ['blank parameters', (length) => `application/json${'; \t'.repeat(length)}a`],
  ['quotes', (length) => `application/json;a=${'"'.repeat(length)}`],
  ['escapes', (length) => `application/json;a="${'\\"'.repeat(length)}`],
  ['a long subtype', (length) => `application/${'a+json'.repeat(length)} `],
  ['many parameters', (length) => `application/json${';a=b'.repeat(length)};c`],
];
for (const [what, made] of hostile)
  test(`limits – a Content-Type of ${what} → costs what its length costs`, () => {
    assertAboutLinear(what, (times) => {
      const text = made(5_000 * times);
      return () => parseContentType(text);
    });
  });

for (const [mediaType, isJson] of [
  ['application/json', true],
  ['text/json', true],
  ['Application/Problem+JSON', true],
  ['application/problem+json; charset=utf-8', true],
  ['model/gltf+json ;a=b', true],
  ['application/+json', false],
  ['application/json-seq', false],
  ['application/jsonl', false],
  ['application/x-ndjson', false],
  ['text/plain; a=/json', false],
  ['json', false],
] as const)
  test(`RFC 6839 §3.1 – ${mediaType} → ${isJson ? '' : 'not '}JSON`, () => assert.equal(isJsonType(mediaType), isJson));

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
  test(`RFC 9110 §12.5.3 – Accept-Encoding: ${header} with ${offer} → ${coding ?? 'as it is'} (${because})`, () =>
    assert.equal(preferredCoding(header, available), coding));
}
