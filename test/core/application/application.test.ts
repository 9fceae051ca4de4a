/** Plugins made into one application: their order, their names, their start and stop (plugins). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { ApplicationOptions } from '../../../src/core/application/application-options.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { contextWith } from '../../../src/core/message/context-with.ts';
import { HttpProblem } from '../../../src/core/message/problem.ts';
import { headerOf, text, withHeaders } from '../../../src/core/message/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { HttpService } from '../../../src/core/wire/service.ts';
import { authentication, bearerTokens } from '../../../src/extensions/authentication/authentication.ts';
import { description } from '../../../src/extensions/description/description.ts';
import { health } from '../../../src/extensions/monitoring/health.ts';
import { metrics } from '../../../src/extensions/monitoring/metrics.ts';
import { swaggerPage } from '../../../src/extensions/swagger-page/swagger-page.ts';
import { todo } from '../../../src/extensions/todo/todo.ts';
import { created, noContent } from '../../../src/operations/operation/answers.ts';
import { operationOf } from '../../../src/operations/operation/controller.ts';
import { operations } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { ask } from '../../support/ask.ts';
import { assertProblem } from '../../support/problem.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

/** Notes what passes it, on the way in and on the way out. */
const noting =
  (name: string, notes: string[]): Stage =>
  async (context, next) => {
    notes.push(`${name} ${context.path}`);
    const reply = await next(context);
    notes.push(`${name} ${reply.status}`);
    return reply;
  };

test('plugins – stages of several plugins → outer ones first, then in the order of the list, then the routes', async () => {
  const notes: string[] = [];
  const { handler } = application([
    {
      name: 'a',
      stages: [noting('a1', notes), noting('a2', notes)],
      routes: [
        route({
          path: 'x',
          handle: () => {
            notes.push('route');
            return text('x');
          },
        }),
      ],
    },
    { name: 'b', stages: [noting('b', notes)], outerStages: [noting('outer', notes)] },
  ]);
  assert.equal((await handler(testContext('/x'))).status, 200);
  assert.deepEqual(notes, ['outer /x', 'a1 /x', 'a2 /x', 'b /x', 'route', 'b 200', 'a2 200', 'a1 200', 'outer 200']);
});

test('plugins – two plugins with a route each that take the same path → the first of the list answers', async () => {
  const plugin = (name: string): Plugin => ({ name, routes: [route({ path: '{any}', handle: () => text(name) })] });
  const reply = await application([plugin('a'), plugin('b')]).handler(testContext('/x'));
  assert.equal(reply.body, 'a');
});

test('plugins – routes and operations of a plugin → in the order in which they are written, complete', () => {
  const read = (path: string) => operation({ method: 'GET', path, responses: { 204: {} }, handle: () => noContent() });
  const written = [
    plain('x'),
    read('y'),
    ...routesOf({ name: 'A', path: 'a', operations: [read(''), read('{id}')] }),
    plain('z'),
  ];
  const { routes } = application([{ name: 'a', routes: written }, todo()]);
  assert.deepEqual(
    [...routes].slice(0, 6).map(({ template }) => template.text),
    ['x', 'y', 'a', 'a/{id}', 'z', 'api/todo'],
  );
  for (const one of routes) assert.equal(typeof one.handle, 'function');
});

test('plugins – an operation that stands in the routes → answers, with the plugin as its tag', async () => {
  const hello = operation({ method: 'GET', path: 'hello', responses: { 204: {} }, handle: () => noContent() });
  const app = application([{ name: 'greeting', routes: [hello] }]);
  assert.equal((await app.request('/hello')).status, 204);
  const [routed] = [...app.routes].map(operationOf);
  assert.deepEqual([routed?.id, routed?.controller.name], ['HelloGet', 'greeting']);
});

