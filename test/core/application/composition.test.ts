/** Incomplete routes, and the offers of plugins to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { text } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { type Composition, type IncompleteRoute, type Offer, offer } from '../../../src/core/routing/composition.ts';
import { type Route, route } from '../../../src/core/routing/route.ts';
import { RouteCollection } from '../../../src/core/routing/route-collection.ts';
import { parseTemplate } from '../../../src/core/routing/template.ts';
import { plain } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';

const greeting = offer<string>('greeting');
const english: Plugin = { name: 'english', offers: [greeting.of('Hello')] };
const french: Plugin = { name: 'french', offers: [greeting.of('Bonjour')] };
const both: Plugin = { name: 'both', offers: [greeting.of('Hello'), greeting.of('Bonjour')] };
const other: Plugin = { name: 'other', offers: [offer<string>('farewell').of('Bye')] };

/** A route that answers with the result of `say` about its composition. */
const saying = (path: string, say: (composition: Composition) => unknown): IncompleteRoute => ({
  template: parseTemplate(path),
  complete(composition): Route {
    const body = JSON.stringify(say(composition));
    return { template: composition.template, handle: () => text(body) };
  },
});
const answered = async (plugins: readonly Plugin[], path = '/x'): Promise<unknown> =>
  JSON.parse(await (await application(plugins).request(path)).text());

/** A plugin whose route answers with the offers under the key: each value, its plugin and its prefix. */
const asking = (key: Offer<string> = greeting): Plugin => ({
  name: 'asking',
  routes: [saying('x', ({ offered }) => offered(key).map(({ value, plugin, prefix = '' }) => [value, plugin, prefix]))],
});
const HELLO = ['Hello', 'english', ''];
for (const [what, plugins, found] of [
  ['of no plugin', [asking()], []],
  ['of a plugin before the route', [english, asking()], [HELLO]],
  ['of a plugin after the route', [asking(), english], [HELLO]],
  ['of the plugin of the route', [{ ...asking(), offers: english.offers }], [['Hello', 'asking', '']]],
  ['of two plugins', [french, asking(), english], [['Bonjour', 'french', ''], HELLO]],
  [
    'two offers of one plugin',
    [both, asking()],
    [
      ['Hello', 'both', ''],
      ['Bonjour', 'both', ''],
    ],
  ],
  ['of a mounted plugin', [mounted('tools', english), asking()], [['Hello', 'tools/english', '/tools']]],
  [
    'of a plugin mounted in another',
    [mounted('a', mounted('b', english)), asking()],
    [['Hello', 'a/b/english', '/a/b']],
  ],
  ['under another key', [other, asking()], []],
  ['under a key of another copy of the library with the same name', [english, asking(offer('greeting'))], [HELLO]],
] as const)
  test(`plugins – an offer ${what} → the route finds ${JSON.stringify(found)}`, async () => {
    assert.deepEqual(await answered(plugins), found);
  });

test('plugins – an incomplete route in a mounted plugin → finds the offers of all plugins', async () => {
  assert.deepEqual(await answered([english, mounted('tools', asking())], '/tools/x'), [HELLO]);
});

test('plugins – an incomplete route → gets its plugin, its place and the earlier routes', async () => {
  const knowing = saying('x', ({ plugin, template, scope, routes, stagesBefore }) => ({
    plugin,
    template: template.text,
    scope,
    routes: [...routes].map((earlier) => earlier.template.text),
    stagesBefore: stagesBefore.map(({ name }) => name),
  }));
  const first: Stage = (context, next) => next(context);
  const last: Stage = (context, next) => next(context);
  const plugins = [
    { name: 'a', stages: [first], routes: [plain('first')] },
    mounted('tools', { name: 'b', routes: [plain('before'), knowing, plain('after')] }),
    mounted('elsewhere', { name: 'c', stages: [first] }),
    { name: 'd', outerStages: [last], routes: [plain('last')] },
  ];
  assert.deepEqual(await answered(plugins, '/tools/x'), {
    plugin: 'tools/b',
    template: 'tools/x',
    scope: 'tools/',
    routes: ['first'],
    stagesBefore: ['first', 'last'],
  });
});

test('plugins – an instrument → gets complete routes', () => {
  const seen: string[] = [];
  const instrument = { route: (route: Route) => (seen.push(typeof route.handle), route) };
  application([english, asking()], { instrument });
  assert.deepEqual(seen, ['function']);
});

for (const [what, complete, says] of [
  ['that fails', throwing(new Error('no greeting')), /^Cannot add the routes of the plugin "bad": no greeting$/],
  [
    'that returns nothing',
    () => undefined,
    /^Cannot add the routes of the plugin "bad": Cannot complete the route "x": .*; return \{ template, handle, … \}$/,
  ],
  [
    'that returns an incomplete route',
    () => saying('x', () => ''),
    /^Cannot add the routes of the plugin "bad": Cannot complete the route "x": complete\(\) has not returned a route; /,
  ],
] as const)
  test(`plugins – a completion ${what} → an error with the plugin`, () => {
    const bad = { name: 'bad', routes: [{ template: parseTemplate('x'), complete } as unknown as IncompleteRoute] };
    assert.throws(() => application([bad]), { name: 'PluginError', message: says });
  });

test('plugins – an incomplete route is added to a collection → an error with the remedy', () =>
  assert.throws(
    () => new RouteCollection().add(saying('x', () => '') as unknown as Route),
    /^TypeError: Cannot add .*: only an application can complete it; use application\(\[\{ name, routes: \[it\] \}\]\)\.routes$/,
  ));

test('plugins – "composed" of routes and plugins → called once, in their order, after all routes are added', () => {
  const calls: string[] = [];
  const counting = (path: string): Route => ({
    ...route({ path, name: path, handle: () => text('') }),
    composed: (routes) => void calls.push(`route ${path} ${routes.hasNamed('a')} ${routes.hasNamed('b')}`),
  });
  const recording = (name: string): Plugin => ({
    name,
    routes: [counting(name)],
    composed(routes, warn) {
      calls.push(`plugin ${name} ${[...routes].length}`);
      warn(`of ${name}`);
    },
  });
  application([recording('a'), recording('b')], { warn: (line) => calls.push(line) });
  assert.deepEqual(calls, ['route a true true', 'route b true true', 'plugin a 2', 'of a', 'plugin b 2', 'of b']);
});

test('plugins – a "composed" that throws → application(…) throws the error', () => {
  const error = new Error('not so');
  assert.throws(() => application([{ name: 'a', composed: throwing(error) }]), error);
});
