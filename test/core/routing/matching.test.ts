/** `find` and `explain` give the answer of each row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteMatch, route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { unanswered } from '../../support/unanswered.ts';
import { MATCHES } from './matching.cases.ts';

for (const {
  clause,
  routes,
  ask: [method, path],
  want,
  because,
} of MATCHES) {
  const given = routes.map((one) => (typeof one === 'string' ? { template: one } : one));
  const templates = given.map((one) => one.template).join(', ');
  const answer = want ? JSON.stringify(want.values) : 'falls through';
  test(`${clause} – ${method} ${path} on ${templates} → ${answer} (${because})`, () => {
    const all = given.map(({ template, ...options }) =>
      route({ path: template as string, ...options, handle: unanswered }),
    );
    const collection = new RouteCollection().add(...all);
    const told = (match: RouteMatch | undefined): unknown =>
      match ? { route: all.indexOf(match.route), values: Object.fromEntries(Object.entries(match.values)) } : null;
    const wanted = want && { route: want.route, values: Object.fromEntries(Object.entries(want.values)) };
    assert.deepEqual(told(collection.find(method, path)), wanted);
    const trials = collection.explain(method, path);
    assert.equal(
      trials.findIndex((trial) => trial.accepted),
      want ? want.route : -1,
    );
    for (const trial of trials) assert.ok(trial.accepted || trial.reason.length > 5);
  });
}

test('D34 – values → an object that inherits nothing', () => {
  const { values } = new RouteCollection().add(route({ path: '{a}', handle: unanswered })).find('GET', '/x')!;
  assert.equal((values as { toString?: unknown }).toString, undefined);
  assert.equal((values as { constructor?: unknown }).constructor, undefined);
  assert.ok(!(values instanceof Object));
  assert.equal('hasOwnProperty' in values, false);
});

test('D21 – a malformed escape, which a server refuses → the segment stays as it is', () => {
  const collection = new RouteCollection().add(route({ path: 'a/{b}', handle: unanswered }));
  assert.equal(collection.find('GET', '/a/%zz')?.values['b'], '%zz');
  assert.equal(collection.find('GET', '/%zz'), undefined);
});

test('4.3 – a constraint that asks the collection itself → both are answered', () => {
  const inner: unknown[] = [];
  const collection: RouteCollection = new RouteCollection();
  const asking = {
    text: 'asking',
    accepts: (value: string | undefined) => {
      inner.push(collection.find('GET', `/other/${value}`)?.values['name']);
      return true;
    },
  };
  collection.add(
    route({ method: 'GET', path: 'x/{id}/{more}', constraints: { id: asking }, handle: unanswered }),
    route({ method: 'GET', path: 'other/{name}', handle: unanswered }),
  );
  const { values } = collection.find('GET', '/x/1/2')!;
  assert.deepEqual({ ...values }, { id: '1', more: '2' });
  assert.deepEqual(inner, ['1']);
});

test('4.3 – later routes are not asked', () => {
  const asked: string[] = [];
  const noting = (name: string, answer: boolean) => ({
    text: name,
    accepts: () => {
      asked.push(name);
      return answer;
    },
  });
  const collection = new RouteCollection().add(
    route({ method: 'GET', path: 'a/{x}', constraints: { x: noting('first', false) }, handle: unanswered }),
    route({
      method: 'GET',
      path: 'a/b',
      defaults: { q: '1' },
      constraints: { q: noting('second', true) },
      handle: unanswered,
    }),
    route({ method: 'GET', path: '{*all}', constraints: { all: noting('third', true) }, handle: unanswered }),
  );
  assert.equal(collection.find('GET', '/a/b')?.route.template.text, 'a/b');
  assert.deepEqual(asked, ['first', 'second']);
});
