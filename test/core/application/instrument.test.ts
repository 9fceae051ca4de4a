/** Instruments around stages and routes, and the names of stages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StageOrigin, stageLabel, stageSubject } from '../../../src/core/application/application-options.ts';
import { type IncompleteRoute, type Instrument, operationOf } from '../../../src/extending.ts';
import {
  application,
  contextWith,
  mounted,
  ok,
  operation,
  type Plugin,
  route,
  type Stage,
  text,
} from '../../../src/index.ts';
import { plain } from '../../support/plain-routes.ts';

const passes: Stage = function passes(context, next) {
  return next(context);
};
const hello = operation({
  method: 'GET',
  path: 'hello/{name}',
  responses: { 200: { schema: { type: 'string' } } },
  handle: ({ values, link }) => ok(`${values.name} ${link(values)}`),
});
const plugin: Plugin = {
  name: 'greetings',
  stages: [passes],
  routes: [hello, route({ path: 'plain', name: 'plain', handle: ({ link }) => text(`plain ${link('plain')}`) })],
};

test('instrument – stages and routes of two plugins → each is passed once, in order, and replaced by the result', async () => {
  const passedParts: string[] = [];
  const calls: string[] = [];
  const instrument: Instrument = {
    stage(stage, { plugin: owner = 'application', name }) {
      passedParts.push(`${owner}: stage ${name}`);
      return (context, next) => {
        calls.push(`${name} ${context.path}`);
        return stage(context, next);
      };
    },
    route(route, owner) {
      passedParts.push(`${owner}: route ${route.template.text}, ${operationOf(route)?.id}`);
      return {
        ...route,
        handle(input) {
          calls.push(`${input.route === route ? 'other' : 'own'} ${route.template.text}`);
          return route.handle(input);
        },
      };
    },
  };
  const app = application([plugin, mounted('more', plugin)], { instrument });
  assert.deepEqual(passedParts, [
    'greetings: route hello/{name}, HelloByNameGet',
    'greetings: route plain, undefined',
    'more/greetings: route more/hello/{name}, MoreHelloByNameGet',
    'more/greetings: route more/plain, undefined',
    ...['application: stage problems', 'greetings: stage passes', 'more/greetings: stage passes'],
    ...['application: stage routing', 'application: stage unanswered'],
  ]);
  assert.equal(await (await app.request('/hello/ada')).text(), '"ada /hello/ada"');
  assert.equal(await (await app.request('/more/plain')).text(), 'plain /more/plain');
  assert.deepEqual(calls, [
    ...['problems /hello/ada', 'passes /hello/ada', 'routing /hello/ada', 'own hello/{name}'],
    ...['problems /more/plain', 'passes /more/plain', 'passes /plain', 'routing /more/plain', 'own more/plain'],
  ]);
});

test('instrument – handlers of two plugins → each is passed once before its route, and wraps the result without the input', async () => {
  const passedParts: string[] = [];
  const calls: unknown[] = [];
  const watching = (name: string): Instrument => ({
    handler(handler, owner) {
      passedParts.push(`${name}: handler of ${owner}`);
      return (input) => {
        calls.push(`${name}: into ${input.context.path} ${JSON.stringify(input.values)}`);
        const result = handler(input);
        calls.push([name, result]);
        return result;
      };
    },
    route(route, owner) {
      passedParts.push(`${name}: route of ${owner}, ${route.template.text}`);
      return route;
    },
  });
  const watcher = { name: 'watcher', instrument: watching('inner') };
  const app = application([watcher, plugin, mounted('more', plugin)], { instrument: watching('outer') });
  assert.deepEqual(
    passedParts.filter((part) => !part.endsWith('plain')),
    ['greetings', 'more/greetings'].flatMap((owner) => [
      ...[`inner: handler of ${owner}`, `outer: handler of ${owner}`],
      ...['inner', 'outer'].map((name) => `${name}: route of ${owner}, ${owner.replace('greetings', '')}hello/{name}`),
    ]),
  );
  const reply = await app.request('/hello/ada');
  assert.deepEqual([reply.status, await reply.json()], [200, 'ada /hello/ada']);
  const [value, result] = ['{"name":"ada"}', ok('ada /hello/ada')];
  assert.deepEqual(calls.splice(0), [
    ...[`outer: into /hello/ada ${value}`, `inner: into /hello/ada ${value}`],
    ...[
      ['inner', result],
      ['outer', result],
    ],
  ]);
  assert.equal((await app.request('/hello/ada?x=1', { method: 'POST' })).status, 404);
  assert.equal((await app.request('/plain')).status, 200);
  assert.deepEqual(calls, [], 'a route without an operation has no such handler');
});

test('instrument – the handler of an incomplete route → wrapped if the route asks the composition', async () => {
  const own: IncompleteRoute = {
    template: plain('own/{name}').template,
    complete({ template, instrumented }) {
      const handler = instrumented(({ values }) => values['name']);
      return { template, handle: (input) => text(String(handler(input))) };
    },
  };
  const handler: Instrument['handler'] = (inner, owner) => (input) => `${owner} ${inner(input)}`;
  const app = application([{ name: 'plugin', routes: [own] }], { instrument: { handler } });
  assert.equal(await (await app.request('/own/ada')).text(), 'plugin ada');
});

test('instrument – a handler that replaces the result → the reply has the other value, checked by the schema', async () => {
  const handler: Instrument['handler'] = (inner) => (input) => {
    inner(input);
    return ok(input.context.query.has('wrong') ? 1 : 'other');
  };
  const app = application([plugin], { instrument: { handler }, log: () => {} });
  assert.equal(await (await app.request('/hello/ada')).text(), '"other"');
  assert.equal((await app.request('/hello/ada?wrong')).status, 500);
});

test('instrument – composing an application again with an instrument → the second application is watched, the first is not', async () => {
  const app = application([plugin], { basePath: '/base' });
  let calls = 0;
  const stage: Instrument['stage'] = (inner) => (context, next) => {
    calls += 1;
    return inner(context, next);
  };
  const watched = application(app.plugins, { ...app.options, instrument: { stage } });
  assert.equal(await (await app.request('/base/plain')).text(), 'plain /base/plain');
  assert.equal(calls, 0);
  assert.equal(await (await watched.request('/base/plain')).text(), 'plain /base/plain');
  assert.equal(calls, 3);
});

test('plugins – the instrument of a plugin → gets the routes of all plugins, before the instrument of the application', () => {
  const passedParts: string[] = [];
  const recording = (name: string): Instrument => ({
    route(route, plugin) {
      passedParts.push(`${name}: ${plugin}`);
      return route;
    },
  });
  const plugins = [
    { name: 'a', routes: [plain('a')] },
    { name: 'b', instrument: recording('own') },
  ];
  application(plugins, { instrument: recording('general') });
  assert.deepEqual(passedParts, ['own: a', 'general: a']);
});

const even: Plugin = {
  name: 'even',
  stages: [passes, (context, next) => next(context)],
  outerStages: [(context, next) => next(context)],
};
/** A plugin whose stages are an inherited member. */
class Odd implements Plugin {
  readonly name = 'odd';
  get stages() {
    return [passes];
  }
}

