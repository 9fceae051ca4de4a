/** What the routes are said to answer to a request: the first that matches is taken, and no later one is tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeVerdicts } from '../../../src/extensions/trace/views.ts';
import { RouteCollection } from '../../../src/http.ts';
import { route, text } from '../../../src/index.ts';

/** Templates, a path, and what is said of each. */
const SAID: readonly (readonly [templates: readonly string[], path: string, said: readonly string[]])[] = [
  [
    ['a', '{x:int}', '{x}', '{*y}'],
    '/b',
    [
      'untried: segment 1 is "b", route wants "a"',
      'rejected: {x:int} rejects "b"',
      'taken: {"x":"b"}',
      'untried: an earlier route is taken',
    ],
  ],
  [['a/b'], '/a', ['untried: the path ends before "b"']],
];
for (const [templates, path, said] of SAID) {
  test(`trace – GET ${path.slice(0, 9)} on ${templates.join(', ')} → ${said.length} verdicts`, () => {
    const routes = new RouteCollection().add(...templates.map((one) => route({ path: one, handle: () => text(one) })));
    assert.deepEqual(
      routeVerdicts(routes, 'GET', path).map((one) => `${one.verdict}: ${one.text}`),
      said,
    );
  });
}

test('trace – a constraint that throws → no verdicts', () => {
  const fails = () => {
    throw new Error('Gone');
  };
  const routes = new RouteCollection({ constraints: { fails } }).add(
    route({ path: '{x:fails}', handle: () => text('') }),
  );
  assert.deepEqual(routeVerdicts(routes, 'GET', '/b'), []);
});
