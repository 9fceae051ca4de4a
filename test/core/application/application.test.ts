/** Plugins that are composed into one application: their order, their names, their start and stop (plugins). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { ApplicationOptions } from '../../../src/core/application/application-options.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { type ContextChanges, contextWith } from '../../../src/core/http/context-with.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text, withHeaders } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { operationOf } from '../../../src/operations/operation/controller.ts';
import { created } from '../../../src/operations/operation/results.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { swaggerPage } from '../../../src/plugins/swagger-page/swagger-page.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { authentication, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { health } from '../../../src/shelf/health/health.ts';
import { metrics } from '../../../src/shelf/metrics/metrics.ts';
import { ask } from '../../support/ask.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { assertProblem } from '../../support/problem.ts';
import { servePlugins } from '../../support/serve.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

/** Records each request on the way in, and each reply on the way out. */
const recording =
  (name: string, notes: string[]): Stage =>
  async (context, next) => {
    notes.push(`${name} ${context.path}`);
    const reply = await next(context);
    notes.push(`${name} ${reply.status}`);
    return reply;
  };

test('plugins – stages of several plugins → outer stages first, then the stages in the order of the list, then the routes', async () => {
  const notes: string[] = [];
  const handle = () => {
    notes.push('route');
    return text('x');
  };
  const { handler } = application([
    { name: 'a', stages: [recording('a1', notes), recording('a2', notes)], routes: [plain('x', { handle })] },
    { name: 'b', stages: [recording('b', notes)], outerStages: [recording('outer', notes)] },
  ]);
  assert.equal((await handler(testContext('/x'))).status, 200);
  assert.deepEqual(notes, ['outer /x', 'a1 /x', 'a2 /x', 'b /x', 'route', 'b 200', 'a2 200', 'a1 200', 'outer 200']);
});

test('plugins – two plugins with routes for the same path → the first plugin of the list answers', async () => {
  const plugins = ['{a}', '{b}'].map((path) => ({ name: path, routes: [plain(path)] }));
  assert.equal((await application(plugins, { warn: () => {} }).handler(testContext('/x'))).body, '{a}');
});

test('plugins – routes and operations of a plugin → complete, in the order of their declaration', () => {
  const described = routesOf({ name: 'A', path: 'a', operations: [read(''), read('{id}')] });
  const { routes } = application([{ name: 'a', routes: [plain('x'), read('y'), ...described, plain('z')] }, todo()]);
  assert.deepEqual(
    [...routes].slice(0, 6).map(({ template }) => template.text),
    ['x', 'y', 'a', 'a/{id}', 'z', 'api/todo'],
  );
  for (const { handle } of routes) assert.equal(typeof handle, 'function');
});

test('plugins – an operation among the routes → answers, with the plugin as its tag', async () => {
  const app = application([{ name: 'greeting', routes: [read('hello')] }]);
  assert.equal((await app.request('/hello')).status, 204);
  const [routed] = [...app.routes].map(operationOf);
  assert.deepEqual([routed?.id, routed?.controller.name], ['HelloGet', 'greeting']);
});

test('plugins – a stage and a route that do not wait → a reply without a promise', () => {
  const { handler } = application([{ name: 'a', stages: [(context, next) => next(context)], routes: [plain('x')] }]);
  for (const path of ['/x', '/nowhere']) assert.ok(!(handler(testContext(path)) instanceof Promise));
});

test('plugins – a constraint of one plugin in a template of another → it applies', async () => {
  const least = (n: string) => ({ text: `least(${n})`, accepts: (value: string) => Number(value) >= Number(n) });
  const { handler } = application([
    { name: 'a', constraints: { even: (value) => /[02468]$/.test(value), least: { takes: [1, 1], make: least } } },
    { name: 'b', routes: [plain('{n:even:least(3)}')] },
  ]);
  for (const [path, status] of [
    ['/4', 200],
    ['/3', 404],
    ['/2', 404],
  ] as const)
    assert.equal((await handler(testContext(path))).status, status);
});

/** A plugin that records its start and its stop. */
const starting = (name: string, notes: string[], more: Partial<Plugin> = {}): Plugin => ({
  name,
  start: () => void notes.push(`start ${name}`),
  stop: async () => void notes.push(`stop ${name}`),
  ...more,
});

