/** What reads a header line a client sent costs what the length of the line costs, whatever stands in it. */
import { test } from 'node:test';
import { negotiate } from '../../src/api/negotiate.ts';
import { preferredCoding } from '../../src/http/accept-encoding.ts';
import { byteRange } from '../../src/http/byte-range.ts';
import { matches, noneMatch } from '../../src/http/conditional.ts';
import { parseHttpDate } from '../../src/http/http-date.ts';
import { fileName } from '../../src/pipeline/file-name.ts';
import { assertAboutLinear } from '../support/about-linear.ts';

const OFFERED = ['text/plain', 'application/json', 'text/json'];
const readers: readonly (readonly [header: string, read: (text: string) => unknown])[] = [
  ['Accept', (text) => negotiate(text, OFFERED)],
  ['Accept-Encoding', (text) => preferredCoding(text, ['br', 'gzip'])],
  ['If-Match', (text) => matches(text, '"a"')],
  ['If-None-Match', (text) => noneMatch(text, '"a"')],
  ['If-Modified-Since', (text) => parseHttpDate(text)],
  ['Range', (text) => byteRange(text, 10)],
  ['a file name', (text) => fileName(`/${text}`, 'index.html')],
];
const texts: readonly (readonly [what: string, made: (length: number) => string])[] = [
  ['blanks', (length) => `a/b;q=${' '.repeat(length)}a b`],
  ['blanks before a sign', (length) => `bytes=${' \t'.repeat(length)}=1-2`],
  ['commas', (length) => `gzip${','.repeat(length)}`],
  ['elements', (length) => 'text/*;q=0.5,'.repeat(length)],
  ['semicolons', (length) => `gzip;q=1${';'.repeat(length)}`],
  ['quotes', (length) => '"'.repeat(length)],
  ['tags that do not end', (length) => `"${'W/'.repeat(length)}`],
  ['tags', (length) => '"ab", '.repeat(length)],
  ['escapes', (length) => `a/b;x="${'\\"'.repeat(length)}`],
  ['digits', (length) => `bytes=${'1'.repeat(length)}-${'2'.repeat(length)}x`],
  ['decimals', (length) => `gzip;q=0.${'0'.repeat(length)}1`],
  ['slashes and dots', (length) => '/.a'.repeat(length)],
  ['letters', (length) => `${'a'.repeat(length)}/${'b'.repeat(length)} `],
];

for (const [header, read] of readers) {
  test(`limits – ${header} of anything → costs what its length costs`, () => {
    for (const [what, made] of texts) {
      assertAboutLinear(`${header} of ${what}`, (times) => {
        const text = made(4000 * times);
        return () => read(text);
      });
    }
  });
}
