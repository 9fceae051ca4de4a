/** What a program puts around routes and operations while an application is composed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, mounted, ok, operation, type Plugin, route, text } from '../../../src/index.ts';
import type { Instrument } from '../../../src/instrument.ts';

const plugin: Plugin = {
  name: 'greetings',
  controllers: [
    {
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
    },
  ],
  routes: [route({ path: 'plain', name: 'plain', handle: ({ link }) => text(`plain ${link('plain')}`) })],
};

test('instrument – routes and operations of two plugins → each given once, in order, and what it returns is used', async () => {
  const given: string[] = [];
  const asked: string[] = [];
  const instrument: Instrument = {
    operation(routed, owner) {
      given.push(`${owner}: operation ${routed.id}`);
      return routed;
    },
    route(one, owner) {
      given.push(`${owner}: route ${one.template.text}`);
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
    'greetings: operation HelloByNameGet',
    'greetings: route hello/{name}',
    'greetings: route plain',
    'more/greetings: operation MoreHelloByNameGet',
    'more/greetings: route more/hello/{name}',
    'more/greetings: route more/plain',
  ]);
  assert.equal(await (await app.request('/hello/ada')).text(), '"ada /hello/ada"');
  assert.equal(await (await app.request('/more/plain')).text(), 'plain /more/plain');
  assert.deepEqual(asked, ['own hello/{name}', 'own more/plain']);
});

test('instrument – one that returns other operations → they are routed and described', async () => {
  const instrument: Instrument = {
    operation: (routed) => ({ ...routed, operation: { ...routed.operation, handle: () => ok('changed') as never } }),
  };
  const app = application([plugin], { instrument });
  assert.equal(await (await app.request('/hello/ada')).text(), '"changed"');
  assert.equal(await (await app.request('/plain')).text(), 'plain /plain');
});
