/** D31, D37 – which expressions a route may have, what they cost, and how long a value may be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../../src/core/message/problem.ts';
import type { RouteConstraint } from '../../../../src/core/routing/constraints/constraint.ts';
import { expressionCost } from '../../../../src/core/routing/constraints/expression-cost.ts';
import { route } from '../../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../../src/core/routing/route-collection.ts';
import { explainText } from '../../../support/explain-text.ts';
import { ALLOWED, REFUSED, REFUSED_HARMLESS, REFUSED_WITH_FLAGS } from './expressions.cases.ts';

const unanswered = (): never => {
  throw new Error('not asked');
};
const added = (constraint: string | RegExp | RouteConstraint): RouteCollection =>
  new RouteCollection().add(route({ method: 'GET', path: '{x}', constraints: { x: constraint }, handle: unanswered }));
const takes = (expression: string | RegExp, value: string): boolean =>
  added(expression).find('GET', `/${encodeURIComponent(value)}`) !== undefined;

for (const source of REFUSED) {
  test(`D31 – ${source} → refused, with the reason`, () => {
    assert.throws(
      () => added(source),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    );
    assert.throws(() => added(new RegExp(source, /\\[up]\{/.test(source) ? 'iu' : 'i')), AggregateError);
  });
}
for (const expression of REFUSED_WITH_FLAGS) {
  test(`D31 – ${expression} → refused`, () => {
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: /.test(error.message),
    );
  });
}
for (const expression of REFUSED_HARMLESS) {
  test(`D31 – ${expression} → refused to be safe; its predicate is taken`, () => {
    assert.throws(
      () => added(expression),
      (error: AggregateError) => /can take for ever: .*; .* a predicate, \(value\) => /.test(error.message),
    );
  });
}
for (const [expression, degree, maxLength] of ALLOWED) {
  test(`D37 – ${expression} → allowed, length^${degree}, at most ${maxLength} characters`, () => {
    const [source, flags] = typeof expression === 'string' ? [expression, 'iu'] : [expression.source, expression.flags];
    assert.deepEqual(expressionCost(source, flags), { degree, maxLength });
    const [trial] = added(expression).explain('GET', '/x');
    assert.deepEqual(
      trial!.bounds.map((bound) => [bound.name, bound.degree, bound.maxLength]),
      degree < 2 ? [] : [['x', degree, maxLength]],
    );
  });
}

test('D37 – the bound of every degree → the longest whose power is below ten million', () => {
  for (let degree = 2; degree <= 12; degree++) {
    const { maxLength } = expressionCost('a*'.repeat(degree), 'i');
    assert.ok(maxLength ** degree < 1e7 && (maxLength + 1) ** degree >= 1e7, `${maxLength}^${degree}`);
  }
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
] as const) {
  test(`D22 – ${expression} and ${JSON.stringify(value)} → ${taken ? 'taken' : 'refused'}, as a whole value`, () => {
    assert.equal(takes(expression, value), taken);
  });
}

const SLOW = '.*.*.*=.*';
const FITS = `/${'='.repeat(56)}`;
const TOO_LONG = `/${'='.repeat(57)}`;
const REASON = `{x:${SLOW}} takes at most 56 characters, because its cost grows as length^4; there are 57`;
const slow = (): RouteCollection => added(SLOW).add(route({ method: 'GET', path: '{y}', handle: unanswered }));

test('D37 – a value at the bound → taken; one more → 414 that names parameter, expression, bound, degree and length', () => {
  const collection = slow();
  assert.equal(collection.find('GET', FITS)?.values['x'], FITS.slice(1));
  assert.throws(
    () => collection.find('GET', TOO_LONG),
    (error) => error instanceof HttpProblem && error.status === 414 && error.message === REASON,
  );
  assert.equal(collection.find('GET', FITS)?.values['x'], FITS.slice(1), 'and the next request is answered');
});

test('D37 – the bound counts characters of the decoded value', () => {
  assert.equal(slow().find('GET', `/${'%3D'.repeat(56)}`)?.values['x'], '='.repeat(56));
  assert.throws(() => slow().find('GET', `/${'%3D'.repeat(57)}`), HttpProblem);
});

test('D37 – an earlier route or constraint decides → the bound is not asked', () => {
  const behind = new RouteCollection().add(route({ method: 'GET', path: '{z}', handle: unanswered })).add(...slow());
  assert.equal(behind.find('GET', TOO_LONG)?.values['z'], TOO_LONG.slice(1));
  const first = new RouteCollection().add(
    route({ method: 'GET', path: `{x:int:regex(${SLOW})}`, handle: unanswered }),
    route({ method: 'GET', path: '{y}', handle: unanswered }),
  );
  assert.equal(first.find('GET', TOO_LONG)?.values['y'], TOO_LONG.slice(1));
  assert.equal(slow().find('POST', TOO_LONG), undefined);
});

test('D37 – explain → the degree whatever the value, and 414 where the value is too long', () => {
  const collection = slow();
  const bounds = [{ name: 'x', constraint: SLOW, degree: 4, maxLength: 56 }];
  const [short] = collection.explain('GET', '/a');
  const [long, other] = collection.explain('GET', TOO_LONG);
  assert.deepEqual([short!.bounds, long!.bounds, other!.bounds], [bounds, bounds, []]);
  assert.deepEqual(long!.accepted ? [] : [long!.reason, long!.status], [REASON, 414]);
  assert.equal(explainText(collection.explain('GET', TOO_LONG)).split('\n')[0], `✗ GET  {x}  ${REASON}: answered 414`);
  assert.equal(
    explainText(collection.explain('GET', '/=')).split('\n')[0],
    `✓ GET  {x}  {"x":"="}, {x:${SLOW}} costs length^4: at most 56 characters`,
  );
  assert.equal(
    explainText(collection.explain('GET', '/a')).split('\n')[0],
    `✗ GET  {x}  {x:${SLOW}} rejects "a", {x:${SLOW}} costs length^4: at most 56 characters`,
  );
});

test('D37 – a link with a value at the bound → made; one more → none, with the reason', () => {
  const collection = added(SLOW);
  assert.equal(collection.link({ x: '='.repeat(56) })?.path, `/${'%3D'.repeat(56)}`);
  assert.equal(collection.link({ x: '='.repeat(57) }), undefined);
  const [trial] = collection.explainLink({ x: '='.repeat(57) });
  assert.equal(trial!.accepted ? '' : trial!.reason, REASON);
});

test("D37 – a constraint of one's own with a bound → is never asked about a longer value", () => {
  const asked: (string | undefined)[] = [];
  const own: RouteConstraint = {
    text: 'own',
    bound: { maxLength: 2, degree: 3 },
    accepts: (value) => asked.push(value) > 0,
  };
  const collection = added(own);
  assert.equal(collection.find('GET', '/ab')?.values['x'], 'ab');
  assert.throws(() => collection.find('GET', '/abc'), HttpProblem);
  assert.equal(collection.link({ x: 'abc' }), undefined);
  assert.deepEqual(asked, ['ab']);
});

test('D37 – shadowed routes → told without showing an expression what is too long for it', () => {
  const literal = 'a'.repeat(100);
  assert.deepEqual(
    added(SLOW)
      .add(route({ method: 'GET', path: literal, handle: unanswered }))
      .shadowed(),
    [],
  );
});
