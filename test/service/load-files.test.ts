/** Plugins from files: valid files, and one error line for each invalid file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import { PluginError } from '../../src/core/application/plugin.ts';
import * as library from '../../src/index.ts';
import { loadPlugins } from '../../src/service/load-files.ts';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';
import { ask } from '../support/ask.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Files that are plugins. */
const PLUGINS = {
  'value.js': 'export default { name: "value" };',
  'function.js': 'export default () => ({ name: "function" });',
  'later.js': 'export default async () => ({ name: "later" });',
  'typed.ts': 'const name: string = "typed";\nexport default { name };',
  'predicate.js': 'export default { name: "predicate", constraints: { even: (value) => /[02468]$/.test(value) } };',
  'stage.js': `export default { name: "stage", stages: [function stage(context, next) {
    return context.path === "/plugged" ? { status: 200, headers: { "Content-Type": "text/plain" }, body: "plugged" } : next(context);
  }] };`,
  'library.js': 'export default (library) => ({ name: "library", library });',
  'library-later.js': 'export default async (library) => ({ name: "library", library });',
  'library.cjs': 'module.exports = (library) => ({ name: "library", library });',
  'library.ts': `import type { Plugin } from "todo-item-service";
    export default (library: typeof import("todo-item-service")): Plugin => ({ name: "library", library }) as Plugin;`,
  'served.js': `export default ({ route, text }) => ({ name: "served",
    routes: [route({ path: "served/{id:int}", handle: ({ values }) => text(values.id) })] });`,
};
const RECEIVES = /'todo-item-service'.*"; export a function instead, which receives the library: export default/;

/** Invalid files, with their text and the error. */
const REFUSED: readonly (readonly [file: string, content: string, says: RegExp])[] = [
  ['syntax.js', 'export default {', /Unexpected|parse|Expected/i],
  ['throws.js', 'throw new Error("no luck\\nand a second line");', /no luck/],
  ['fails.js', 'export default () => { throw new Error("no luck"); };', /no luck/],
  ['rejects.js', 'export default async () => { throw new Error("no luck"); };', /no luck/],
  ['nothing.js', 'export const name = "nothing";', /it does not export a plugin/],
  ['null.js', 'export default null;', /it does not export a plugin/],
  ['text.js', 'export default "plugin";', /it does not export a plugin/],
  [
    'returns.js',
    'export default () => {};',
    /it does not export a plugin; export default \{ name, … \}, or a function that/,
  ],
  ['imports-library.js', 'import { text } from "todo-item-service"; export default { name: "x" };', RECEIVES],
  ['imports-entry.js', 'import { cors } from "todo-item-service/cors"; export default { name: "x" };', RECEIVES],
  ['requires-library.cjs', 'require("todo-item-service"); module.exports = { name: "x" };', RECEIVES],
  ['imports.js', 'import "no-such-package"; export default { name: "x" };', /no-such-package/],
  ['imports-file.js', 'import "./no-such-file.js"; export default { name: "x" };', /no-such-file\.js/],
  ['nameless.js', 'export default { stages: [] };', /no name/],
  [
    'route-text.js',
    'export default { name: "x", routes: [{ template: "x", handle() {} }] };',
    /"routes\[0\]".*give route\(\{ path, handle \}\)/,
  ],
  [
    'constraint.js',
    'export default { name: "x", constraints: { even: "even" } };',
    /"constraints\[even\]" is "even"; give \(value\) => boolean, or \{ takes: \[least, most\], make \}/,
  ],
  ['start.js', 'export default { name: "x", start: true };', /its "start" is true; give a function/],
  ...['null', 'undefined', '"a text"', 'Object.create(null)', '{ toString() { throw 1; } }'].map(
    (thrown, at) => [`thrown-${at}.js`, `throw ${thrown};`, /it fails with ".+"/] as const,
  ),
];
const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  ...PLUGINS,
  ...Object.fromEntries(REFUSED.map(([file, content]) => [file, content])),
});
const load = (...names: readonly string[]) => loadPlugins(names.map((name) => join(folder, name)));

test('plugins – plugin files: a value, a function, an async function, TypeScript → loaded in order', async () => {
  assert.deepEqual(
    (await load('later.js', 'value.js', 'function.js', 'typed.ts', 'predicate.js')).map(({ name }) => name),
    ['later', 'value', 'function', 'typed', 'predicate'],
  );
  assert.deepEqual(await load(), []);
});

