/** D22, D37 – the regular expressions that a route may have, and the warnings about them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestedRepetition } from '../../../../src/core/routing/constraints/repetition.ts';
import type { RouteCollection } from '../../../../src/core/routing/route-collection.ts';
import { collectionOf } from '../../../support/unanswered.ts';

const added = (constraint: string | RegExp): RouteCollection =>
  collectionOf({ template: '{x}', constraints: { x: constraint } });
const matches = (expression: string | RegExp, value: string): boolean =>
  added(expression).find('GET', `/${encodeURIComponent(value)}`) !== undefined;

/** Expressions, and the part that repeats a repetition. */
for (const [source, nested] of [
  ['(a+)+', '(a+)+'],
  ['x(a*b?)*y', '(a*b?)*'],
  ['^(?:[a-z]{2,}-?){1,}$', '(?:[a-z]{2,}-?){1,}'],
  ['(a{1,3})*', '(a{1,3})*'],
  ['((a+)b)+?c', '((a+)b)+'],
  ['(?:(?=a*b)a)*', '(?:(?=a*b)a)*'],
  [String.raw`([^)\]]+\))+`, String.raw`([^)\]]+\))+`],
] as const)
  test(`D37 – ${source} → a warning that names ${nested} and the remedies`, () =>
    assert.equal(
      nestedRepetition(source, 'the route "{x}"', 'give a predicate'),
      `The expression "${nested}" of the route "{x}" repeats a repetition, so it can take for ever; ` +
        'limit the outer repetition, as in {0,4}, give a predicate, or ask a checker such as recheck',
    ));
for (const source of [
  'list|get|create',
  '[a-f0-9]{8}(-[a-f0-9]{4}){3}',
  '(a+){0,4}',
  '(a?b?)+',
  '(a+)?',
  '(?=.*[A-Z]).{8,}',
  String.raw`(\(\+\*)+[(+]+`,
  '([+*])*',
  'a)+',
])
  test(`D37 – ${source} → no warning`, () => assert.equal(nestedRepetition(source, '', ''), undefined));

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
