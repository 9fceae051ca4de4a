/** Parsing and comparing media types (RFC 9110 §8.3), and choosing among several (§12.5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Coding,
  isJsonType,
  parseContentType,
  preferredCoding,
} from '../../../../src/core/http/headers/content-type.ts';
import { assertAboutLinear } from '../../../support/about-linear.ts';

for (const [text, type, parameters, because] of [
  ['application/json', 'application/json', [], 'only a type'],
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
    'a repeated name',
  ],
] as const)
  test(`RFC 9110 §8.3.1 – Content-Type: ${JSON.stringify(text)} → ${type} (${because})`, () =>
    assert.deepEqual(parseContentType(text), { type, parameters }));

for (const [text, because] of [
  ['', 'empty'],
  ['json', 'no subtype'],
  ['/json', 'no type'],
  ['application/', 'an empty subtype'],
  ['a/b/c', 'an extra slash'],
  ['application /json', 'white space in the type'],
  ['a/b c', 'white space in the subtype'],
  ['a/b, c/d', 'two types'],
  ['\u00a0application/json', 'a no-break space'],
  ['application/json\v', 'a vertical tab'],
  ['a/b;charset =utf-8', 'white space before the sign'],
  ['a/b;charset= utf-8', 'white space after the sign'],
  ['a/b;=utf-8', 'no name'],
  ['a/b;charset=x"utf-8"', 'text before the quotes'],
  ['a/b;charset="utf-8\\"', 'an escaped quote at the end'],
  ['a/b;charset=utf=8', 'a sign in a value'],
  ["a/b;charset='utf,8'", 'a comma in a value'],
  ['a/b;x=é\u0100', 'letters that a header cannot have'],
] as const)
  test(`RFC 9110 §5.6.6 – Content-Type: ${JSON.stringify(text)} → invalid (${because})`, () =>
    assert.equal(parseContentType(text), undefined));

const hostile: readonly (readonly [what: string, textOf: (length: number) => string])[] = [
  ['blanks after the sign', (length) => `application/json;charset=${' '.repeat(length)}a b`],
  ['blanks before the sign', (length) => `application/json;charset${' '.repeat(length)}=a`],
  ['blanks between letters', (length) => `application/json;charset=a${' '.repeat(length)}b`],
  ['leading blanks', (length) => `${' '.repeat(length)}a b`],
  ['empty parameters', (length) => `application/json${';'.repeat(length)}a`],
  ['blank parameters', (length) => `application/json${'; \t'.repeat(length)}a`],
  ['quotes', (length) => `application/json;a=${'"'.repeat(length)}`],
  ['escapes', (length) => `application/json;a="${'\\"'.repeat(length)}`],
  ['a long subtype', (length) => `application/${'a+json'.repeat(length)} `],
  ['many parameters', (length) => `application/json${';a=b'.repeat(length)};c`],
];
for (const [what, textOf] of hostile)
  test(`limits – a long Content-Type of ${what} → the time is about linear`, () => {
    assertAboutLinear(what, (times) => {
      const text = textOf(5_000 * times);
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

for (const [header, available, coding, because] of [
  [undefined, BOTH, undefined, 'no header'],
  ['', BOTH, undefined, 'an empty header'],
  ['gzip, deflate, br, zstd', BOTH, 'br', 'the smaller of two equal codings'],
  ['br, gzip', ['gzip'], 'gzip', 'the available coding'],
  ['gzip', BOTH, 'gzip', 'the accepted coding'],
  ['br;q=0, gzip', BOTH, 'gzip', 'never brotli'],
  ['br;q=0.5, gzip;q=0.8', BOTH, 'gzip', 'the higher quality'],
  ['br;q=0', ['br'], undefined, 'excluded'],
  ['*', BOTH, 'br', 'anything'],
  ['gzip;q=0.2, *;q=0', BOTH, 'gzip', 'no other coding'],
  ['*;q=0', BOTH, undefined, 'nothing is acceptable'],
  ['identity;q=1, *;q=0', BOTH, undefined, 'the header of media players'],
  ['identity, br;q=0.5', BOTH, undefined, 'identity has a higher quality'],
  ['identity;q=0.5, br', BOTH, 'br', 'the coding has a higher quality'],
  ['BR', BOTH, 'br', 'codings ignore case'],
  ['x-gzip', BOTH, 'gzip', 'the old name (RFC 9110 §8.4.1.3)'],
  ['brotli, abr', BOTH, undefined, 'a part of another name'],
  ['br;level=4, gzip', BOTH, 'gzip', 'a malformed item is skipped'],
  ['gzip ; Q=1.000', BOTH, 'gzip', 'blanks, a capital, three digits'],
  [',,br,,', BOTH, 'br', 'empty items'],
  ['br', [], undefined, 'no coding available'],
] as const) {
  const offer = available.join(' and ') || 'none';
  test(`RFC 9110 §12.5.3 – Accept-Encoding: ${header} with ${offer} → ${coding ?? 'no coding'} (${because})`, () =>
    assert.equal(preferredCoding(header, available), coding));
}
