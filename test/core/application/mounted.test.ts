/** Plugins that are mounted under a prefix (plugins). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { headerOf, json, text } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { type RouteInput, route } from '../../../src/core/routing/route.ts';
import { created } from '../../../src/operations/operation/results.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { plain, read, routed } from '../../support/plain-routes.ts';
import { testContext } from '../../support/test-context.ts';

const telling: Plugin = {
  name: 'telling',
  stages: [
    function telling(context, next) {
      const { path, basePath, segments, method, requestId } = context;
      return path === '/pass'
        ? next(context)
        : path === '/changed'
          ? next(contextWith(context, { path: '/else' }))
          : json({ path, basePath, segments, method, requestId });
    },
  ],
};

const answerOf = (path: string, basePath: string, ...segments: string[]): string =>
  JSON.stringify({ path, basePath, segments, method: 'GET', requestId: 'test' });

const handler = application([
  mounted('/tools/clock/', telling),
  mounted('café', telling),
  routed('{*rest}', ({ context: { path } }) => text(`after ${path}`)),
]).handler;

for (const [question, path, answer] of [
  ['below the prefix', '/tools/clock/a/b', answerOf('/a/b', '/tools/clock', 'a', 'b')],
  ['the prefix itself', '/tools/clock', answerOf('/', '/tools/clock')],
  ['the prefix in another case', '/TOOLS/Clock/A', answerOf('/A', '/tools/clock', 'A')],
  ['the prefix with an escape', '/%74ools/clock/a', answerOf('/a', '/tools/clock', 'a')],
  ['an encoded prefix', '/caf%C3%A9/a', answerOf('/a', '/caf%C3%A9', 'a')],
  ['a path that only begins like the prefix', '/tools/clocks', 'after /tools/clocks'],
  ['outside', '/a', 'after /a'],
  ['a context that the stage passes on', '/tools/clock/pass', 'after /tools/clock/pass'],
  ['a copy that the stage passes on', '/tools/clock/changed', 'after /tools/clock/else'],
  ['a copy of the prefix in another case', '/TOOLS/%63lock/changed', 'after /TOOLS/%63lock/else'],
] as const)
  test(`plugins – a mounted stage, ${question} → ${answer.slice(0, 60)}`, async () => {
    assert.equal((await handler(testContext(path))).body, answer);
  });

test('plugins – a mounted route → matches only below the prefix', async () => {
  const hello = route({ path: 'hello/{name}', handle: ({ values }) => text(`Hello ${values.name}`) });
  for (const plugin of [
    mounted('a_tool', { name: 'a', routes: [hello] }),
    { name: 'a', prefix: '/a%5Ftool', routes: [hello] },
  ]) {
    const routed = application([plugin]).handler;
    assert.equal((await routed(testContext('/a_tool/hello/you'))).body, 'Hello you');
    assert.equal((await routed(testContext('/hello/you'))).status, 404);
  }
});

for (const [path, answer] of [
  ['/base/one/two/a', '/base /one/two/a /base/one/two/a /base/elsewhere'],
  ['/base/ONE/t%77o/a', '/base /ONE/t%77o/a /base/one/two/a /base/elsewhere'],
  ['/base/one/two', '/base /one/two undefined /base/elsewhere'],
] as const)
  test(`D73 – a handler and a stage of a route in a mounted plugin, ${path} → see the whole path, links work as before`, async () => {
    const seen: string[] = [];
    const sees: Stage = (context, next) => {
      seen.push(`${context.basePath} ${context.path}`);
      return next(context);
    };
    const handle = ({ context, link, values }: RouteInput<{ x?: string }>) =>
      text(`${context.basePath} ${context.path} ${values.x && link('here', values)} ${link('elsewhere')}`);
    const inner: Plugin = {
      name: 'inner',
      routes: [route({ method: 'GET', path: '{x?}', name: 'here', stages: [sees], handle })],
    };
    const outer = { name: 'outer', routes: [plain('elsewhere', { name: 'elsewhere' })] };
    const app = application([mounted('one', mounted('two', inner)), outer], { basePath: '/base' });
    assert.equal(await (await app.request(path)).text(), answer);
    assert.ok(
      seen.every((line) => answer.startsWith(line)),
      seen.join(),
    );
  });

test('D7 – the items mounted under two prefixes, also nested → two lists, with all operations and Locations below the prefix', async () => {
  const app = application([mounted('one', todo()), mounted('two', mounted('deep', todo()))], { basePath: '/base' });
  const posted = await app.request('/base/two/deep/api/todo', { method: 'POST', json: { name: 'New' } });
  assert.equal(posted.status, 201);
  const item: any = await posted.json();
  const location = `/base/two/deep/api/todo/${item.key}`;
  assert.equal(posted.headers.get('Location'), location);
  assert.deepEqual(await (await app.request(location)).json(), item);
  const lengthOf = async (path: string) => ((await (await app.request(path)).json()) as object[]).length;
  assert.deepEqual([await lengthOf('/base/one/api/todo'), await lengthOf('/base/two/deep/api/todo')], [1, 2]);
});

test('plugins – start and stop of a mounted plugin → called with the plugin as this', async () => {
  const notes: string[] = [];
  class Counting implements Plugin {
    readonly name = 'counting';
    start(): void {
      notes.push(`start ${this.name}`);
    }
    stop(): void {
      notes.push(`stop ${this.name}`);
    }
  }
  const composed = application([mounted('x', new Counting())]);
  await composed.start();
  await composed.stop();
  assert.deepEqual(notes, ['start counting', 'stop counting']);
});

for (const prefix of ['', '/', '{id}', 'a?b', 'a//b', 'a%20b', 'a#b'])
  test(`plugins – mounted at ${JSON.stringify(prefix)} → an error with the plugin and the prefix`, () =>
    assert.throws(
      () => mounted(prefix, telling),
      (error: Error) =>
        error instanceof SyntaxError && error.message.includes('"telling"') && error.message.includes(`"${prefix}"`),
    ));

const pages: Plugin = {
  name: 'pages',
  constraints: { even: (value) => /[02468]$/.test(value) },
  routes: [
    read('made/described', {
      responses: { 201: { schema: { type: 'string' }, location: 'page' } },
      handle: ({ link }: RouteInput) => created(link('page', { n: 6 })!, 'page', { n: '8' }),
    }),
    route({
      path: 'pages/{n:even}',
      name: 'page',
      handle: ({ link }) => text(`${link('page', { n: 4 })} ${link('top')}`),
    }),
    route({ path: 'made', handle: ({ link }) => text(`${link('made')} ${link('a/page', { n: 2 })}`) }),
  ],
};
const top: Plugin = { name: 'top', routes: [plain('top', { name: 'top' })] };

/** The same plugin, mounted several times, also nested. */
const places = [mounted('a', pages), mounted('b', pages), mounted('c', mounted('d', pages)), pages, top];
const several = application(places).handler;