test('plugins – start and stop → start in order, stop in reverse order, each plugin once', async () => {
  const notes: string[] = [];
  const composed = application([starting('a', notes), { name: 'plain' }, starting('b', notes)]);
  const first = composed.start();
  assert.equal(composed.start(), first);
  await first;
  await composed.start();
  await composed.stop();
  await composed.stop();
  assert.deepEqual(notes.splice(0), ['start a', 'start b', 'stop b', 'stop a']);
  await composed.start();
  assert.deepEqual(notes, ['start a', 'start b']);
});

test('plugins – a plugin whose start fails → the error names it, started plugins are stopped, later plugins do not start, the next start tries again', async () => {
  const notes: string[] = [];
  const cause = new Error('no disk');
  let tries = 0;
  const start = () => (tries++ === 0 ? Promise.reject(cause) : undefined);
  const [a, b, late] = ['a', 'b', 'late'].map((name) => starting(name, notes)) as [Plugin, Plugin, Plugin];
  const composed = application([a, b, starting('bad', notes, { start }), late]);
  await assert.rejects(composed.start(), { message: 'Cannot start the plugin "bad": no disk', cause });
  assert.deepEqual(notes.splice(0), ['start a', 'start b', 'stop b', 'stop a']);
  await composed.start();
  assert.deepEqual(notes, ['start a', 'start b', 'start late']);
});

test('plugins – a plugin whose stop fails → the error names it, and the others are stopped', async () => {
  const notes: string[] = [];
  const bad = { name: 'bad', stop: throwing(new Error('stuck')) };
  const composed = application([starting('a', notes), bad]);
  await composed.start();
  await assert.rejects(composed.stop(), /Cannot stop the plugin "bad" cleanly: stuck/);
  assert.deepEqual(notes, ['start a', 'stop a']);
});

test('plugins – a stop that never settles → it is reported after its time, and the others are stopped', async (t) => {
  const notes: string[] = [];
  const stuck = { name: 'stuck', stop: () => new Promise<void>(() => {}) };
  const composed = application([starting('a', notes), stuck]);
  await composed.start();
  const { mock } = t.mock.method(console, 'error', () => {});
  await composed.stop(50);
  const lines = mock.calls.map((call) => String(call.arguments)).join();
  assert.match(lines, /Cannot wait longer for the plugin \\"stuck\\": a stop may not take more time/);
  assert.deepEqual(notes, ['start a', 'stop a']);
});

test('plugins – two plugins with the same name → an error with the name and the remedy', () =>
  assert.throws(
    () => application([{ name: 'a' }, { name: 'b' }, { name: 'a' }]),
    /two plugins are named "a"; .* rename it: \{ \.\.\.plugin, name: '…' \}/,
  ));

for (const [clause, what, plugins, says] of [
  [
    'D14',
    'two plugins with operations of the same method and path',
    [todo(), { ...todo(), name: 'again' }],
    /^Cannot add the routes of the plugin "again": [^\n^]*"GET api\/todo": both are "GET \/api\/todo" in a description; change[^\n^]*$/,
  ],
  [
    'plugins',
    'a plugin with routes that cannot be added',
    [{ name: 'good' }, { name: 'bad', routes: [plain('{a'), plain('{b}{c}')] }],
    /^Cannot add the routes of the plugin "bad": the route "\{a": .*the route "\{b\}\{c\}": [^\n]*$/,
  ],
] as const)
  test(`${clause} – ${what} → an error with every mistake on one line`, () =>
    assert.throws(
      () => application(plugins),
      ({ message, cause }: Error) => says.test(message) && cause instanceof Error,
    ));

test('plugins – outer stages → see problems, 404s and requests that are refused before the stages; other stages do not', async (t) => {
  const notes: string[] = [];
  const marking: Stage = async (context, next) => withHeaders(await next(context), { 'X-Marked': 'yes' });
  const plugin: Plugin = {
    name: 'a',
    outerStages: [recording('outer', notes), marking],
    stages: [recording('inner', notes)],
    routes: [
      plain('bad', { handle: throwing(new HttpProblem(409, 'no')) }),
      plain('worse', { handle: throwing(new Error('cause')) }),
    ],
  };
  const { port } = await servePlugins(t, [plugin], { log: () => {} });
  for (const [target, status] of [
    ['/bad', 409],
    ['/worse', 500],
    ['/nowhere', 404],
    ['/%zz', 400],
    [`/${'x'.repeat(9000)}`, 414],
  ] as const) {
    notes.length = 0;
    const answer = await ask(port, { target });
    assertProblem(answer, status);
    assert.equal(answer.headers['x-marked'], 'yes');
    const inner = status === 400 || status === 414 ? [] : [`inner ${target}`];
    assert.deepEqual(
      notes.filter((note) => note.includes('/')),
      [`outer ${target}`, ...inner],
    );
    assert.ok(notes.includes(`outer ${status}`));
  }
});

