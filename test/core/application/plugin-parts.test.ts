/** The parts that a plugin returns for each application. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Application, Plugin, PluginParts } from '../../../src/core/application/plugin.ts';
import { text, withHeaders } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import type { Refusal } from '../../../src/core/server/served.ts';
import { plain } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';

/** Counts the requests of each application and each mount, with a stage in a variable of `parts`. */
const counting: Plugin = {
  name: 'counting',
  parts() {
    let count = 0;
    const counted: Stage = async (context, next) => {
      count += 1;
      return withHeaders(await next(context), { 'X-Count': String(count) });
    };
    return { stages: [counted], routes: [route({ path: 'count', handle: () => text(String(count)) })] };
  },
};
const REFUSAL: Refusal = {
  ...{ status: 400, reason: 'HPE_INVALID_HEADER_TOKEN', method: '-', path: '-', requestId: 'id' },
  ...{ remoteAddress: undefined, isSeen: false },
};
const countAt = async (app: ReturnType<typeof application>, path: string): Promise<string> =>
  (await app.request(path)).text();

test('plugins – parts of one plugin at two prefixes and in two applications → each has its own variables', async () => {
  const one = application([mounted('east', counting), mounted('far', mounted('west', counting)), counting]);
  const other = application(one.plugins);
  assert.deepEqual(await Promise.all([countAt(one, '/east/count'), countAt(other, '/count')]), ['1', '1']);
  assert.equal(await countAt(one, '/east/count'), '2');
  assert.equal(await countAt(one, '/far/west/count'), '1');
  assert.equal(await countAt(one, '/count'), '4');
  assert.equal(await countAt(other, '/count'), '2');
});

test('plugins – plugins with parts → the application lists them as they were declared', () => {
  const plugins = [counting, mounted('east', counting)];
  assert.deepEqual(application(plugins).plugins, plugins);
});

test('plugins – every member of parts → used as a member of the plugin, and after it', async () => {
  const calls: string[] = [];
  const members = (place: string): PluginParts => ({
    outerStages: [(context, next) => (calls.push(`${place}: outer stage`), next(context))],
    stages: [(context, next) => (calls.push(`${place}: stage`), next(context))],
    routes: [plain(place)],
    instrument: { route: (inner) => (calls.push(`${place}: instrument of ${inner.template.text}`), inner) },
    composed: () => void calls.push(`${place}: composed`),
    refused: () => void calls.push(`${place}: refused`),
    start: () => void calls.push(`${place}: start`),
    stop: () => void calls.push(`${place}: stop`),
  });
  const app = application([{ name: 'a', ...members('plugin'), parts: () => members('parts') }]);
  await app.start();
  assert.equal(await (await app.request('/parts')).text(), 'parts');
  app.refused!(REFUSAL);
  await app.stop();
  assert.deepEqual(calls, [
    ...['plugin', 'parts'].flatMap((path) => [`plugin: instrument of ${path}`, `parts: instrument of ${path}`]),
    ...['plugin: composed', 'parts: composed', 'plugin: start', 'parts: start'],
    ...['plugin: outer stage', 'parts: outer stage', 'plugin: stage', 'parts: stage'],
    ...['plugin: refused', 'parts: refused', 'parts: stop', 'plugin: stop'],
  ]);
});

test('plugins – the input of parts → the prefix, the base path, all routes, and the signal of the present run', async () => {
  let given!: Application;
  const asking: Plugin = {
    name: 'asking',
    parts(application) {
      given = application;
      return {};
    },
  };
  const app = application([mounted('a', mounted('b', asking)), { name: 'later', routes: [plain('later')] }], {
    basePath: '/base',
  });
  assert.deepEqual([given.prefix, given.basePath], ['/a/b', '/base']);
  assert.deepEqual(
    [...given.routes].map(({ template }) => template.text),
    ['later'],
  );
  await app.start();
  const first = given.stopping;
  await app.stop();
  await app.start();
  assert.deepEqual([first.aborted, given.stopping.aborted], [true, false]);
});

