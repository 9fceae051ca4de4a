/** D31, D37 – which expressions a route may have, and how their time grows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteConstraint } from '../../../../src/core/routing/constraints/constraint.ts';
import { degreeOf } from '../../../../src/core/routing/constraints/expression-cost.ts';
import type { RouteCollection } from '../../../../src/core/routing/route-collection.ts';
import { collectionOf } from '../../../support/unanswered.ts';
import { DEGREES, REFUSED, REFUSED_HARMLESS, REFUSED_WITH_FLAGS, SEARCHES } from './expressions.cases.ts';

const added = (constraint: string | RegExp | RouteConstraint): RouteCollection =>
  collectionOf({ template: '{x}', constraints: { x: constraint } });
const takes = (expression: string | RegExp, value: string): boolean =>
  added(expression).find('GET', `/${encodeURIComponent(value)}`) !== undefined;

for (const source of REFUSED)
  test(`D31 – ${source} → refused, with the reason`, () => {
    assert.throws(
      () => added(source),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    );
    assert.throws(() => added(new RegExp(source, /\\[up]\{/.test(source) ? 'iu' : 'i')), AggregateError);
  });
for (const expression of REFUSED_WITH_FLAGS)
  test(`D31 – ${expression} → refused`, () =>
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    ));
for (const expression of REFUSED_HARMLESS)
  test(`D31 – ${expression} → refused to be safe; its predicate is taken`, () =>
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: .*; .* a predicate, \(value\) => /.test(error.message),
    ));
for (const [expression, degree] of DEGREES)
  test(`D37 – ${expression} → length^${degree}, ${degree > 2 ? 'refused' : 'allowed'}`, () => {
    const [source, flags] = typeof expression === 'string' ? [expression, 'iu'] : [expression.source, expression.flags];
    assert.equal(degreeOf(source, flags), degree);
    if (degree <= 2) return void added(expression).find('GET', '/x');
    const remedy = 'give a repetition an end, as in {0,4}, or give a predicate, (value) => …, outside the template';
    assert.throws(
      () => added(expression),
      (error: AggregateError) =>
        error.message.includes(`the time of the expression "${source}" can grow as length^${degree}; ${remedy}`),
    );
  });
for (const [pattern, degree] of SEARCHES)
  test(`D37 – a search for ${pattern} → length^${degree}`, () => assert.equal(degreeOf(pattern, 'u', true), degree));

test('D37 – an expression that is refused, with an end of its repetition → allowed', () => {
  assert.throws(() => added('.*.*=.*'), AggregateError);
  assert.ok(takes('.{0,4}=.*', 'a=b'));
});

test('D22 – an expression that does not compile → refused', () => {
  for (const source of ['[', '(', 'a)(b', '*']) assert.throws(() => added(source), AggregateError);
});

/** Expressions with the flag `m`, values, and whether they are taken. */
for (const [expression, value, taken] of [
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
  test(`D22 – ${expression} and ${JSON.stringify(value)} → ${taken ? 'taken' : 'refused'}, as a whole value`, () =>
    assert.equal(takes(expression, value), taken));

test('D37 – a square on a value that is longer than a segment may be → not taken, in a match and in a link', () => {
  const collection = added('.*=.*');
  const longest = '='.repeat(2_048);
  assert.equal(collection.find('GET', `/${longest}`)?.values['x'], longest);
  assert.equal(collection.find('GET', `/${longest}=`), undefined);
  assert.ok(collection.link({ x: longest }));
  assert.equal(collection.link({ x: `${longest}=` }), undefined);
});

test('D37 – a linear expression takes a value of any length', () => assert.ok(takes('=*', '='.repeat(100_000))));
