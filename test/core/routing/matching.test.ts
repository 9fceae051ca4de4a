/** `find` and `explain` give the route of each row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteMatch } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { collectionOf, unansweredRoute } from '../../support/unanswered.ts';
import { MATCHES } from './matching.cases.ts';

for (const {
  clause,
  routes,
  ask: [method, path],
  want,
  because,
} of MATCHES) {
  const templates = routes.map((row) => (typeof row === 'string' ? row : row.template)).join(', ');
  const answer = want ? JSON.stringify(want.values) : 'falls through';
  test(`${clause} – ${method} ${path} on ${templates} → ${answer} (${because})`, () => {
    const collection = collectionOf(...routes);
    const all = [...collection];
    const placeOf = (match: RouteMatch | undefined): unknown =>
      match ? { route: all.indexOf(match.route), values: Object.fromEntries(Object.entries(match.values)) } : null;
    const wanted = want && { route: want.route, values: Object.fromEntries(Object.entries(want.values)) };
    assert.deepEqual(placeOf(collection.find(method, path)), wanted);
    const trials = collection.explain(method, path);
    assert.equal(
      trials.findIndex((trial) => trial.accepted),
      want ? want.route : -1,
    );
    for (const trial of trials) assert.ok(trial.accepted || trial.reason.length > 5);
  });
}

test('D34 – the values of a match → an object without inherited members', () => {
  const { values } = collectionOf('{a}').find('GET', '/x')!;
  assert.equal((values as { toString?: unknown }).toString, undefined);
  assert.equal((values as { constructor?: unknown }).constructor, undefined);
  assert.ok(!(values instanceof Object));
  assert.equal('hasOwnProperty' in values, false);
});

test('D21 – a malformed escape, which a server refuses → the segment stays encoded', () => {
  const collection = collectionOf('a/{b}');
  assert.equal(collection.find('GET', '/a/%zz')?.values['b'], '%zz');
  assert.equal(collection.find('GET', '/%zz'), undefined);
});

test('4.3 – a constraint that calls find on its collection → both calls get their match', () => {
  const inner: unknown[] = [];
  const collection: RouteCollection = new RouteCollection();
  const asking = {
    text: 'asking',
    accepts: (value: string | undefined) => {
      inner.push(collection.find('GET', `/other/${value}`)?.values['name']);
      return true;
    },
  };
  collection.add(unansweredRoute('x/{id}/{more}', { constraints: { id: asking } }), unansweredRoute('other/{name}'));
  const { values } = collection.find('GET', '/x/1/2')!;
  assert.deepEqual({ ...values }, { id: '1', more: '2' });
  assert.deepEqual(inner, ['1']);
});

test('4.3 – a route matches → the constraints of later routes are not called', () => {
  const called: string[] = [];
  const recording = (name: string, answer: boolean) => ({
    text: name,
    accepts: () => {
      called.push(name);
      return answer;
    },
  });
  const collection = collectionOf(
    { template: 'a/{x}', constraints: { x: recording('first', false) } },
    { template: 'a/b', defaults: { q: '1' }, constraints: { q: recording('second', true) } },
    { template: '{*all}', constraints: { all: recording('third', true) } },
  );
  assert.equal(collection.find('GET', '/a/b')?.route.template.text, 'a/b');
  assert.deepEqual(called, ['first', 'second']);
});
