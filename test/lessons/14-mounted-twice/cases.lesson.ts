/** The cases of lesson 14. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, mounted, type Plugin, route, text } from '../../../src/index.ts';
import { addedTextHint, assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { prediction, shop } = await work<typeof import('../answers/14-mounted-twice.ts')>(import.meta.url);
const { log, assertNone } = keptLog();

async function ask(path: string, plugins: readonly Plugin[], basePath = '') {
  const reply = await application([...plugins], { log, basePath }).request(path);
  assertNone(reply.status);
  return { status: reply.status, location: reply.headers.get('Location'), body: await reply.text() };
}

test('the prediction for two shops → what happens', WITHIN, async () => {
  const seen: string[][] = [];
  const tried = (name: string) =>
    route({ path: `try-${name.replace('/', '-')}`, handle: ({ link }) => text(link(name, { n: 7 }) ?? 'nothing') });
  const before = (notes: string[][]): Plugin => ({
    name: 'shop',
    stages: [
      (context, next) => {
        notes.push([context.path, context.basePath]);
        return next(context);
      },
    ],
    routes: [route({ path: 'items/{n}', name: 'item', handle: () => text('') }), tried('item'), tried('blue/item')],
  });
  const plugins = [
    mounted('red', before(seen)),
    mounted('blue', before([])),
    { name: 'other', routes: [tried('item')] },
  ];
  await ask('/red/items/7', plugins);
  const [[path, basePath] = []] = seen.splice(0);
  await ask('/blue/items/7', plugins);
  const [[ofBlue = 'nothing'] = []] = seen.splice(0);
  const actual = {
    'context.path in seen, GET /red/items/7': path,
    'context.basePath in seen, GET /red/items/7': basePath,
    'context.path in seen, GET /blue/items/7': ofBlue,
    "link('item', { n: 7 }) in a handler of the shop at red": (await ask('/red/try-item', plugins)).body,
    "link('blue/item', { n: 7 }) in a handler of the shop at red": (await ask('/red/try-blue-item', plugins)).body,
    "link('item', { n: 7 }) in a handler that is not mounted": (await ask('/try-item', plugins)).body,
  };
  const think = 'What would the plugin see if it were not mounted? How many routes have this name for this handler?';
  assertPredicted(prediction, actual, think);
});

/** The places of the shop, each with the prefix of its paths. */
const PLACES: readonly (readonly [prefix: string, plugins: () => readonly Plugin[], basePath: string])[] = [
  ['', () => [shop()], ''],
  ['/red', () => [mounted('red', shop())], ''],
  ['/mall/red', () => [mounted('mall', mounted('red', shop()))], ''],
  ['/town/red', () => [mounted('red', shop())], '/town'],
  ['/blue', () => [mounted('red', shop()), mounted('blue', shop())], ''],
];

for (const [prefix, plugins, basePath] of PLACES) {
  test(`${prefix}/items/7?name=Ada → the item, and the path of the next one`, WITHIN, async () => {
    const { status, body } = await ask(`${prefix}/items/7?name=Ada`, plugins(), basePath);
    assert.equal(status, 200, `The client gets ${status}`);
    assert.match(body, /^Item 7, sale \d+; next: /, 'Keep the beginning of the text');
    const next = body.replace(/^.*next: /, '');
    assert.equal(
      next,
      `${prefix}/items/8`,
      `${addedTextHint(next, '7')}This path is right only for a shop that is not mounted: let \`link\` create it`,
    );
    assert.equal((await ask(`${next}?name=Ada`, plugins(), basePath)).status, 200, 'Nothing is at the next path');
  });

  test(`${prefix}/items/7 without a name → ${prefix}/hello`, WITHIN, async () => {
    const { status, location } = await ask(`${prefix}/items/7`, plugins(), basePath);
    assert.equal(status, 303, `The client gets ${status}`);
    assert.equal(location, `${prefix}/hello`, 'The client is sent to a wrong path: what comes before the path?');
    assert.equal(
      (await ask(`${prefix}/hello`, plugins(), basePath)).status,
      200,
      'The stage must pass on a request for /hello',
    );
  });
}

test('three sales at red, then one at blue → the first sale of blue', WITHIN, async () => {
  const plugins = [mounted('red', shop()), mounted('blue', shop())];
  for (const _ of [1, 2, 3]) await ask('/red/items/1?name=Ada', plugins);
  const { body } = await ask('/blue/items/1?name=Ada', plugins);
  assert.match(body, /sale 1;/, 'The two shops share a counter: where is it created, and how often?');
  assert.match((await ask('/red/items/1?name=Ada', plugins)).body, /sale 4;/, 'Each shop still counts its own sales');
});