/** A plugin whose members are members of a class, and whose parts are too. */
class Classy implements Plugin {
  readonly name = 'classy';
  readonly calls: string[] = [];
  #said = 'plugin';
  get stages(): readonly Stage[] {
    return [(context, next) => (this.#note('stage'), next(context))];
  }
  composed(): void {
    this.#note('composed');
  }
  refused(): void {
    this.#note('refused');
  }
  start(): void {
    this.#note('start');
  }
  stop(): void {
    this.#note('stop');
  }
  parts(): PluginParts {
    return new ClassyParts(this.calls);
  }
  #note(what: string): void {
    this.calls.push(`${this.#said}: ${what}`);
  }
}
class ClassyParts implements PluginParts {
  #calls: string[];
  constructor(calls: string[]) {
    this.#calls = calls;
  }
  start(): void {
    this.#calls.push('parts: start');
  }
}

test('plugins – an instance of a class, mounted → all its members and those of its parts are used, with their this', async () => {
  const plugin = new Classy();
  const app = application([mounted('x', plugin)]);
  await app.start();
  await app.request('/x');
  app.refused!(REFUSAL);
  await app.stop();
  assert.deepEqual(plugin.calls, [
    ...['plugin: composed', 'plugin: start', 'parts: start'],
    ...['plugin: stage', 'plugin: refused', 'plugin: stop'],
  ]);
});

for (const [what, parts, says] of [
  ['that are not a function', {}, /^Cannot add the plugin "a": its "parts" is an object; give a function$/],
  ['that fail', throwing(new Error('no luck')), /^Cannot add the plugin "a": no luck$/],
  [
    'that return nothing',
    () => undefined,
    /"a": its "parts" has not returned parts; return an object such as \{ stages/,
  ],
  ['that return a promise', async () => ({}), /"a": its "parts" has not returned parts; .*, and not as a promise$/],
  ['that return a route', () => plain('x'), /"a": its "parts" has not returned parts/],
  [
    'with a wrong member',
    () => ({ stages: [5] }),
    /"a": of what its "parts" has returned, its "stages\[0\]" is 5; give a function \(context, next\) => reply$/,
  ],
  [
    'with a misspelt member',
    () => ({ stage: [throwing(new Error())] }),
    /"a": of what its "parts" has returned, its member "stage" is unknown; did you mean "stages"\?$/,
  ],
  [
    'with constraints',
    () => ({ constraints: {} }),
    /"a": of what its "parts" has returned, its "constraints" is an object; give it to the plugin itself$/,
  ],
  ['with parts', () => counting, /"a": of what .* its "parts" is a function; give it to the plugin itself$/],
] as const)
  test(`plugins – parts ${what} → an error with the plugin and the remedy`, () => {
    const plugin = { name: 'a', parts } as unknown as Plugin;
    assert.throws(() => application([plugin]), { name: 'PluginError', message: says });
  });

test('plugins – a mounted plugin whose parts have an instrument → an error with the remedy', () => {
  const plugin: Plugin = { name: 'a', parts: () => ({ instrument: {} }) };
  assert.throws(() => application([mounted('x', plugin)]), {
    name: 'PluginError',
    message:
      /^Cannot mount the plugin "x\/a": its instrument wraps the whole application; add the plugin to application/,
  });
});

test('plugins – parts that fail to start → the error names the plugin, and its other members are stopped', async () => {
  const calls: string[] = [];
  const plugin: Plugin = {
    name: 'a',
    stop: () => void calls.push('stop'),
    parts: () => ({ start: throwing(new Error('no luck')) }),
  };
  await assert.rejects(application([plugin]).start(), /^PluginError: Cannot start the plugin "a": no luck$/);
  assert.deepEqual(calls, ['stop']);
});
