/** D31 – which expressions a route may have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteCollection } from '../../src/routing/route-collection.ts';
import { ALLOWED, REFUSED } from './expressions.cases.ts';

const unanswered = (): never => {
  throw new Error('not asked');
};
const added = (constraint: string | RegExp): RouteCollection =>
  new RouteCollection().map('GET', '{x}', unanswered, { constraints: { x: constraint } });

for (const source of REFUSED) {
  test(`D31 – ${source} → refused, with the reason`, () => {
    assert.throws(() => added(source), (error: AggregateError) => /can take for ever: /.test(error.message));
    assert.throws(() => added(new RegExp(source, 'i')), AggregateError);
  });
}
for (const source of ALLOWED) test(`D31 – ${source} → allowed`, () => void added(source));

test('D22 – an expression that does not compile → refused', () => {
  for (const source of ['[', '(', 'a)(b', '*']) assert.throws(() => added(source), AggregateError);
});