// Mistakes in a plugin are reported at composition, with the remedy.
for (const [what, plugin, says] of [
  [
    'undefined',
    undefined,
    /Cannot add the plugin "number 2 of the list": it is of type undefined, not a plugin; give \{ name, … \}/,
  ],
  ['null', null, /it is null, not a plugin/],
  ['a text', 'cors', /it is of type string, not a plugin/],
  ['a function', () => ({ name: 'a' }), /it is a function, not a plugin; call it, or give \{ name, … \}$/],
  ['a route', plain('x'), /it is a route, not a plugin; give \{ name, routes: \[it\] \}/],
  [
    'a list among the routes',
    { name: 'a', routes: [[]] },
    /its "routes\[0\]" is a list; give route\(.*, operation\(.*\), or a list as \.\.\.routes$/,
  ],
  ['no name', {}, /its plugin has no name; give it one/],
  ['an object among the stages', { name: 'a', stages: [{}] }, /the plugin "a": its "stages\[0\]" .*; give a function/],
  ['a stage in place of a list', { name: 'a', stages: () => text('') }, /its "stages" is a function; give a list/],
  ['an object in place of a list', { name: 'a', routes: {} }, /its "routes" is an object; give a list/],
  ['a list without a stage', { name: 'a', outerStages: [null] }, /its "outerStages\[0\]" is null; give a function/],
  ['a function as constraints', { name: 'a', constraints: () => true }, /its "constraints" is a function; give an/],
  ['security, which a plugin does not have', { name: 'a', security: [] }, /give it to its operations, a controller or/],
  ['stage for stages', { name: 'a', stage: [] }, /its member "stage" is unknown; did you mean "stages"\?/],
  [
    'a bare value among the offers',
    { name: 'a', offers: ['x'] },
    /its "offers\[0\]" .*; give an offer such as key.of\(/,
  ],
  [
    'a declaration among the routes',
    { name: 'a', routes: [{ path: 'a' }] },
    /its "routes\[0\]" .*; give route\(\{ path/,
  ],
  ['a promise of a plugin', Promise.resolve({ name: 'a' }), /has no name/],
] as const)
  test(`plugins – ${what} → an error at composition`, () =>
    assert.throws(() => application([{ name: 'first' }, plugin as Plugin]), { name: 'PluginError', message: says }));

test('plugins – a further member, even with almost a known name → allowed', () => {
  application([{ name: 'a', store: new Map(), state: 'on', starts: 1 } as Plugin]);
});

test('plugins – a Location that cannot be made → an error with the remedy at composition', () => {
  const [target, other] = [read('{id}'), read('{id}')];
  const composed =
    (location: string | typeof target, ...more: (typeof target)[]) =>
    () => {
      const make = operation({
        method: 'POST',
        path: '',
        responses: { 201: { schema: { type: 'string' }, location } },
        handle: () => created('a', location, { id: '1' }),
      });
      const a = { name: 'A', path: 'a', operations: [make, ...more] };
      application([
        { name: 'a', routes: routesOf(a, { name: 'B', path: 'b', operations: [other] }) },
        { name: 'b', routes: routesOf({ name: 'C', path: 'c', operations: [target] }) },
      ]);
    };
  assert.throws(
    composed(target),
    /Cannot make the Location of 201 of the operation "APost": "GET \{id\}" is not an operation of the plugin; name its route/,
  );
  assert.throws(
    composed('nowhere'),
    /there is no route named "nowhere"; give the name of a route, or an operation of this plugin/,
  );
  for (const compose of [composed('bbyidget'), composed('cbyidget'), composed(other), composed(target, target)])
    compose();
});

/** Returns the warnings at the composition of these plugins. */
function warningsOf(plugins: readonly Plugin[], options: ApplicationOptions = {}): readonly string[] {
  const warnings: string[] = [];
  application(plugins, { ...options, warn: (line) => warnings.push(line) });
  return warnings;
}

test('§4.3 – a route that no request can reach → a warning with both routes and the remedy', () => {
  const plugins = [
    { name: 'a', routes: [plain('{site}', { method: 'GET' }), plain('{id:int}/x')] },
    { name: 'b', routes: [plain('live', { method: 'GET' }), plain('live', { method: 'PUT' }), plain('{id}/x')] },
  ];
  assert.deepEqual(warningsOf(plugins), [
    'No request reaches the route "GET live": "GET {site}" comes before it and matches all its requests; ' +
      'move it to the front, or remove one of them',
  ]);
});

test('§4.3 – many routes after a route that matches everything → ten are named, the others counted', () => {
  const routes = ['{*all}', ...Array.from({ length: 30 }, (_, at) => `r${at}`)].map((path) => plain(path));
  const warnings = warningsOf([{ name: 'a', routes }]);
  assert.equal(warnings.length, 11);
  assert.equal(warnings[10], 'No request reaches 20 more routes for the same reason');
});

test('D37 – an expression with a repetition in a repetition → one warning with the remedy', () => {
  const constraints = { a: /(?:a*)+/ };
  const routes = [
    plain('{x:regex((a+)+)}/x'),
    plain('{a}', { constraints }),
    plain('{b}/y', { constraints: { b: 'b+' } }),
  ];
  const warned = (source: string, template: string): string =>
    `The expression "${source}" of the route "${template}" repeats a repetition, so it can take for ever; limit the ` +
    'outer repetition, as in {0,4}, give a predicate, (value) => …, outside the template, or ask a checker such as recheck';
  assert.deepEqual(warningsOf([{ name: 'a', routes }]), [
    warned('(a+)+', '{x:regex((a+)+)}/x'),
    warned('(?:a*)+', '{a}'),
  ]);
});

test('§4.3 – a constraint of a plugin → not called at composition', () => {
  const asked: string[] = [];
  const counted = (value: string): boolean => asked.push(value) > 0;
  assert.deepEqual(
    warningsOf([{ name: 'a', constraints: { counted }, routes: [plain('{n:counted}'), plain('b')] }]),
    [],
  );
  assert.deepEqual(asked, []);
});

test('D71 – a security of all operations and plain routes → one warning, except for guarded and public routes', () => {
  const staff = bearerTokens({ secret: { identity: 1 } });
  const pass: Stage = (context, next) => next(context);
  const guarded = plain('c', { stages: [pass] });
  const plugins = [
    authentication(staff),
    description({ title: 'T' }),
    ...[health({ ready: () => true }), metrics(), swaggerPage()],
    { name: 'x', routes: [plain('a', { method: ['GET', 'put'] }), plain('b'), guarded] },
    { name: 'y', routes: [plain('d', { dataTokens: { security: [] } }), plain('e', { public: true })] },
  ];
  assert.deepEqual(warningsOf(plugins), []);
  assert.deepEqual(warningsOf([operations({ security: [staff] }), ...plugins]), [
    'Everybody may call "GET,PUT a", "b": the security of operations holds for them alone; ' +
      'give each the stages that guard it, declare an operation, or say so with public: true',
  ]);
});

test('routing – :id as a whole segment → a literal, and one warning that suggests {id}', async () => {
  const routes = [plain('api/:id', { method: 'GET' }), plain('api/:id', { method: 'PUT' }), plain('at/12:30/a:b/:')];
  const plugins = [{ name: 'a', routes }];
  const says = 'The route "api/:id" matches the text ":id" itself; write "{id}" for a parameter';
  assert.deepEqual(warningsOf(plugins), [says]);
  const { handler } = application(plugins, { warn: () => {} });
  assert.equal((await handler(testContext('/api/42'))).status, 404);
  assert.equal((await handler(testContext('/api/:id'))).status, 200);
});

test('plugins – an outer stage passes a copy of a refused request on → one problem for the copy', async () => {
  const changing =
    (change: ContextChanges): Stage =>
    (context, next) =>
      next(contextWith(context, change));
  const inside = mounted('tools', { name: 'm', outerStages: [changing({ requestId: 'copied' })] });
  const { refuse } = application([{ name: 'a', outerStages: [changing({ headers: { 'x-a': 'b' } })] }, inside]);
  const { status, body } = await refuse(testContext('/tools/x'), new HttpProblem(431, 'Too long'));
  const { instance, requestId } = JSON.parse(body as string);
  assert.deepEqual([status, instance, requestId], [431, '/tools/x', 'copied']);
});
