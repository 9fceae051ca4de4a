/** The cases of lesson 13. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkValues } from '../../../src/core/routing/route.ts';
import { application, type Plugin, route, text } from '../../../src/index.ts';
import { addedTextHint, assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { links, plugin, prediction } = await work<typeof import('../answers/13-values-of-the-request.ts')>(
  import.meta.url,
);
const { log, assertNone } = keptLog();

type Links = ReturnType<typeof links>;

async function linksOf(path: string, basePath = ''): Promise<Links> {
  const reply = await application([plugin], { log, basePath }).request(`${basePath}${path}`);
  assertNone(reply.status);
  return (await reply.json()) as Links;
}

/** Returns the names of the values that `links` passes to each link. */
function namesOfValues(values: {
  language: string;
  section: string;
  page: string;
}): Readonly<Record<string, string[]>> {
  const calls: string[] = [];
  const link = (_: string, values: LinkValues = {}) => {
    calls.push(Object.keys(values).sort().join());
    return undefined;
  };
  links({ link, values } as unknown as Parameters<typeof links>[0]);
  return { calls };
}

test('the prediction for a reader at /en/books/2 → what happens', WITHIN, async () => {
  const asked: Readonly<Record<string, readonly [string, LinkValues]>> = {
    "link('page', { page: 3 })": ['page', { page: 3 }],
    "link('page', { section: 'maps' })": ['page', { section: 'maps' }],
    "link('page', { section: 'books' })": ['page', { section: 'books' }],
    "link('page', { language: 'de' })": ['page', { language: 'de' }],
    "link('page', { page: 1 })": ['page', { page: 1 }],
    "link('page', { colour: 'red' })": ['page', { colour: 'red' }],
    "link('search', { word: 'sea' })": ['search', { word: 'sea' }],
  };
  const before: Plugin = {
    name: 'before',
    routes: [
      route({ path: '{language}/search', name: 'search', handle: () => text('') }),
      route({
        path: '{language}/{section}/{page:int=1}',
        name: 'page',
        handle: ({ link }) => {
          const paths = Object.entries(asked).map(([question, args]) => [question, link(...args) ?? 'nothing']);
          return text(JSON.stringify(Object.fromEntries(paths)));
        },
      }),
    ],
  };
  const actual = (await (await application([before]).request('/en/books/2')).json()) as Record<string, string>;
  assertPredicted(
    prediction,
    actual,
    'Which is the first parameter from the left with a given value that differs from the request? Which parameters come after it? Where does a name go that the template does not have?',
  );
});

for (const [path, expected] of [
  ['/en/books/2', { next: '/en/books/3', first: '/en/books', maps: '/en/maps', german: '/de/books/2' }],
  ['/en/books', { next: '/en/books/2', first: '/en/books', maps: '/en/maps', german: '/de/books' }],
  ['/fr/maps/9', { next: '/fr/maps/10', first: '/fr/maps', maps: '/fr/maps', german: '/de/maps/9' }],
  ['/de/a%2Fb/3', { next: '/de/a%2Fb/4', first: '/de/a%2Fb', maps: '/de/maps', german: '/de/a%2Fb/3' }],
] as const)
  for (const name of ['next', 'first', 'maps', 'german'] as const)
    test(`a reader at ${path} → ${name} leads to ${expected[name]}`, WITHIN, async () => {
      const link = (await linksOf(path))[name];
      const remedy =
        link === undefined ? 'There is no path, because a required value is missing' : `It leads to ${link}`;
      const [, page = '1'] = /(\d+)$/.exec(path) ?? [];
      assert.equal(
        link,
        expected[name],
        `${name === 'next' ? addedTextHint(link, page) : ''}${remedy}. Which values come from the request, and which from a default?`,
      );
    });

test('a reader at /shop/en/books/2, under the base path /shop → every link begins with /shop', WITHIN, async () => {
  for (const [name, path] of Object.entries(await linksOf('/en/books/2', '/shop')))
    assert.match(path ?? '', /^\/shop\//, `${name} comes from a string, not from link(…)`);
});

test('the values of each link → only the necessary ones', WITHIN, () => {
  const { calls } = namesOfValues({ language: 'en', section: 'books', page: '2' });
  assert.deepEqual(
    calls,
    ['page', 'page', 'page,section', 'language,page,section'],
    'One of the links gets too many values, or too few',
  );
});
