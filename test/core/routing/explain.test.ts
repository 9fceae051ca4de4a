/** `explain` gives the reason of each route. `shadowed` gives the routes that no request can reach. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { collectionOf } from '../../support/unanswered.ts';
import { pick, randomNumbers, randomRoute } from './random-routes.ts';

/** A route, a path, and the reason why the route does not match. */
for (const [route, path, reason] of [
  [{ method: 'PUT', template: 'a' }, '/a', 'method is GET, route wants PUT'],
  ['api/todo', '/API/todo/x7/', 'nothing in the template matches "x7"'],
  ['api/{controller}/{id:int}', '/API/todo/x7/', '{id:int} rejects "x7"'],
  ['a/b', '/a/c', 'segment 2 is "c", route wants "b"'],
  ['a/b/c', '/a/b', 'the path ends before "c"'],
  ['a/{b}', '/a', 'the path ends before {b}'],
  ['{a}-{b}', '/x', 'segment 1 does not have the form of the template: "x"'],
  ['{a}/{b}', '/x//', 'segment 2 of the path is empty'],
  ['{a:int:min(5)}', '/3', '{a:min(5)} rejects "3"'],
  ['{a?}/b', '/', 'the path ends before "b"'],
] as const)
  test(`4.3 – ${path} on ${JSON.stringify(route)} → ${reason}`, () =>
    assert.deepEqual(
      collectionOf(route)
        .explain('GET', path)
        .map((trial) => (trial.accepted ? '' : trial.reason)),
      [reason],
    ));

test('4.3 – a constraint on a name without a value → the reason says that it is missing', () => {
  const [trial] = collectionOf({ template: 'a', constraints: { area: 'required' } }).explain('GET', '/a');
  assert.equal(trial!.accepted ? '' : trial!.reason, '{area:required} rejects a missing value');
});

/** Routes in order, and the routes that no request can reach, each with the earlier route that takes its requests. */
for (const [routes, shadowed] of [
  ['GET api/{*rest} · GET api/todo/{id}', '1 by 0'],
  ['* {a} · GET x · POST {b:int}', '1 by 0, 2 by 0'],
  ['GET {a:int} · GET {b} · GET 5', '2 by 1'],
  ['GET,PUT {a:int} · PUT {a:int}', '1 by 0'],
  ['GET {a:int} · PUT {a:int}', ''],
  ['GET {a:regex(\\d)} · GET {a:regex(\\D)}', ''],
  ['GET {a:int} · GET 5', ''],
  ['GET {a} · POST {a} · GET,POST {b}', ''],
  ['GET {a} · * {b}', ''],
  ['GET {a}/{b?} · GET {c}/{d=1} · GET {c=2}/{d=1}', '1 by 0'],
  ['GET {a} · GET {c}/{d?}', ''],
  ['GET {a}-{b} · GET {c}-{d} · GET {e}.{f}', '1 by 0'],
  ['GET {a} · GET {b}-{c}', '1 by 0'],
  ['GET a/{x} · GET A/{*rest}', ''],
  ['GET ü · GET Ü', '1 by 0'],
  ['GET {*all} · GET', '1 by 0'],
] as const)
  test(`4.3 – shadowed among ${routes} → ${shadowed || 'none'}`, () => {
    const rows = routes.split(' · ').map((declared) => declared.split(' '));
    const collection = collectionOf(
      ...rows.map(([methods, template = '']) => ({ method: methods!.split(','), template })),
    );
    const all = [...collection];
    const found = collection.shadowed().map(({ route, by }) => `${all.indexOf(route)} by ${all.indexOf(by)}`);
    assert.equal(found.join(', '), shadowed);
  });

for (const options of [
  [{ constraints: { n: (value: string) => value < '5' } }, { constraints: { n: (value: string) => value > '5' } }],
  [{ defaults: { n: 'a' } }, { defaults: { n: '5' } }],
])
  test(`4.3 – the same template with other ${Object.keys(options[0]!)} in the options → not shadowed`, () => {
    const rows = options.map((option) => ({ template: '{n:int}', ...option }));
    assert.deepEqual(collectionOf(...rows).shadowed(), []);
  });

test('4.3 – random routes that are called shadowed → none of their links reaches them', () => {
  let count = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomNumbers(seed * 31);
    const collection = collectionOf(...Array.from({ length: 12 }, () => randomRoute(random)));
    for (const { route: hidden } of collection.shadowed()) {
      count++;
      const alone = new RouteCollection().add(hidden);
      for (let question = 0; question < 40; question++) {
        const values = Object.fromEntries(
          hidden.template.parameters
            .filter(() => random() < 0.8)
            .map(({ name }) => [name, pick(random, ['a', '1', 'b', '42', 'zz', 'x.y'])]),
        );
        const link = alone.link(values);
        if (link === undefined) continue;
        const method = typeof hidden.method === 'string' ? hidden.method : (hidden.method?.[0] ?? 'GET');
        assert.notEqual(
          collection.find(method, link.path.split('?')[0]!)?.route,
          hidden,
          `seed ${seed}: ${hidden.template.text} is reached by ${link.path}`,
        );
      }
    }
  }
  assert.ok(count > 20);
});