for (const [path, body, location] of [
  ['/a/pages/2', '/a/pages/4 /top', undefined],
  ['/b/pages/2', '/b/pages/4 /top', undefined],
  ['/c/d/pages/2', '/c/d/pages/4 /top', undefined],
  ['/pages/2', '/pages/4 /top', undefined],
  ['/b/made', 'undefined /a/pages/2', undefined],
  ['/b/made/described', '"/b/pages/6"', '/b/pages/8'],
  ['/c/d/made/described', '"/c/d/pages/6"', '/c/d/pages/8'],
  ['/made/described', '"/pages/6"', '/pages/8'],
] as const)
  test(`D73 – one plugin mounted several times, ${path} → its links lead to the routes of the same mount: ${body}`, async () => {
    const reply = await several(testContext(path));
    assert.equal(reply.body, body);
    assert.equal(headerOf(reply, 'Location'), location);
  });

test('D73 – a link to a name in several scopes → the route of the innermost scope', async () => {
  const named = plain('x', { name: 'x' });
  const asking = route({ path: 'ask', handle: ({ link }) => text(`${link('x')} ${link('top')}`) });
  const asked = async (...plugins: readonly Plugin[]) => {
    const { request } = application([...plugins, mounted('a/b', { name: 'asking', routes: [asking] }), top]);
    return (await request('/a/b/ask')).text();
  };
  const [whole, outer, inner] = [
    { name: 'whole', routes: [named] },
    mounted('a', { name: 'outer', routes: [named] }),
    mounted('a', mounted('b', { name: 'inner', routes: [named] })),
  ];
  assert.equal(await asked(whole, outer, inner), '/a/b/x /top');
  assert.equal(await asked(whole, outer), '/a/x /top');
  assert.equal(await asked(whole), '/x /top');
});

test('D73 – one plugin twice under one prefix → an error with its name and the prefix', () =>
  assert.throws(() => application([mounted('a', pages), mounted('a', pages)]), /two plugins are named "a\/pages"/));

test('D73 – two plugins with different constraints of the same name → an error with both plugins', () => {
  const other: Plugin = { name: 'other', constraints: { Even: () => true } };
  assert.throws(
    () => application([pages, other]),
    /^PluginError: Cannot add the constraint "Even" of the plugin "other": the plugin "pages" has another constraint/,
  );
});

test('D73 – two plugins with the same constraint under a name in another case → one constraint', async () => {
  const { even } = pages.constraints!;
  const other: Plugin = {
    name: 'other',
    constraints: { EVEN: even! },
    routes: [route({ path: 'other/{n:even}', handle: ({ values }) => text(values.n) })],
  };
  const { handler } = application([pages, other]);
  assert.equal((await handler(testContext('/other/4'))).body, '4');
  assert.equal((await handler(testContext('/other/5'))).status, 404);
});
