/** Plugins from files: what can be used, and one line for what cannot. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import { PluginError } from '../../src/core/application/plugin.ts';
import * as library from '../../src/index.ts';
import { loadPlugins } from '../../src/program/load-plugins.ts';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';
import { ask } from '../support/ask.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'value.js': 'export default { name: "value" };',
  'function.js': 'export default () => ({ name: "function" });',
  'later.js': 'export default async () => ({ name: "later" });',
  'typed.ts': 'const name: string = "typed";\nexport default { name };',
  'stage.js': `export default { name: "stage", stages: [function stage(context, next) {
    return context.path === "/plugged" ? { status: 200, headers: { "Content-Type": "text/plain" }, body: "plugged" } : next(context);
  }] };`,
  'stage-text.js': 'export default { name: "x", stages: [() => {}, "stage"] };',
  'outer-null.js': 'export default { name: "x", outerStages: [null] };',
  'controllers.js': 'export default { name: "x", controllers: [] };',
  'controller.js': 'export default ({ routesOf }) => ({ name: "x", routes: routesOf({ name: "X", path: "x" }) });',
  'operation.js':
    'export default ({ routesOf }) => ({ name: "x", routes: routesOf({ name: "X", path: "x", operations: [{ method: "GET" }] }) });',
  'route-text.js': 'export default { name: "x", routes: [{ template: "x", handle() {} }] };',
  'route-old.js': `import { route } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
  export default { name: "x", routes: [route("x", () => {})] };`,
  'route-bare.js': 'export default { name: "x", routes: [{ template: { text: "x", segments: [] } }] };',
  'constraint.js': 'export default { name: "x", constraints: { even: "even" } };',
  'constraints.js': 'export default { name: "x", constraints: () => true };',
  'predicate.js': 'export default { name: "predicate", constraints: { even: (value) => /[02468]$/.test(value) } };',
  'start.js': 'export default { name: "x", start: true };',
  'imports.js': 'import "no-such-package"; export default { name: "x" };',
  'imports-file.js': 'import "./no-such-file.js"; export default { name: "x" };',
  'library.js': 'export default (library) => ({ name: "library", library });',
  'library-later.js': 'export default async (library) => ({ name: "library", library });',
  'library.cjs': 'module.exports = (library) => ({ name: "library", library });',
  'library.ts': `import type { Plugin } from "todo-item-service";
    export default (library: typeof import("todo-item-service")): Plugin => ({ name: "library", library }) as Plugin;`,
  'served.js': `export default ({ route, text }) => ({ name: "served",
    routes: [route({ path: "served/{id:int}", handle: ({ values }) => text(values.id) })] });`,
  'imports-library.js': 'import { text } from "todo-item-service"; export default { name: "x" };',
  'imports-entry.js': 'import { cors } from "todo-item-service/http"; export default { name: "x" };',
  'requires-library.cjs': 'require("todo-item-service"); module.exports = { name: "x" };',
  'returns-nothing.js': 'export default () => {};',
  'nothing.js': 'export const name = "nothing";',
  'null.js': 'export default null;',
  'text.js': 'export default "plugin";',
  'nameless.js': 'export default { stages: [] };',
  'stages.js': 'export default { name: "x", stages: () => {} };',
  'routes.js': 'export default { name: "x", routes: {} };',
  'syntax.js': 'export default {',
  'throws.js': 'throw new Error("no luck\\nand a second line");',
  'fails.js': 'export default () => { throw new Error("no luck"); };',
  'rejects.js': 'export default async () => { throw new Error("no luck"); };',
});
const load = (...names: readonly string[]) => loadPlugins(names.map((name) => join(folder, name)));

test('plugins – plugin files: a value, a function, an asynchronous one, TypeScript → loaded in their order', async () => {
  assert.deepEqual(
    (await load('later.js', 'value.js', 'function.js', 'typed.ts', 'predicate.js')).map(({ name }) => name),
    ['later', 'value', 'function', 'typed', 'predicate'],
  );
  assert.deepEqual(await load(), []);
});

test('plugins – a plugin file in the settings → its stages serve, behind those of the service', async (t) => {
  const { port } = await serve(t, { plugin: [join(folder, 'stage.js')] });
  assert.equal((await ask(port, { target: '/plugged' })).text, 'plugged');
  assert.equal((await ask(port, { target: '/api/todo' })).status, 200);
});

for (const file of ['library.js', 'library-later.js', 'library.cjs', 'library.ts']) {
  test(`D80 – the function of ${file} → receives the names of the main entry`, async () => {
    const [plugin] = (await load(file)) as unknown as readonly [{ readonly library: unknown }];
    assert.equal(plugin.library, library);
  });
}

test('D80 – a file without an import, in the settings → its routes serve', async (t) => {
  const { port } = await serve(t, { plugin: [join(folder, 'served.js')] });
  assert.equal((await ask(port, { target: '/served/5' })).text, '5');
});

/** A plugin with a copy of the library in its own file. */
const COPIED = `
import { contextWith, HttpProblem, ok, operation, route, routesOf, slot, text } from '../../src/index.ts';
import { cors } from '../../src/extensions/cors/cors.ts';
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

test('D80 – a file that imports another copy of the library → serves stages, slots, routes, operations and problems', async (t) => {
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

for (const [file, says] of [
  ['missing.js', /there is no such file/],
  ['syntax.js', /Unexpected|parse|Expected/i],
  ['throws.js', /no luck/],
  ['fails.js', /no luck/],
  ['rejects.js', /no luck/],
  ['nothing.js', /no default export/],
  ['null.js', /no default export/],
  ['text.js', /no default export/],
  ['returns-nothing.js', /its function returned no plugin; export \{ name, … \}, or a function that returns it$/],
  [
    'imports-library.js',
    /'todo-item-service'.*"; export a function instead, which receives the library: export default/,
  ],
  ['imports-entry.js', /'todo-item-service'.*"; export a function instead, which receives the library: export default/],
  ['requires-library.cjs', /'todo-item-service'.*"; export a function instead, which receives the library: /],
  ['nameless.js', /no name/],
  ['stages.js', /its "stages" is a function; give a list/],
  ['routes.js', /its "routes" is an object; give a list/],
  ['stage-text.js', /"stages\[1\]".*function/],
  ['outer-null.js', /"outerStages\[0\]".*function/],
  ['controllers.js', /its "controllers" means nothing; give its "routes"/],
  ['controller.js', /the controller "X": it has no "operations"; give a list of operations/],
  ['operation.js', /operations\[0\] of the controller "X", "GET": it has no "path"; give a text/],
  ['route-text.js', /"routes\[0\]".*give route\(\{ path, handle \}\)/],
  ['route-bare.js', /"routes\[0\]".*give route\(\{ path, handle \}\)/],
  [
    'constraint.js',
    /"constraints\[even\]" is "even"; give \(value\) => boolean, or \{ takes: \[least, most\], make \}/,
  ],
  ['constraints.js', /its "constraints" is a function; give an object/],
  ['route-old.js', /Cannot make the route "x": it is no declaration; give route\(\{ path, handle \}\)/],
  ['start.js', /its "start" is true; give a function/],
  ['imports.js', /no-such-package/],
  ['imports-file.js', /no-such-file\.js/],
] as const) {
  test(`plugins – the plugin file ${file} → refused with one line that names it`, async () => {
    await assert.rejects(load('value.js', file), (error: Error) => {
      assert.ok(error.message.startsWith(`Cannot load the plugin "${file}": `), error.message);
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /\n/);
      assert.ok(
        error instanceof PluginError && !error.message.includes(folder) && !error.message.includes('load-plugins'),
        error.message,
      );
      return true;
    });
  });
}

test('D32 – several plugin files that are wrong → every one is named', async () => {
  await assert.rejects(load('throws.js', 'value.js', 'nameless.js', 'missing.js'), (error: Error) => {
    assert.ok(error instanceof AggregateError && error.errors.every((one) => one instanceof PluginError));
    assert.deepEqual(
      error.errors.map((one: PluginError) => one.plugin),
      ['throws.js', 'nameless.js', 'missing.js'],
    );
    return true;
  });
});

for (const thrown of ['null', 'undefined', '"a text"', 'Object.create(null)', '{ toString() { throw 1; } }']) {
  test(`plugins – a plugin file that throws ${thrown} → refused with one line`, async () => {
    const file = `throws-${thrown.length}.js`;
    writeFileSync(join(folder, file), `throw ${thrown};`);
    await assert.rejects(
      load(file),
      (error: Error) => error instanceof PluginError && /it fails with ".+"/.test(error.message),
    );
  });
}