test('plugins – plugin files in the settings → their stages and routes work, after those of the service', async (t) => {
  const { port } = await serve(t, { plugin: [join(folder, 'stage.js'), join(folder, 'served.js')] });
  assert.equal((await ask(port, { target: '/plugged' })).text, 'plugged');
  assert.equal((await ask(port, { target: '/served/5' })).text, '5');
  assert.equal((await ask(port, { target: '/api/todo' })).status, 200);
});

test('D80 – the function of a file → receives the names of the main entry', async () => {
  for (const file of ['library.js', 'library-later.js', 'library.cjs', 'library.ts']) {
    const [plugin] = (await load(file)) as unknown as readonly [{ readonly library: unknown }];
    assert.equal(plugin.library, library, file);
  }
});

/** A plugin file that contains a copy of the library. */
const COPIED = `
import { contextWith, HttpProblem, ok, operation, route, routesOf, slot, text } from '../../src/index.ts';
import { cors } from '../../src/shelf/cors/cors.ts';
const user = slot();
const { outerStages } = cors({ origins: ['https://a.example'] });
export default {
  name: 'copied',
  constraints: { even: (value) => /[02468]$/.test(value) },
  outerStages,
  stages: [(context, next) => (user.set(context, 'Ada'), next(context))],
  routes: [
    route({ path: 'copied/{n:even}', handle: ({ context, values }) => text(user.get(context) + values.n) }),
    ...routesOf({ name: 'Copied', path: 'copies', operations: [
    operation({ method: 'POST', path: '', body: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
      responses: { 200: { schema: { type: 'string' } }, 409: { description: 'Taken' } },
      handle: ({ body }) => { if (body.n === 9) throw new HttpProblem(409, 'taken'); return ok('n' + body.n); } }),
    ] }),
  ],
};`;

test('D80 – a file that imports another copy of the library → its stages, slots, routes, operations and problems work', async (t) => {
  const stdin = { contents: COPIED, resolveDir: import.meta.dirname };
  const outfile = join(folder, 'copied.mjs');
  buildSync({ ...ESBUILD_OPTIONS, stdin, outfile, format: 'esm' });
  const { port } = await serve(t, { plugin: [outfile] });
  const posted = (body: string) => ({
    ...{ method: 'POST', target: '/copies', body, headers: { 'Content-Type': 'application/json' } },
  });
  assert.equal((await ask(port, { target: '/copied/4' })).text, 'Ada4');
  assert.equal((await ask(port, { target: '/copied/5' })).status, 404);
  const allowed = await ask(port, { target: '/copied/4', headers: { Origin: 'https://a.example' } });
  assert.equal(allowed.headers['access-control-allow-origin'], 'https://a.example');
  assert.equal((await ask(port, posted('{"n":1}'))).text, '"n1"');
  assert.match((await ask(port, posted('{"n":"1"}'))).text, /"pointer":"\/n"/);
  const refused = await ask(port, posted('{"n":9}'));
  assert.deepEqual([refused.status, JSON.parse(refused.text).detail], [409, 'taken']);
  const described = JSON.parse((await ask(port, { target: '/swagger/v1/swagger.json' })).text);
  assert.ok('409' in described.paths['/copies'].post.responses);
});

for (const [file, , says] of [...REFUSED, ['missing.js', '', /the file does not exist/] as const])
  test(`plugins – the plugin file ${file} → one error line with its name`, async () => {
    await assert.rejects(load('value.js', file), ({ errors: [error] }: AggregateError) => {
      assert.ok(error instanceof PluginError && error.message.startsWith(`Cannot load the plugin "${file}": `));
      assert.match(error.message, says);
      assert.ok(!/\n/.test(error.message) && !error.message.includes(folder), error.message);
      assert.ok(!error.message.includes('load-files'), error.message);
      return true;
    });
  });

test('D32 – several invalid plugin files → the error names each file', async () => {
  await assert.rejects(load('throws.js', 'value.js', 'nameless.js', 'missing.js'), (error: Error) => {
    assert.ok(error instanceof AggregateError && error.errors.every((item) => item instanceof PluginError));
    assert.deepEqual(
      error.errors.map((one: PluginError) => one.plugin),
      ['throws.js', 'nameless.js', 'missing.js'],
    );
    return true;
  });
});
