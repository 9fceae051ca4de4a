/** `link` and `explainLink` give the link of each row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../src/routing/route/route.ts';
import { RouteCollection } from '../../../src/routing/route-collection.ts';
import { LINKS } from './links.cases.ts';

const unanswered = (): never => {
  throw new Error('not asked');
};

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