test('plugins – a stage that does not wait and a route that does not → a reply, not a promise', () => {
  const { handler } = application([
    { name: 'a', stages: [(context, next) => next(context)], routes: [route({ path: 'x', handle: () => text('x') })] },
  ]);
  assert.ok(!(handler(testContext('/x')) instanceof Promise));
  assert.ok(!(handler(testContext('/nowhere')) instanceof Promise));
});

test('plugins – a constraint of one plugin, named by another → known', async () => {
  const { handler } = application([
    {
      name: 'a',
      constraints: {
        even: (value) => /[02468]$/.test(value),
        least: {
          takes: [1, 1],
          make: (n) => ({ text: `least(${n})`, accepts: (value) => Number(value) >= Number(n) }),
        },
      },
    },
    { name: 'b', routes: [route({ path: '{n:even:least(3)}', handle: () => text('even') })] },
  ]);
  assert.equal((await handler(testContext('/4'))).status, 200);
  assert.equal((await handler(testContext('/3'))).status, 404);
  assert.equal((await handler(testContext('/2'))).status, 404);
});

test('plugins – plugins → started in order, stopped in reverse, each once', async () => {
  const notes: string[] = [];
  const plugin = (name: string): Plugin => ({
    name,
    start: () => void notes.push(`start ${name}`),
    stop: async () => {
      notes.push(`stop ${name}`);
    },
  });
  const composed = application([plugin('a'), { name: 'plain' }, plugin('b')]);
  await composed.start();
  await composed.stop();
  await composed.stop();
  assert.deepEqual(notes, ['start a', 'start b', 'stop b', 'stop a']);
});

test('plugins – an application started again without a stop between → each plugin started once; after a stop, again', async () => {
  const notes: string[] = [];
  const noting: Plugin = { name: 'a', start: () => void notes.push('start'), stop: () => void notes.push('stop') };
  const composed = application([noting]);
  const first = composed.start();
  assert.equal(composed.start(), first);
  await first;
  await composed.start();
  assert.deepEqual(notes, ['start']);
  await composed.stop();
  await composed.start();
  assert.deepEqual(notes, ['start', 'stop', 'start']);
  await composed.stop();
});

test('plugins – a start that has failed → the next one tries again', async () => {
  let tries = 0;
  const composed = application([
    { name: 'a', start: () => (tries++ === 0 ? Promise.reject(new Error('no')) : undefined) },
  ]);
  await assert.rejects(composed.start(), /no/);
  await composed.start();
  assert.equal(tries, 2);
});

test('plugins – a plugin whose start fails → those already started are stopped, in reverse; it is named; later ones never start', async () => {
  const notes: string[] = [];
  const plugin = (name: string): Plugin => ({
    name,
    start: () => void notes.push(`start ${name}`),
    stop: () => void notes.push(`stop ${name}`),
  });
  const cause = new Error('no disk');
  const composed = application([
    plugin('a'),
    plugin('b'),
    { ...plugin('bad'), start: () => Promise.reject(cause) },
    plugin('late'),
  ]);
  await assert.rejects(
    composed.start(),
    (error: Error) => error.message === 'Cannot start the plugin "bad": no disk' && error.cause === cause,
  );
  assert.deepEqual(notes, ['start a', 'start b', 'stop b', 'stop a']);
});

test('plugins – a plugin whose stop fails → the others are stopped all the same, and it is named', async () => {
  const notes: string[] = [];
  const composed = application([
    { name: 'a', stop: () => void notes.push('stop a') },
    { name: 'bad', stop: throwing(new Error('stuck')) },
  ]);
  await composed.start();
  await assert.rejects(composed.stop(), /Cannot stop the plugin "bad" cleanly: stuck/);
  assert.deepEqual(notes, ['stop a']);
});

