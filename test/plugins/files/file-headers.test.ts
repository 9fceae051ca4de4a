/** The headers of files: media types, names of downloads as clients read them by RFC 6266, and ranges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerFault } from '../../../src/core/http/reply.ts';
import { byteRange, downloadDisposition, mediaTypeOf } from '../../../src/plugins/files/file-headers.ts';

for (const [name, mediaType] of [
  ['index.html', 'text/html; charset=utf-8'],
  ['a/b/custom.css', 'text/css; charset=utf-8'],
  ['app.min.js', 'text/javascript; charset=utf-8'],
  ['LOGO.PNG', 'image/png'],
  ['data.json', 'application/json'],
  ['app.js.br', 'application/octet-stream'],
  ['app.js.gz', 'application/gzip'],
  ['LICENSE', 'application/octet-stream'],
  ['html', 'application/octet-stream'],
  ['a.html/b', 'application/octet-stream'],
  ['name.', 'application/octet-stream'],
  ['x.__proto__', 'application/octet-stream'],
] as const) {
  test(`RFC 9110 §8.3 – ${name} → ${mediaType}`, () => {
    assert.equal(mediaTypeOf(name), mediaType);
  });
}

/** The name that a client saves: the extended name (`filename*`) if present, else the plain name. */
function readName(header: string): { plain: string | undefined; name: string | undefined } {
  const plain = /; filename="([^"\\]*)"/.exec(header)?.[1];
  const extended = /; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header)?.[1];
  return { plain, name: extended === undefined ? plain : decodeURIComponent(extended) };
}

const DOWNLOADS: readonly (readonly [name: string, saved: string, plain?: string])[] = [
  ['report.pdf', 'report.pdf'],
  ['Report 2026 (final).pdf', 'Report 2026 (final).pdf'],
  ["it's.txt", "it's.txt"],
  ['100 % sure.txt', '100 % sure.txt'],
  ['Übersicht.pdf', 'Übersicht.pdf', '_bersicht.pdf'],
  ['€ rates.csv', '€ rates.csv', '_ rates.csv'],
  ['日本語.txt', '日本語.txt', '___.txt'],
  ['😀.png', '😀.png', '_.png'],
  ['say "hi".txt', 'say "hi".txt', 'say _hi_.txt'],
  ['a%41.txt', 'a%41.txt', 'a_41.txt'],
  ["ü'()*;=.txt", "ü'()*;=.txt", "_'()*;=.txt"],
  ['AC/DC.mp3', 'AC_DC.mp3'],
  ['..\\..\\boot.ini', '.._.._boot.ini'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a\r\nSet-Cookie: b.txt', 'a__Set-Cookie: b.txt'],
  ['a\0\u007f\u0085.txt', 'a___.txt'],
  ['half \ud83d.txt', 'half _.txt'],
];
for (const [name, saved, plain = saved] of DOWNLOADS)
  test(`RFC 6266 §4.3 – a download named ${JSON.stringify(name)} → is saved as ${saved}, or as ${plain} by an old client`, () => {
    const header = downloadDisposition(name);
    assert.deepEqual(readName(header), { plain, name: saved });
    assert.match(header, /^attachment; /);
    assert.equal(header.includes('filename*'), plain !== saved);
    assert.equal(headerFault('Content-Disposition', header), undefined);
  });

test('RFC 6266 §4.2 – a download without a name → the client chooses one', () => {
  assert.equal(downloadDisposition(''), 'attachment');
});

for (const [header, length, range, because] of [
  [undefined, 10, undefined, 'no range'],
  ['bytes=0-4', 10, [0, 4], 'both ends included'],
  ['bytes=5-', 10, [5, 9], 'to the end'],
  ['bytes=5-99', 10, [5, 9], 'the end is cut'],
  ['bytes=-3', 10, [7, 9], 'the last three, not the first'],
  ['bytes=-99', 10, [0, 9], 'a suffix longer than the body is all of it'],
  ['bytes=9-9', 10, [9, 9], 'one byte'],
  ['bytes=10-', 10, 'unsatisfiable', 'after the end'],
  ['bytes=-0', 10, 'unsatisfiable', 'the last zero bytes'],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable', 'a start above the largest safe integer'],
  ['bytes=0-99999999999999999999', 10, [0, 9], 'an end above the largest safe integer'],
  ['bytes=5-2', 10, undefined, 'the end is before the start, which is invalid'],
  ['bytes=-', 10, undefined, 'neither end'],
  ['bytes=a-b', 10, undefined, 'not numbers'],
  ['bytes=0-4, 6-7', 10, undefined, 'several ranges: the whole body'],
  ['bytes=+1-2', 10, undefined, 'a sign is not a digit'],
  ['items=0-4', 10, undefined, 'an unknown unit'],
  ['Bytes=0-4', 10, [0, 4], 'units ignore case'],
  ['bytes=0-', 0, 'unsatisfiable', 'an empty body has no first byte'],
  ['bytes=-5', 0, undefined, 'a suffix of an empty body: the whole body'],
] as const) {
  test(`RFC 9110 §14.1.2 – Range: ${header} of ${length} → ${range ?? 'the whole'} (${because})`, () => {
    const found = byteRange(header, length);
    assert.deepEqual(typeof found === 'object' ? [found.first, found.last] : found, range);
  });
}
