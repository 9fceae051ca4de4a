/** `link` and `explainLink` give the link of each row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { unanswered } from '../../support/unanswered.ts';
import { LINKS } from './links.cases.ts';

for (const { clause, routes, values, want, because, ambient, name, options } of LINKS) {
  const given = routes.map((one) => (typeof one === 'string' ? { template: one } : one));
  const templates = given.map((one) => one.template).join(', ');
  test(`${clause} – ${JSON.stringify(values)} on ${templates} → ${want ?? 'no link'} (${because})`, () => {
    const collection = new RouteCollection(options).add(
      ...given.map(({ template, ...rest }) => route({ path: template as string, ...rest, handle: unanswered })),
    );
    const from = { ...(ambient && { ambient }), ...(name !== undefined && { name }) };
    assert.equal(collection.link(values, from)?.path ?? null, want);
    const first = collection.explainLink(values, from).find((trial) => trial.accepted);
    assert.equal(first?.accepted ? first.path : null, want);
  });
}

test('E – explainLink → says what was missing', () => {
  const collection = new RouteCollection().add(
    route({ path: 'a/{id}', handle: unanswered }),
    route({ path: 'b/{id:int}', handle: unanswered }),
    route({ path: 'c', defaults: { area: 'x' }, handle: unanswered }),
  );
  const reasons = collection.explainLink({ area: 'y' }).map((trial) => (trial.accepted ? '' : trial.reason));
  assert.deepEqual(reasons, ['{id} has no value', '{id} has no value', '"area" is "y", its default is "x"']);
  assert.match((collection.explainLink({ id: 'x' })[1] as { reason: string }).reason, /\{id:int\} rejects "x"/);
});

/** A template, what is given, what the request has, and what becomes of each. */
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
    { a: 'ambient, dropped: a value is given', b: 'ambient, dropped: {a} in front of it has another value now' },
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
  ['{a}', { a: '' }, { zone: '1' }, { a: 'given, not written: it is empty', zone: 'ambient, for a constraint alone' }],
];
for (const [template, given, ambient, uses] of USES) {
  test(`E – ${template}, ${JSON.stringify(given)} over ${JSON.stringify(ambient)} → what becomes of each value`, () => {
    const collection = new RouteCollection().add(
      route({ path: template as string, defaults: { area: 'x' }, constraints: { zone: /1?/ }, handle: unanswered }),
    );
    const [trial] = collection.explainLink(given, { ambient });
    assert.deepEqual(Object.fromEntries(trial!.values.map(({ name, use }) => [name, use])), uses);
  });
}

test('4.3 – a link → carries its route with the data tokens', () => {
  const collection = new RouteCollection().add(route({ path: 'a', dataTokens: { locale: 'en' }, handle: unanswered }));
  assert.deepEqual(collection.link({})?.route.dataTokens, { locale: 'en' });
});

// An ambient value that no template names changes no link, but disables the short way of making it.
const elsewhere = { ambient: { elsewhere: '1' } };
for (const template of ['', 'a', '{id}', 'a/{id}', 'Ä b/{id}/{Of}/c', '{id}/{of}']) {
  const same = 'the same as beside an ambient value of no parameter';
  test(`E – a link on "${template}" that has all its values → ${same}`, () => {
    const collection = new RouteCollection().add(route({ path: template, handle: unanswered }));
    for (const one of [
      '5',
      '',
      null,
      undefined,
      'a/b',
      '/a',
      '/',
      '%2F',
      '日本',
      '\ud800',
      'a b',
      'A',
      true,
      ['x', 'y'],
    ]) {
      for (const values of [
        {},
        { id: one },
        { id: one, of: 'z' },
        { ID: 'z', of: one },
        { id: one, of: one, q: one },
      ]) {
        assert.equal(collection.link(values)?.path, collection.link(values, elsewhere)?.path, JSON.stringify(values));
      }
    }
  });
}
