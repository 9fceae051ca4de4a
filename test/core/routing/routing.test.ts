/**
 * The first route that matches a request answers it. If no route matches, the request goes to the next stage (§4.3,
 * D9). The handler gets the request, the route, its values, and links with the base path (D67).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { type LinkValues, type RouteInput, type RouteLinker, route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { routing } from '../../../src/core/routing/routing.ts';
import { testContext } from '../../support/test-context.ts';

/** The input of the handler of `{lang}/pages/{page}`, asked for `/en/pages/7`. */
function inputOf(basePath = ''): RouteInput {
  let received: RouteInput | undefined;
  const handle = (input: RouteInput) => {
    received = input;
    return text('');
  };
  const routes = new RouteCollection().add(
    route({ method: 'GET', path: '{lang}/pages/{page}', name: 'page', handle }),
    route({ path: '{lang}/words/{word:alpha}', name: 'word', handle }),
  );
  pipeline([routing(routes)])(testContext('/en/pages/7', { basePath }));
  return received!;
}

for (const [name, values, path, because] of [
  ['page', { lang: 'fr', page: 8 }, '/fr/pages/8', 'all values are given'],
  ['PAGE', { lang: 'fr', page: 8 }, '/fr/pages/8', 'names ignore case'],
  ['page', { page: 8 }, '/en/pages/8', 'the language comes from the request'],
  ['page', undefined, '/en/pages/7', 'all values come from the request'],
  ['page', { page: 'a b', sort: ['x', 'y'] }, '/en/pages/a%20b?sort=x&sort=y', 'other values become the query'],
  ['word', { word: 'tree' }, '/en/words/tree', 'the language is reused for another route'],
  ['word', { word: '5' }, undefined, 'the constraint rejects the value'],
  ['word', {}, undefined, 'the request has no word'],
  ['none', {}, undefined, 'no route has this name'],
] as const satisfies readonly (readonly [string, LinkValues | undefined, string | undefined, string])[])
  test(`D67 – link("${name}", ${JSON.stringify(values)}) in a request for /en/pages/7 → ${path} (${because})`, () => {
    const { link } = inputOf();
    assert.equal(link(name, values), path);
    const behind: RouteLinker = inputOf('/base').link;
    assert.equal(behind(name, values), path && `/base${path}`);
  });

for (const values of [{ page: null, bigger: 5n }, new Map(Object.entries({ page: null, bigger: 5 })).entries()])
  test('D67 – a link to the matched route without a path → an error with the values and the reason', () => {
    const message =
      'Cannot make the link of "page" to itself for {"page":null,"bigger":"5"}: the route "page" has no path for these ' +
      'values: {page} has no value; give the values of "{lang}/pages/{page}"';
    assert.throws(() => inputOf().link(values), { name: 'Error', message });
  });

test('D67 – a link to the matched route without a name → its path', () => {
  let linked: string | undefined;
  const handle = ({ link }: RouteInput) => text((linked = link({ n: 2 })));
  const routes = new RouteCollection().add(route({ path: 'a', handle }), route({ path: 'b/{n}', handle }));
  pipeline([routing(routes)])(testContext('/b/1?x=1'));
  assert.equal(linked, '/b/2');
});

test('D67 – the input of a handler → the request, the route that matched and its values', () => {
  const { context, route, values } = inputOf();
  assert.deepEqual(
    [context.path, route.name, route.template.text, { ...values }],
    ['/en/pages/7', 'page', '{lang}/pages/{page}', { lang: 'en', page: '7' }],
  );
});

test('D67 – routes.link in a handler → without the base path and the values of the request', () => {
  const { routes } = inputOf('/base');
  assert.equal(routes.link({ lang: 'fr', page: 8 }, { name: 'page' })?.path, '/fr/pages/8');
  assert.equal(routes.link({ page: 8 }, { name: 'page' }), undefined);
});

test('D9 – a request that no route matches → the next stage', () => {
  const stage = routing(new RouteCollection().add(route({ method: 'GET', path: 'a', handle: () => text('a') })));
  for (const [method, path] of [
    ['POST', '/a'],
    ['GET', '/b'],
    ['HEAD', '/a'],
  ] as const) {
    const asked = testContext(path, { method });
    assert.deepEqual(
      stage(asked, (passed) => text(String(passed === asked))),
      text('true'),
    );
  }
});