test('plugins – one stage in two plugins and two applications → an error names the plugin of the request', async () => {
  const says: string[] = [];
  const log = (error: unknown) => void says.push((error as Error).message.split(' returned')[0]!);
  const shared: Stage = (context, next) => (context.query.has('pass') ? next(context) : (undefined as never));
  const letBy: Stage = (context, next) => next(contextWith(context, { query: new URLSearchParams() }));
  const first = application(
    [
      { name: 'a', stages: [shared, letBy] },
      { name: 'b', stages: [shared] },
    ],
    { log },
  );
  const other = application([{ name: 'c', stages: [shared] }], { log });
  for (const [app, path] of [
    [first, '/'],
    [first, '/?pass'],
    [other, '/'],
    [first, '/'],
  ] as const)
    assert.equal((await app.request(path)).status, 500);
  const of = (plugin: string) => `The stage "shared" of the plugin "${plugin}"`;
  assert.deepEqual(says, [of('a'), of('b'), of('c'), of('a')]);
});

test('plugins – the stages of an application → each with its plugin, and its name or its place', () => {
  const origins: StageOrigin[] = [];
  const stage = (inner: Stage, origin: StageOrigin): Stage => {
    origins.push(origin);
    return inner;
  };
  const plugins = [even, { name: 'without' }, new Odd(), { ...mounted('tools', even), name: 'mounted' }];
  application(plugins, { instrument: { stage } });
  assert.deepEqual(origins.map(stageLabel), [
    'even: outer stage 1',
    'mounted: outer stage 1',
    'problems',
    'even: passes',
    'even: stage 2',
    'odd: passes',
    'mounted: passes',
    'mounted: stage 2',
    'routing',
    'unanswered',
  ]);
  assert.deepEqual(origins.map(stageSubject).slice(0, 5), [
    'Outer stage 1 of the plugin "even"',
    'Outer stage 1 of the plugin "mounted"',
    'The stage "problems"',
    'The stage "passes" of the plugin "even"',
    'Stage 2 of the plugin "even"',
  ]);
});