test('plugins – a stop that never settles → the others are stopped when the time is over, and it is reported', async (t) => {
  const notes: string[] = [];
  const composed = application([
    { name: 'a', stop: () => void notes.push('stop a') },
    { name: 'stuck', stop: () => new Promise(() => {}) },
  ]);
  await composed.start();
  const { mock } = t.mock.method(console, 'error', () => {});
  await composed.stop(50);
  assert.match(
    mock.calls.map((call) => String(call.arguments)).join(),
    /Cannot wait longer for the plugin \\"stuck\\": a stop may not take more time/,
  );
  assert.deepEqual(notes, ['stop a']);
});

test('plugins – two plugins of one name → refused, the name is told', () => {
  assert.throws(() => application([{ name: 'a' }, { name: 'b' }, { name: 'a' }]), /two plugins are named "a"/);
});

test('D14 – two plugins whose operations have one method and path → refused', () => {
  assert.throws(
    () => application([todo(), { ...todo(), name: 'again' }]),
    (error: Error) => {
      assert.match(
        error.message,
        /^Cannot add the routes of the plugin "again": .*"GET api\/todo": both are "GET \/api\/todo" in a description; change/,
      );
      assert.doesNotMatch(error.message, /\n|\^/);
      return error.cause instanceof Error;
    },
  );
});

test('plugins – a plugin with routes that cannot be added → it is named, with every mistake', () => {
  const bad: Plugin = {
    name: 'bad',
    routes: [route({ path: '{a', handle: () => text('') }), route({ path: '{b}{c}', handle: () => text('') })],
  };
  assert.throws(
    () => application([{ name: 'good' }, bad]),
    (error: Error) => {
      assert.match(
        error.message,
        /^Cannot add the routes of the plugin "bad": the route "\{a": .*the route "\{b\}\{c\}": [^\n]*$/,
      );
      return true;
    },
  );
});

test('plugins – a start that asks for the application → sees the routes of later plugins too', async () => {
  let seen: readonly string[] = [];
  await application([
    {
      name: 'a',
      start: ({ routes }) => {
        seen = [...routes].map(({ template }) => template.text);
      },
    },
    { name: 'b', routes: [route({ path: 'later', handle: () => text('x') })] },
  ]).start();
  assert.deepEqual(seen, ['later']);
});

