/** The cases of lesson 10. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteCollection } from '../../../src/http.ts';
import { application, route, text } from '../../../src/index.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { ordered, prediction } = await work<typeof import('../answers/10-first-that-matches.ts')>(import.meta.url);

const routeOf = (path: string, method = '*') => route({ path, method, handle: () => text(path) });

/** Returns the template of the route that answers. */
async function answerOf(asked: string, routes: readonly ReturnType<typeof routeOf>[]): Promise<string> {
  const [method, path] = asked.split(' ') as [string, string];
  const reply = await application([{ name: 'lesson', routes }], { log() {}, warn() {} }).request(path, { method });
  return reply.status === 404 ? 'none' : reply.text();
}

test('the prediction for four routes → what happens', WITHIN, async () => {
  const routes = [
    routeOf('books/{title}', 'GET'),
    routeOf('books/new', 'GET'),
    routeOf('books/{title}/{page}'),
    routeOf('{area}/new'),
  ];
  const actual: Record<string, string> = {};
  for (const asked of Object.keys(prediction)) actual[asked] = await answerOf(asked, routes);
  assertPredicted(
    prediction,
    actual,
    'Go through the list from the beginning: method, number of segments, each literal. Are further routes tried after a match?',
  );
});

for (const [templates, asked, expected] of [
  [['books/{title}', 'books/new'], 'GET /books/new', 'books/new'],
  [['books/{title}', 'books/new'], 'GET /books/emma', 'books/{title}'],
  [['books/{title}/{page}', 'books/{title}/loans'], 'GET /books/emma/loans', 'books/{title}/loans'],
  [['{area}/{title}', '{area}/new', 'books/{title}'], 'GET /maps/new', '{area}/new'],
  [['{area}/new', 'books/{title}'], 'GET /books/new', 'books/{title}'],
  [['books/{title}', 'maps/{title}', 'books/new'], 'GET /books/new', 'books/new'],
  [['books/{title}', '{area}/new', 'books/new'], 'GET /books/new', 'books/new'],
] as const)
  test(`${templates.join(', ')} → ${asked} is answered by ${expected}`, WITHIN, async () => {
    const order = ordered([...templates]);
    const routes = order.map((one) => routeOf(one));
    const remedy = `Your order is ${order.join(', ')}: at the first segment that differs in kind, the literal goes first`;
    assert.equal(await answerOf(asked, routes), expected, remedy);
  });

test('ten templates → each can be reached', WITHIN, () => {
  const templates = [
    '{a}/{b}/{c}',
    'x/{b}/{c}',
    'x/y/{c}',
    'x/{b}/z',
    'x/y/z',
    '{a}/y/z',
    '{a}/{b}',
    'x/{b}',
    '{a}',
    'x',
  ];
  for (const list of [templates, templates.toReversed()]) {
    const order = ordered(list);
    assert.deepEqual([...order].sort(), [...list].sort(), 'Return all templates, each once');
    const [lost] = new RouteCollection().add(...order.map((one) => routeOf(one))).shadowed();
    const remedy = `No request reaches ${lost?.route.template.text}: ${lost?.by.template.text} comes before it`;
    assert.equal(lost, undefined, remedy);
  }
});

test('equal templates → keep their order, and the original list does not change', WITHIN, () => {
  const original = ['maps/{title}', 'books/{title}', 'atlas', 'books/new', 'maps/new'];
  const copy = [...original];
  const order = ordered(original);
  assert.deepEqual(original, copy, 'The original list has changed: `sort` changes it, `toSorted` returns a new list');
  const expected = ['atlas', 'books/new', 'maps/new', 'maps/{title}', 'books/{title}'];
  assert.deepEqual(order, expected, `Your order is ${order.join(', ')}; which of these templates are equal?`);
});
