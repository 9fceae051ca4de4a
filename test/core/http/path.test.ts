import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorityOf, pathBelow, pathOf, prefixSegments, sentPath } from '../../../src/core/http/path.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';

for (const [target, path, authority] of [
  ['http://a/b/c?d=/e', '/b/c', 'a'],
  ['http://a?b', '/', 'a'],
  ['http://a', '/', 'a'],
  ['HTTPS://A:80/', '/', 'A:80'],
  ['/a', '/a', undefined],
] as const)
  test(`RFC 9112 §3.2.2 – ${target} → the path ${path}, the authority ${authority ?? 'of the Host header'}`, () => {
    assert.equal(pathOf(target, 'GET'), path);
    assert.equal(authorityOf(target), authority);
  });

for (const target of [
  'http://a/b#c',
  'http://a#',
  'http://a?#',
  'http://a/?b=1#c',
  '/b#c',
  '/b?c=1#d',
  '/?#',
  '/b?c=1?#',
])
  test(`RFC 9112 §3.2 – ${target}, with a fragment → 400`, () =>
    assert.throws(
      () => pathOf(target, 'GET'),
      (error) => error instanceof HttpProblem && error.status === 400,
    ));

const hostile: readonly (readonly [what: string, targetOf: (length: number) => string])[] = [
  ['an authority before a fragment', (length) => `http://${'a'.repeat(length)}/x#`],
  ['a query before a fragment', (length) => `http://a?${'a'.repeat(length)}#`],
  ['slashes', (length) => `http://a${'/'.repeat(length)}#`],
];
for (const [what, targetOf] of hostile)
  test(`limits – a long request target of ${what} → the time is about linear`, () => {
    assertAboutLinear(what, (times) => {
      const target = targetOf(4000 * times);
      return () => authorityOf(target);
    });
  });

const below: readonly (readonly [at: string, path: string, rest: string | undefined, because: string])[] = [
  ['', '/a.css', '/a.css', 'an empty prefix'],
  ['', '/', '/', 'an empty prefix, the root'],
  ['assets', '/assets/a.css', '/a.css', 'a prefix without a slash in front'],
  ['/assets//', '/assets/a.css', '/a.css', 'a prefix with slashes at its end'],
  ['/assets', '//assets/a.css', undefined, 'after an empty segment'],
  ['/assets', '/assets//a.css', '//a.css', 'an empty segment below'],
  ['/assets', '/assets/', '/', 'the folder'],
  ['/assets', '/%61ssets/a%20b', '/a%20b', 'a segment is decoded before it is compared'],
  ['/swagger/ui', '/swagger%2Fui', undefined, 'an encoded slash in the last segment'],
  ['/swagger/ui', '/swagger', undefined, 'a part of the prefix'],
  ['/swagger/ui', '/swagger/ui/%zz', '/%zz', 'the rest is not decoded'],
  ['/swagger/ui', '/swagger/%ff/x', undefined, 'bytes that are not UTF-8'],
  ['/100%', '/100%25/a', '/a', 'a percent sign that is not an escape'],
  ['/a%20b', '/A%20B/c', '/c', 'an encoded prefix'],
  ['/grüß', '/GR%C3%9C%C3%9F/a', '/a', 'letters outside ASCII'],
  ['/kilo', '/%E2%84%AAilo', undefined, 'a letter that looks like a letter of ASCII'],
];
for (const [at, path, rest, because] of below)
  test(`D16, D36 – ${path} below "${at}" → ${rest ?? 'elsewhere'} (${because})`, () =>
    assert.equal(pathBelow(sentPath(path), prefixSegments(at))?.path, rest));