test('plugins – outer stages → see problems, 404s and requests that are refused before the stages; inner ones do not', async (t) => {
  const notes: string[] = [];
  const marking: Stage = async (context, next) => withHeaders(await next(context), { 'X-Marked': 'yes' });
  const { handler, refuse } = application(
    [
      {
        name: 'a',
        outerStages: [noting('outer', notes), marking],
        stages: [noting('inner', notes)],
        routes: [
          route({ path: 'bad', handle: throwing(new HttpProblem(409, 'no')) }),
          route({ path: 'worse', handle: throwing(new Error('cause')) }),
        ],
      },
    ],
    { log: () => {} },
  );
  const service = new HttpService({ handler, refuse });
  const { port } = await service.listen(0);
  t.after(() => service.close(0));
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

test('wire errors – a handler that throws → the log of the application has the cause, the request and its id', async () => {
  const told: unknown[] = [];
  const cause = new Error('cause');
  const { handler } = application([{ name: 'a', routes: [route({ path: 'x', handle: throwing(cause) })] }], {
    log: (error, context) => void told.push(error, context.requestId),
  });
  const reply = await handler(testContext('/x'));
  assert.equal(reply.status, 500);
  assert.equal(headerOf(reply, 'Content-Type'), 'application/problem+json');
  assert.deepEqual(told, [cause, 'test']);
});

// What is wrong with a plugin is told when it is composed, with the remedy.
const CARELESS: readonly (readonly [what: string, plugin: unknown, says: RegExp])[] = [
  [
    'undefined',
    undefined,
    /Cannot add the plugin "number 2 of the list": it is of type undefined, no plugin; give \{ name, … \}/,
  ],
  ['null', null, /it is null, no plugin/],
  ['a text', 'cors', /it is of type string, no plugin/],
  ['a function', () => ({ name: 'a' }), /it is a function, not a plugin; call it, or give \{ name, … \}$/],
  [
    'a route',
    route({ path: 'x', handle: () => text('') }),
    /it is a route, not a plugin; give \{ name, routes: \[it\] \}/,
  ],
  ['a route with a name', route({ name: 'a', path: 'x', handle: () => text('') }), /"a": it is a route, not a plugin/],
  [
    'a list among the routes',
    { name: 'a', routes: [[]] },
    /its "routes\[0\]" is a list; give route\(.*, operation\(.*\), or each of a list as \.\.\.routes$/,
  ],
  ['no name', {}, /its plugin has no name; give it one/],
  ['an object among the stages', { name: 'a', stages: [{}] }, /the plugin "a": its "stages\[0\]" .*; give a function/],
  ['a stage in place of a list', { name: 'a', stages: () => text('') }, /its "stages" is a function; give a list/],
  ['stage for stages', { name: 'a', stage: [] }, /its "stage" means nothing; did you mean "stages"\?/],
  ...['controllers', 'operations', 'authenticators', 'responses'].map(
    (removed) =>
      [
        `${removed}, which earlier versions had`,
        { name: 'a', [removed]: [] },
        new RegExp(`the plugin "a": its "${removed}" means nothing; give its "routes", or a value of its "offers"$`),
      ] as const,
  ),
  ['offer for offers', { name: 'a', offer: [] }, /its "offer" means nothing; did you mean "offers"\?/],
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
  ['Routes for routes', { name: 'a', Routes: [] }, /its "Routes" means nothing; did you mean "routes"\?/],
  ['onStart for start', { name: 'a', strat() {} }, /its "strat" means nothing; did you mean "start"\?/],
  ['a promise of a plugin', Promise.resolve({ name: 'a' }), /has no name/],
];
for (const [what, plugin, says] of CARELESS) {
  test(`plugins – ${what} → refused when composed`, () => {
    assert.throws(() => application([{ name: 'first' }, plugin as Plugin]), { name: 'PluginError', message: says });
  });
}

test('plugins – a member of its own, even one that is nearly a known name → allowed', () => {
  application([{ name: 'a', store: new Map(), state: 'on', starts: 1 } as Plugin]);
});

test('plugins – a Location that no values could make → refused when composed, each with the remedy', () => {
  const read = operation({ method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => noContent() });
  const other = operation({ method: 'GET', path: '{id}', responses: { 204: {} }, handle: () => noContent() });
  const make = (location: string | typeof read) =>
    operation({
      method: 'POST',
      path: '',
      responses: { 201: { schema: { type: 'string' }, location } },
      handle: () => created('a', location, { id: '1' }),
    });
  const composed =
    (location: string | typeof read, ...more: (typeof read)[]) =>
    () =>
      application([
        {
          name: 'a',
          routes: routesOf(
            { name: 'A', path: 'a', operations: [make(location), ...more] },
            { name: 'B', path: 'b', operations: [other] },
          ),
        },
        { name: 'b', routes: routesOf({ name: 'C', path: 'c', operations: [read] }) },
      ]);
  assert.throws(
    composed(read),
    /Cannot make the Location of 201 of the operation "APost": "GET \{id\}" is no operation of the plugin; name its route/,
  );
  assert.throws(
    composed('nowhere'),
    /there is no route named "nowhere"; give the name of a route, or an operation of this plugin/,
  );
  composed('bbyidget')();
  composed('cbyidget')();
  composed(other)();
  composed(read, read)();
});

/** What is warned of when an application of these plugins is composed. */
function warningsOf(plugins: readonly Plugin[], options: ApplicationOptions = {}): readonly string[] {
  const warnings: string[] = [];
  application(plugins, { ...options, warn: (line) => warnings.push(line) });
  return warnings;
}
const plain = (path: string, more: object = {}) => route({ path, handle: () => text(''), ...more });

test('§4.3 – a route that no request reaches → a warning that names both routes and the remedy', () => {
  const plugins = [
    { name: 'a', routes: [plain('{site}', { method: 'GET' }), plain('{id:int}/x')] },
    { name: 'b', routes: [plain('live', { method: 'GET' }), plain('live', { method: 'PUT' }), plain('{id}/x')] },
  ];
  assert.deepEqual(warningsOf(plugins), [
    'No request reaches the route "GET live": "GET {site}" stands before it and takes its requests, such as GET /live; ' +
      'put it in front, or leave one of them out',
  ]);
});

test('§4.3 – many routes behind one that takes all → ten are named, the others counted', () => {
  const routes = ['{*all}', ...Array.from({ length: 30 }, (_, at) => `r${at}`)].map((path) => plain(path));
  const warnings = warningsOf([{ name: 'a', routes }]);
  assert.equal(warnings.length, 11);
  assert.equal(warnings[10], 'No request reaches 20 more routes, which stand behind others as these do');
});

test('§4.3 – a constraint that throws, asked about routes that none reaches → the application is composed', () => {
  const constraints = { n: () => assert.fail('no luck') };
  assert.deepEqual(warningsOf([{ name: 'a', routes: [plain('{n}', { constraints }), plain('live')] }]), []);
});

test('§4.3 – five thousand routes of one shape → the search for dead ones ends: those behind are not judged', () => {
  const behind = [plain('{m}'), plain('live')];
  const routes = Array.from({ length: 5_000 }, (_, least) => plain(`{n:min(${least})}`));
  assert.equal(warningsOf([{ name: 'a', routes: behind }]).length, 1);
  assert.deepEqual(warningsOf([{ name: 'a', routes: [...routes, ...behind] }]), []);
});

test('§4.3 – a constraint of a plugin → not asked while an application is composed: it may count, or throw', () => {
  const asked: string[] = [];
  const counted = (value: string): boolean => asked.push(value) > 0;
  assert.deepEqual(
    warningsOf([{ name: 'a', constraints: { counted }, routes: [plain('{n:counted}'), plain('b')] }]),
    [],
  );
  assert.deepEqual(asked, []);
});

test('D71 – a security of all operations and plain routes → one warning, unless they are guarded or open', () => {
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

test('routing – :id as a whole segment → a literal, as recorded, and one warning that suggests {id}', async () => {
  const warnings: string[] = [];
  const { handler } = application(
    [
      {
        name: 'a',
        routes: [
          route({ method: 'GET', path: 'api/:id', handle: () => text('get') }),
          route({ method: 'PUT', path: 'api/:id', handle: () => text('put') }),
          route({ path: 'at/12:30/a:b/:', handle: () => text('') }),
        ],
      },
    ],
    { warn: (line) => warnings.push(line) },
  );
  assert.deepEqual(warnings, ['The route "api/:id" matches the text ":id" itself; write "{id}" for a parameter']);
  assert.equal((await handler(testContext('/api/42'))).status, 404);
  assert.equal((await handler(testContext('/api/:id'))).body, 'get');
});

test('plugins – an outer stage that passes a copy on, for a request that is refused → the refusal, once', async () => {
  const { refuse } = application([
    {
      name: 'a',
      outerStages: [
        (context, next) => next(contextWith(context, { headers: { ...context.headers, 'x-a': 'b' } })),
        mounted('tools', {
          name: 'm',
          outerStages: [(context, next) => next(contextWith(context, { requestId: 'copied' }))],
        }).outerStages![0]!,
      ],
    },
  ]);
  const reply = await refuse(testContext('/tools/x'), new HttpProblem(431, 'Too long'));
  assert.deepEqual(
    [reply.status, JSON.parse(reply.body as string).instance, JSON.parse(reply.body as string).requestId],
    [431, '/tools/x', 'copied'],
  );
});
