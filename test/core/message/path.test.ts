import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorityOf, pathOf } from '../../../src/core/message/path.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { assertAboutLinear } from '../../support/about-linear.ts';

const targets: readonly (readonly [target: string, path: string, authority: string | undefined])[] = [
  ['http://a/b/c?d=/e', '/b/c', 'a'],
  ['http://a?b', '/', 'a'],
  ['http://a', '/', 'a'],
  ['HTTPS://A:80/', '/', 'A:80'],
  ['/a', '/a', undefined],
];
for (const [target, path, authority] of targets) {
  test(`RFC 9112 §3.2.2 – ${target} → the path ${path}, the authority ${authority ?? 'of the Host line'}`, () => {
    assert.equal(pathOf(target, 'GET'), path);
    assert.equal(authorityOf(target), authority);
  });
}

for (const target of ['http://a/b#c', 'http://a#', 'http://a?#', '/b#c']) {
  test(`RFC 9112 §3.2 – ${target}, with a fragment → 400`, () => {
    assert.throws(
      () => pathOf(target, 'GET'),
      (error) => error instanceof HttpProblem && error.status === 400,
    );
  });
}

const hostile: readonly (readonly [what: string, made: (length: number) => string])[] = [
  ['an authority before a fragment', (length) => `http://${'a'.repeat(length)}/x#`],
  ['a query before a fragment', (length) => `http://a?${'a'.repeat(length)}#`],
  ['slashes', (length) => `http://a${'/'.repeat(length)}#`],
];
for (const [what, made] of hostile) {
  test(`limits – a request target of ${what} → costs what its length costs`, () => {
    assertAboutLinear(what, (times) => {
      const target = made(4000 * times);
      return () => authorityOf(target);
    });
  });
}
