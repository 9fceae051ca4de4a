/** What plugin files get as `todo-item-service`, wherever they stand and however they ask. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cors } from '../../src/extensions/cors/cors.ts';
import { HttpProblem, text } from '../../src/index.ts';
import * as libraryEntries from '../../src/program/library-entries.ts';
import { loadPlugins } from '../../src/program/load-plugins.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OTHER = 'node_modules/todo-item-service';
const [MODULE, COMMON] = ['{"type":"module"}', '{"type":"commonjs"}'];

const imports = 'import { HttpProblem, text } from "todo-item-service";';
const exports = 'export default { name: "x", library: { HttpProblem, text } };';
const requires = 'const { HttpProblem, text } = require("todo-item-service");';

const folder = temporaryFolder({
  'module/package.json': MODULE,
  'module/plugin.js': `${imports} ${exports}`,
  'module/plugin.ts': `${imports} const name: string = "x"; export default { name, library: { HttpProblem, text } };`,
  'module/types.ts': `import { type Plugin, HttpProblem, text } from "todo-item-service";
    export default (): Plugin => ({ name: "x", library: { HttpProblem, text } }) as Plugin;`,
  'module/later.js': `export default async () => {
    const { HttpProblem, text } = await import("todo-item-service");
    return { name: "x", library: { HttpProblem, text } };
  };`,
  'module/all.js': 'import * as library from "todo-item-service"; export default { name: "x", library };',
  'module/made.js': `import { createRequire } from "node:module";
    const { HttpProblem, text } = createRequire(import.meta.url)("todo-item-service"); ${exports}`,
  'module/part.js': `export { HttpProblem, text } from "todo-item-service";`,
  'module/parts.js': `import { HttpProblem, text } from "./part.js"; ${exports}`,
  'module/entry.js': `import { HttpProblem, text } from "todo-item-service";
    import { cors } from "todo-item-service/cors"; export default { name: "x", library: { HttpProblem, text, cors } };`,
  'bare/plugin.js': `${imports} ${exports}`,
  'bare/plugin.mjs': `${imports} ${exports}`,
  'common/package.json': COMMON,
  'common/plugin.js': `${requires} module.exports = { name: "x", library: { HttpProblem, text } };`,
  'common/plugin.cjs': `${requires} module.exports = { name: "x", library: { HttpProblem, text } };`,
  'common/entry.cjs': `${requires} const { cors } = require("todo-item-service/cors");
    module.exports = { name: "x", library: { HttpProblem, text, cors } };`,
  'installed/plugin.mjs': `${imports} ${exports}`,
  'installed/plugin.cjs': `${requires} module.exports = { name: "x", library: { HttpProblem, text } };`,
  [`installed/${OTHER}/package.json`]: '{"name":"todo-item-service","main":"other.js"}',
  [`installed/${OTHER}/other.js`]: 'exports.HttpProblem = class Other {}; exports.text = () => "other";',
  'wrong/name.mjs': 'import { rout } from "todo-item-service"; export default rout;',
  'wrong/default.mjs': 'import library from "todo-item-service"; export default library;',
  'wrong/called.cjs': 'module.exports = require("todo-item-service").rout();',
  'wrong/part.mjs': 'import "todo-item-service/src/index.ts"; export default { name: "x" };',
  'served.mjs': `import { route, text } from "todo-item-service";
    export default { name: "served", routes: [route({ path: "served", handle: () => text("served") })] };`,
});

for (const file of [
  'module/plugin.js',
  'module/plugin.ts',
  'module/types.ts',
  'module/later.js',
  'module/all.js',
  'module/made.js',
  'module/parts.js',
  'bare/plugin.js',
  'bare/plugin.mjs',
  'common/plugin.js',
  'common/plugin.cjs',
  'installed/plugin.mjs',
  'installed/plugin.cjs',
]) {
  test(`D80 – the plugin file ${file} names the library → it gets the one that runs`, async () => {
    const [plugin] = await loadPlugins([join(folder, file)]);
    const { library } = plugin as unknown as { readonly library: Record<string, unknown> };
    assert.ok(library['HttpProblem'] === HttpProblem && library['text'] === text);
  });
}

for (const file of ['module/entry.js', 'common/entry.cjs']) {
  test(`D80 – the plugin file ${file} names an entry below the library → it gets that of the one that runs`, async () => {
    const [plugin] = await loadPlugins([join(folder, file)]);
    const { library } = plugin as unknown as { readonly library: Record<string, unknown> };
    assert.ok(library['HttpProblem'] === HttpProblem && library['cors'] === cors);
  });
}

test('D80 – the entries of the package → offered to plugin files, but for the page as a value', async () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly exports: object };
  const names = Object.keys(exports).filter((name) => name !== './page' && name !== './package.json');
  assert.deepEqual(Object.keys(libraryEntries).sort(), names.map((name) => `todo-item-service${name.slice(1)}`).sort());
});

for (const [file, says] of [
  [
    'wrong/name.mjs',
    /^it fails with ".*'todo-item-service' does not provide an export named 'rout'"; correct the file$/,
  ],
  ['wrong/default.mjs', /^it fails with ".*'todo-item-service' does not provide an export named 'default'"; /],
  ['wrong/called.cjs', /^it fails with ".*\.rout is not a function"; correct the file$/],
  ['wrong/part.mjs', /^it fails with "Cannot find package 'todo-item-service'.*"; correct the file$/],
] as const) {
  test(`D80 – the plugin file ${file} → refused with the name that is wrong`, async () => {
    await assert.rejects(loadPlugins([join(folder, file)]), (error: Error & { reason?: string }) => {
      assert.match(error.reason!, says);
      return true;
    });
  });
}

test('D80 – a plugin file, by a Node that runs TypeScript itself → it imports the library', (t) => {
  if (!Reflect.get(process.features, 'typescript')) return t.skip('this version does not');
  const explained = ['src/main.ts', 'explain', 'GET', '/served', '--plugin', join(folder, 'served.mjs')];
  const { stdout, stderr } = spawnSync(process.execPath, explained, { cwd: ROOT, encoding: 'utf8' });
  assert.match(stdout, /^200 text\/plain/m, stderr);
});
