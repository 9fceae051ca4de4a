/** What is told of a value that is no plugin, and of controllers that cannot be routed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/host/application.ts';
import type { Plugin } from '../../../src/host/plugin.ts';

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
