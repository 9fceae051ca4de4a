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

/** A template, the given values, the values of the request, and the use of each value. */
const USES: readonly (readonly [
  template: string,
  given: Readonly<Record<string, string | null>>,
  ambient: Readonly<Record<string, string>>,
  uses: Readonly<Record<string, string>>,
])[] = [
  ['{a}/{b}', { a: '1' }, { b: '2' }, { a: 'given, in the path', b: 'ambient, kept' }],
  [
    '{a}/{b}',
    { a: '1', c: '3' },
    { a: '1', b: '2' },
    { a: 'ambient, dropped: a value is given', c: 'given, in the query', b: 'ambient, kept' },
  ],
  [
    '{a}/{b}',
    { a: '1' },
    { a: '7', b: '2' },
    { a: 'ambient, dropped: a value is given', b: 'ambient, dropped: {a} before it has another value now' },
  ],
  ['{a}/{b?}', { a: '1', b: null }, { b: '2' }, { a: 'given, in the path', b: 'ambient, dropped: a value is given' }],
  [
    '{a}',
    { a: '1', area: 'x' },
    { page: '2' },
    {
      a: 'given, in the path',
      area: 'given, not written: it is a default of the route',
      page: 'ambient, dropped: the template has no such parameter',
    },
  ],
  [
    '{a}',
    { a: '' },
    { zone: '1' },
    { a: 'given, not written: it is empty', zone: 'ambient, used only by a constraint' },
  ],
];
for (const [template, given, ambient, uses] of USES)
  test(`E – ${template}, ${JSON.stringify(given)} over ${JSON.stringify(ambient)} → the use of each value`, () => {
    const collection = collectionOf({ template, defaults: { area: 'x' }, constraints: { zone: /1?/ } });
    const [trial] = collection.explainLink(given, { ambient });
    assert.deepEqual(Object.fromEntries(trial!.values.map(({ name, use }) => [name, use])), uses);
  });

test('4.3 – a link → has its route with the data tokens', () => {
  const collection = collectionOf({ template: 'a', dataTokens: { locale: 'en' } });
  assert.deepEqual(collection.link({})?.route.dataTokens, { locale: 'en' });
});
