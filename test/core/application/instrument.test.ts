/** What a program puts around stages and routes while an application is composed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instrument } from '../../../src/extending.ts';
import { operationOf } from '../../../src/extending.ts';
import { application, mounted, ok, operation, type Plugin, route, routesOf, text } from '../../../src/index.ts';

const plugin: Plugin = {
  name: 'greetings',
  stages: [
    function passes(context, next) {
      return next(context);
    },
  ],
  routes: [
    ...routesOf({
      name: 'Hello',
      path: 'hello',
      operations: [
        operation({
          method: 'GET',
          path: '{name}',
          responses: { 200: { schema: { type: 'string' } } },
          handle: ({ values, link }) => ok(`${values.name} ${link(values)}`),
        }),
      ],
    }),
    route({ path: 'plain', name: 'plain', handle: ({ link }) => text(`plain ${link('plain')}`) }),
  ],
};

test('instrument – stages and routes of two plugins → each given once, in order, and what it returns is used', async () => {
  const given: string[] = [];
  const asked: string[] = [];
  const instrument: Instrument = {
    stage(stage, { plugin: owner = 'application', name }) {
      given.push(`${owner}: stage ${name}`);
      return (context, next) => {
        asked.push(`${name} ${context.path}`);
        return stage(context, next);
      };
    },
    route(one, owner) {
      given.push(`${owner}: route ${one.template.text}, ${operationOf(one)?.id}`);
      return {
        ...one,
        handle(input) {
          asked.push(`${input.route === one ? 'other' : 'own'} ${one.template.text}`);
          return one.handle(input);
        },
      };
    },
  };
  const app = application([plugin, mounted('more', plugin)], { instrument });
  assert.deepEqual(given, [
    'greetings: route hello/{name}, HelloByNameGet',
    'greetings: route plain, undefined',
    'more/greetings: route more/hello/{name}, MoreHelloByNameGet',
    'more/greetings: route more/plain, undefined',
    ...['application: stage problems', 'greetings: stage passes', 'more/greetings: stage passes'],
    ...['application: stage routing', 'application: stage unanswered'],
  ]);
  assert.equal(await (await app.request('/hello/ada')).text(), '"ada /hello/ada"');
  assert.equal(await (await app.request('/more/plain')).text(), 'plain /more/plain');
  assert.deepEqual(asked, [
    ...['problems /hello/ada', 'passes /hello/ada', 'routing /hello/ada', 'own hello/{name}'],
    ...['problems /more/plain', 'passes /more/plain', 'passes /plain', 'routing /more/plain', 'own more/plain'],
  ]);
});

test('instrument – an application composed once more of its plugins and options → watched, the first one is not', async () => {
  const app = application([plugin], { basePath: '/base' });
  let asked = 0;
  const stage: Instrument['stage'] = (one) => (context, next) => {
    asked += 1;
    return one(context, next);
  };
  const watched = application(app.plugins, { ...app.options, instrument: { stage } });
  assert.equal(await (await app.request('/base/plain')).text(), 'plain /base/plain');
  assert.equal(asked, 0);
  assert.equal(await (await watched.request('/base/plain')).text(), 'plain /base/plain');
  assert.equal(asked, 3);
});
