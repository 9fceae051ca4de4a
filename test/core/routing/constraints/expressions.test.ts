/** D31, D37 – the expressions that a route may have, and the growth of their time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteConstraint } from '../../../../src/core/routing/constraints/constraint.ts';
import { degreeOf } from '../../../../src/core/routing/constraints/expression-cost.ts';
import type { RouteCollection } from '../../../../src/core/routing/route-collection.ts';
import { collectionOf } from '../../../support/unanswered.ts';
import { DEGREES, REJECTED, REJECTED_HARMLESS, REJECTED_WITH_FLAGS, SEARCHES } from './expressions.cases.ts';

const added = (constraint: string | RegExp | RouteConstraint): RouteCollection =>
  collectionOf({ template: '{x}', constraints: { x: constraint } });
const matches = (expression: string | RegExp, value: string): boolean =>
  added(expression).find('GET', `/${encodeURIComponent(value)}`) !== undefined;

for (const source of REJECTED)
  test(`D31 – ${source} → rejected, with the reason`, () => {
    assert.throws(
      () => added(source),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    );
    assert.throws(() => added(new RegExp(source, /\\[up]\{/.test(source) ? 'iu' : 'i')), AggregateError);
  });
for (const expression of REJECTED_WITH_FLAGS)
  test(`D31 – ${expression} → rejected`, () =>
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    ));
for (const expression of REJECTED_HARMLESS)
  test(`D31 – ${expression} → rejected although harmless; the remedy is a predicate`, () =>
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: .*; .* a predicate, \(value\) => /.test(error.message),
    ));
for (const [expression, degree] of DEGREES)
  test(`D37 – ${expression} → length^${degree}, ${degree > 2 ? 'rejected' : 'allowed'}`, () => {
    const [source, flags] = typeof expression === 'string' ? [expression, 'iu'] : [expression.source, expression.flags];
    assert.equal(degreeOf(source, flags), degree);
    if (degree <= 2) return void added(expression).find('GET', '/x');
    const remedy = 'limit a repetition, as in {0,4}, or give a predicate, (value) => …, outside the template';
    assert.throws(
      () => added(expression),
      (error: AggregateError) =>
        error.message.includes(`the time of the expression "${source}" can grow as length^${degree}; ${remedy}`),
    );
  });
for (const [pattern, degree] of SEARCHES)
  test(`D37 – a search for ${pattern} → length^${degree}`, () => assert.equal(degreeOf(pattern, 'u', true), degree));

test('D37 – a rejected expression with a limited repetition → allowed', () => {
  assert.throws(() => added('.*.*=.*'), AggregateError);
  assert.ok(matches('.{0,4}=.*', 'a=b'));
});

test('D22 – an expression that does not compile → rejected', () => {
  for (const source of ['[', '(', 'a)(b', '*']) assert.throws(() => added(source), AggregateError);
});

/** Expressions, values, and whether the expression matches the whole value. */
for (const [expression, value, isMatch] of [
  [/list/m, 'list', true],
  [/list/m, 'list\nx', false],
  [/list/m, 'x\nlist', false],
  [/list/m, '\nlist', false],
  [/list/im, 'LIST', true],
  [/a$\n^b/m, 'a\nb', true],
  [/^list$/m, 'list\n', false],
  [/list|x/m, 'list\nx', false],
  [/list/, 'list\nx', false],
] as const)
  test(`D22 – ${expression} and ${JSON.stringify(value)} → ${isMatch ? 'matches' : 'does not match'} the whole value`, () =>
    assert.equal(matches(expression, value), isMatch));

test('D37 – an expression of degree 2 and a value longer than a segment → rejected, in a match and in a link', () => {
  const collection = added('.*=.*');
  const longest = '='.repeat(2_048);
  assert.equal(collection.find('GET', `/${longest}`)?.values['x'], longest);
  assert.equal(collection.find('GET', `/${longest}=`), undefined);
  assert.ok(collection.link({ x: longest }));
  assert.equal(collection.link({ x: `${longest}=` }), undefined);
});

test('D37 – a linear expression and a very long value → matches', () => assert.ok(matches('=*', '='.repeat(100_000))));
