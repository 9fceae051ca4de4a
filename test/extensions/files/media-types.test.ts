import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaTypeOf } from '../../../src/extensions/files/file-headers.ts';

const cases: readonly (readonly [name: string, mediaType: string])[] = [
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
];
for (const [name, mediaType] of cases) {
  test(`RFC 9110 §8.3 – ${name} → ${mediaType}`, () => {
    assert.equal(mediaTypeOf(name), mediaType);
  });
}
