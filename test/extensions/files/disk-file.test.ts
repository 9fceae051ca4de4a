/** Tests which file name a request path is mapped to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentPath } from '../../../src/core/message/path.ts';
import { fileName } from '../../../src/extensions/files/disk-file.ts';

const names: readonly (readonly [path: string, name: string | undefined, because: string])[] = [
  ['/a.css', 'a.css', 'a file'],
  ['/a/b/c.css', 'a/b/c.css', 'a file in folders'],
  ['/', 'index.html', 'the index of the root'],
  ['/dir/', 'dir/index.html', 'the index of a folder'],
  ['/dir', 'dir', 'no index without the slash'],
  ['/a%20b.css', 'a b.css', 'decoded'],
  ['/%C3%A4.css', 'ä.css', 'UTF-8'],
  ['/a%2520b', 'a%20b', 'decoded once'],
  ['/A.css', 'A.css', 'case kept'],
  ['', undefined, 'nothing asked for'],
  ['//etc/passwd', undefined, 'an empty piece'],
  ['/a//b', undefined, 'an empty piece inside'],
  ['/a//', undefined, 'an empty piece at the end'],
  ['/.env', undefined, 'a dot-file'],
  ['/.git/config', undefined, 'in a dot-folder'],
  ['/a/.htaccess', undefined, 'a dot-file below'],
  ['/%2eenv', undefined, 'a dot-file encoded'],
  ['/a/%2E%2e/b', undefined, 'a climb encoded'],
  ['/..%2fetc/passwd', undefined, 'a climb with an encoded slash'],
  ['/a%2fb', undefined, 'an encoded slash is no slash'],
  ['/..%5c..%5cwindows', undefined, 'backslashes'],
  ['/a%5Cb', undefined, 'a backslash inside'],
  ['/a\\b', undefined, 'a bare backslash'],
  ['/a%00.css', undefined, 'U+0000'],
];
for (const [path, name, because] of names) {
  test(`D36 – ${path || 'nothing'} → ${name ?? 'no file'} (${because})`, () => {
    assert.equal(fileName(sentPath(path), 'index.html'), name);
  });
}

const dotted: readonly (readonly [path: string, name: string | undefined])[] = [
  ['/.well-known/security.txt', '.well-known/security.txt'],
  ['/..', undefined],
  ['/a/../b', undefined],
  ['/.', undefined],
  ['/a/./b', undefined],
  ['/...', '...'],
];
for (const [path, name] of dotted) {
  test(`with dot-files allowed – ${path} → ${name ?? 'no file'}`, () => {
    assert.equal(fileName(sentPath(path), 'index.html', true), name);
  });
}
