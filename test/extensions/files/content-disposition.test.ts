/** The name of a download, read back as RFC 6266 has clients read it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerFault } from '../../../src/core/message/reply-fault.ts';
import { downloadDisposition } from '../../../src/extensions/files/file-headers.ts';

/** The name that a client saves: the extended one where there is one, else the plain one. */
function readName(header: string): { plain: string | undefined; name: string | undefined } {
  const plain = /; filename="([^"\\]*)"/.exec(header)?.[1];
  const extended = /; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header)?.[1];
  return { plain, name: extended === undefined ? plain : decodeURIComponent(extended) };
}

const ROWS: readonly (readonly [name: string, saved: string, plain?: string])[] = [
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
for (const [name, saved, plain = saved] of ROWS)
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
