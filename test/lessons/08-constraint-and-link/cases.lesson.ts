/** The cases of lesson 8. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, route, text } from '../../../src/index.ts';
import { addedTextHint, assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { plugin, prediction } = await work<typeof import('../answers/08-constraint-and-link.ts')>(import.meta.url);
const { log, assertNone } = keptLog();
const app = application([plugin], { log });
async function bodyOf(path: string, asked = app): Promise<string> {
  const reply = await asked.request(path);
  assertNone(reply.status);
  return reply.text();
}

test('the prediction → what happens', WITHIN, async () => {
  const page = (value: string) => /^[1-9]$|^[1-9][0-9]$/.test(value);
  const routes = [
    route({
      path: 'pages/{n:page}',
      name: 'pages',
      handle: ({ link }) => text('number', { headers: { 'X-Link': link('pages', { n: 100 }) ?? '' } }),
    }),
    route({ path: 'pages/{title}', handle: () => text('title') }),
  ];
  const right = application([{ name: 'right', constraints: { page }, routes }]);
  const { headers } = await right.request('/pages/7');
  const actual = {
    'GET /pages/7': await bodyOf('/pages/7', right),
    'GET /pages/07': await bodyOf('/pages/07', right),
    'GET /pages/100': await bodyOf('/pages/100', right),
    "link('pages', { n: 100 })": headers.get('X-Link') === '' ? 'nothing' : 'a path',
  };
  assertPredicted(
    prediction,
    actual,
    'Which route is tried when a route does not take a path? Would the route take the path of the link?',
  );
});

for (const [expected, values] of [
  ['number', ['1', '9', '10', '42', '99']],
  ['title', ['0', '07', '100', '1000', '-1', '1.5', 'x7', '7x', 'index']],
] as const)
  test(`${values.join(', ')} → the route with the ${expected}`, WITHIN, async () => {
    const wrong: string[] = [];
    for (const value of values) if ((await bodyOf(`/pages/${value}`)) !== `${expected} ${value}`) wrong.push(value);
    const result = expected === 'number' ? 'false, but should be true,' : 'true, but should be false,';
    assert.equal(wrong.length, 0, `The constraint is ${result} for: ${wrong.join(', ')}`);
  });

test('page 8 → a Link to page 9', WITHIN, async () => {
  const { status, headers } = await app.request('/pages/8');
  assertNone(status);
  const link = headers.get('Link');
  const remedy =
    'link(name, values) takes the name of the route and the values of its path; if there is no such path, it is undefined';
  assert.equal(link, '</pages/9>; rel="next"', `${addedTextHint(link, '8')}${remedy}`);
});

test('page 8 under the base path /tools → a Link that begins with /tools', WITHIN, async () => {
  const { headers } = await application([plugin], { basePath: '/tools' }).request('/tools/pages/8');
  assert.equal(
    headers.get('Link'),
    '</tools/pages/9>; rel="next"',
    'Create the path with link(…), not with a template string',
  );
});

test('page 99 → no Link', WITHIN, async () => {
  const { status, headers } = await app.request('/pages/99');
  assertNone(status);
  assert.equal(headers.get('Link'), null, 'There is no next page: link(…) is undefined, so leave the header out');
});
