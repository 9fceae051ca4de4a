/** Mistakes in plugins, and in controllers that cannot be routed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { routesOf } from '../../../src/index.ts';

const good = { method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => undefined };
for (const [what, operation, says] of [
  [
    'respones',
    { ...good, responses: undefined, respones: {} },
    /operations\[1\] of the controller "X", "GET \{id\}": it has the unknown member "respones"; did you mean "responses"\?/,
  ],
  [
    'handel',
    { method: 'PUT', path: 'a', responses: {}, handel() {} },
    /"PUT a": it has the unknown member "handel"; did you mean "handle"/,
  ],
  [
    'metod',
    { metod: 'PUT', path: 'a', responses: {}, handle() {} },
    /"a": it has the unknown member "metod"; did you mean "m/,
  ],
  ['no path', { method: 'GET' }, /operations\[1\] of the controller "X", "GET": it has no "path"; give a text/],
  ['a handler that is a text', { ...good, handle: 'x' }, /its "handle" is "x"; give a function/],
  ['null', null, /operations\[1\] of the controller "X": it is null; give an object of method, id, handle/],
  ['a query of texts', { ...good, query: { q: 'string' } }, /query parameter "q" .*such as \{ type: 'string' \}/],
  [
    'headers of texts',
    { ...good, headers: { 'X-A': 'string' } },
    /header parameter "X-A" .*such as \{ type: 'string' \}/,
  ],
  ['a query that is a list', { ...good, query: ['q'] }, /its "query" is a list; give an object/],
] as const)
  test(`plugins – an operation with ${what} → an error with the operation and the member`, () => {
    const operations = [{ ...good, path: 'good' }, operation];
    const compose = () => application([{ name: 'a', routes: routesOf({ name: 'X', path: 'x', operations } as never) }]);
    assert.throws(compose, says);
  });

for (const [what, controller, says] of [
  ['without a name', { path: 'a', operations: [] }, /routes of a controller: it has no "name"; give a text/],
  ['without a path', { name: 'X', operations: [] }, /the controller "X": it has no "path"; give a text/],
  ['without operations', { name: 'X', path: 'a' }, /"X": it has no "operations"; give a list of operations/],
  [
    'whose description is not a text',
    { name: 'X', path: 'a', operations: [], description: 1 },
    /the controller "X": its "description" is 1; give a text/,
  ],
  [
    'with securty',
    { name: 'X', path: '', operations: [], securty: [] },
    /it has the unknown member "securty"; did you mean "security"\?/,
  ],
  ['of null', null, /Cannot make routes of a controller: it is null; give an object of name, /],
] as const)
  test(`plugins – a controller ${what} → routesOf throws`, () =>
    assert.throws(() => routesOf(controller as never), { name: 'TypeError', message: says }));

for (const member of ['stages', 'routes', 'name'])
  test(`plugins – a getter "${member}" that throws → an error with the plugin`, () => {
    const getter = { get: () => assert.fail('no luck'), enumerable: true };
    const plugin = Object.defineProperty({ name: 'lazy' }, member, getter) as Plugin;
    assert.throws(() => application([plugin]), {
      name: 'PluginError',
      message: `Cannot add the plugin "${member === 'name' ? 'number 1 of the list' : 'lazy'}": one of its members fails when it is read, with "no luck"; give it a value`,
    });
  });

for (const [what, call, says] of [
  ['mounted(plugin, path)', () => mounted({ name: 'a' } as never, 'a' as never), /the path first, then the plugin/],
  [
    'trustedProxies as a text',
    () => application([], { trustedProxies: 'loopback' as never }),
    /use trustedProxies: \['/,
  ],
  [
    'unanswered as a text',
    () => application([], { unanswered: 'x' as never }),
    /"unanswered" is not a function; give \(/,
  ],
] as const)
  test(`plugins – ${what} → a TypeError`, () => assert.throws(call, { name: 'TypeError', message: says }));

for (const [member, value, says] of [
  ['refused', {}, /"around": its "refused" is an object; give a function/],
  ['instrument', 'x', /"around": its "instrument" is "x"; give \{ stage, route, handler \}/],
] as const)
  test(`plugins – ${member} of type ${typeof value} → an error with the remedy`, () => {
    const plugin = { name: 'around', [member]: value } as unknown as Plugin;
    assert.throws(() => application([plugin]), { name: 'PluginError', message: says });
  });
