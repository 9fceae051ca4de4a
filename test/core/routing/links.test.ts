/** `link` and `explainLink` give the link of each row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { collectionOf, unansweredRoute } from '../../support/unanswered.ts';
import { LINKS } from './links.cases.ts';

for (const { clause, routes, values, want, because, ambient, name, options } of LINKS) {
  const templates = routes.map((row) => (typeof row === 'string' ? row : row.template)).join(', ');
  test(`${clause} – ${JSON.stringify(values)} on ${templates} → ${want ?? 'no link'} (${because})`, () => {
    const collection = new RouteCollection(options).add(...routes.map((row) => unansweredRoute(row)));
    const from = { ...(ambient && { ambient }), ...(name !== undefined && { name }) };
    assert.equal(collection.link(values, from)?.path ?? null, want);
    const first = collection.explainLink(values, from).find((trial) => trial.accepted);
    assert.equal(first?.accepted ? first.path : null, want);
  });
}

test('E – explainLink → the reason of each route', () => {
  const collection = collectionOf('a/{id}', 'b/{id:int}', { template: 'c', defaults: { area: 'x' } });
  const reasons = collection.explainLink({ area: 'y' }).map((trial) => (trial.accepted ? '' : trial.reason));
  assert.deepEqual(reasons, [
    '{id} has no value',
    '{id} has no value',
    '"area" is "y", but must equal its default "x"',
  ]);
  assert.match((collection.explainLink({ id: 'x' })[1] as { reason: string }).reason, /\{id:int\} rejects "x"/);
});

test('4.3 – a link → has its route with the data tokens', () => {
  const collection = collectionOf({ template: 'a', dataTokens: { locale: 'en' } });
  assert.deepEqual(collection.link({})?.route.dataTokens, { locale: 'en' });
});
