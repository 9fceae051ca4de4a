/** What is told of a value that is no plugin, and of controllers that cannot be routed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Instrument } from '../../../src/extending.ts';
import { route, text } from '../../../src/index.ts';

for (const [what, given] of [
  ['with operations', { name: 'Clock', path: 'api/clock', operations: [] }],
  ['without operations', { name: 'Clock', path: 'api/clock' }],
] as const) {
  test(`plugins – a controller ${what} in place of a plugin → refused, with the plugin around it`, () => {
    assert.throws(() => application([given as object as Plugin]), {
      name: 'PluginError',
      message: /"Clock": it is a controller; give \{ name, controllers: \[controller\] \}/,
    });
  });
}

const good = { method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => undefined };
for (const [what, operation, says] of [
  [
    'respones',
    { ...good, responses: undefined, respones: {} },
    /its operations\[1\], "GET \{id\}", has a wrong "responses"; did you mean "responses" with "respones"\?/,
  ],
  [
    'handel',
    { method: 'PUT', path: 'a', responses: {}, handel() {} },
    /"PUT a", has no "handle"; did you mean "handle"/,
  ],
  ['metod', { metod: 'PUT', path: 'a', responses: {}, handle() {} }, /"a", has no "method"; did you mean "method"/],
  [
    'a handler that is a text',
    { ...good, handle: 'x' },
    /has a wrong "handle"; give \{ method, path, responses, handle/,
  ],
  ['null', null, /its operations\[1\] is no object; give operation\(\{ … \}\)/],
  ['a query of texts', { ...good, query: { q: 'string' } }, /query parameter "q" .*give \{ type: 'string' \}/],
  ['headers of texts', { ...good, headers: { 'X-A': 'string' } }, /header parameter "X-A" .*give \{ type: 'string' \}/],
  ['a query that is a list', { ...good, query: ['q'] }, /its query is no object; give \{ … \} with a member for each/],
] as const) {
  test(`plugins – an operation with ${what} → refused, the operation and the member are named`, () => {
    const operations = [{ ...good, path: 'good' }, operation];
    const plugin = { name: 'a', controllers: [{ name: 'X', path: 'x', operations }] } as unknown as Plugin;
    assert.throws(() => application([plugin]), { name: 'PluginError', message: says });
  });
}

for (const member of ['stages', 'controllers', 'name'])
  test(`plugins – a getter "${member}" that throws → refused, the plugin is named`, () => {
    const getter = { get: () => assert.fail('no luck'), enumerable: true };
    const plugin = Object.defineProperty({ name: 'lazy' }, member, getter) as Plugin;
    assert.throws(() => application([plugin]), {
      name: 'PluginError',
      message: `Cannot add the plugin "${member === 'name' ? 'number 1 of the list' : 'lazy'}": one of its members fails when it is read, with "no luck"; give it a value`,
    });
  });

test('plugins – two plugins of one name → refused, with the way to rename one', () => {
  assert.throws(() => application([{ name: 'a' }, { name: 'a' }]), /rename it: \{ \.\.\.plugin, name: '…' \}/);
});

for (const [what, call, says] of [
  ['mounted(plugin, path)', () => mounted({ name: 'a' } as never, 'a' as never), /the path first, then the plugin/],
  [
    'trustedProxies as a text',
    () => application([], { trustedProxies: 'loopback' as never }),
    /give trustedProxies: \['/,
  ],
  ['unanswered as a text', () => application([], { unanswered: 'x' as never }), /"unanswered" is no function; give \(/],
] as const) {
  test(`plugins – ${what} → refused at once`, () => assert.throws(call, { name: 'TypeError', message: says }));
}

test('plugins – the instrument of a plugin → is given the routes of all, before that of the application', () => {
  const given: string[] = [];
  const noting = (name: string): Instrument => ({
    route(one, plugin) {
      given.push(`${name}: ${plugin}`);
      return one;
    },
  });
  const plugins = [
    { name: 'a', routes: [route({ path: 'a', handle: () => text('a') })] },
    { name: 'b', instrument: noting('own') },
  ];
  application(plugins, { instrument: noting('general') });
  assert.deepEqual(given, ['own: a', 'general: a']);
});

for (const [member, value, says] of [
  ['refused', {}, /"around": its "refused" is not a function; make it one/],
  ['instrument', 'x', /"around": its "instrument" is not an object; give \{ stage, route \}/],
] as const) {
  test(`plugins – ${member} of type ${typeof value} → refused with the remedy`, () => {
    const plugin = { name: 'around', [member]: value } as unknown as Plugin;
    assert.throws(() => application([plugin]), { name: 'PluginError', message: says });
  });
}
