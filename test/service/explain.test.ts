/** Tests the output of `npm run explain`: for requests, for links, and for invalid arguments. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { explain } from '../../src/service/explain.ts';
import { SettingsError } from '../../src/service/settings/settings.ts';
import { runProgram } from '../support/program.ts';
import { logged } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'item.json': '{"name":"of a file"}',
  'even.js': `import { route, slot, text, withHeaders, contextWith } from '${LIBRARY}';
  const user = slot('user');
  export default { name: "even",
    outerStages: [async (context, next) => next(context)],
    routes: [route({ path: 'even/{n:int}', stages: [function marks(context, next) { return withHeaders(next(context), { 'X-Marked': 'yes' }) }],
      handle: ({ values }) => text(values.n) })],
    stages: [(context, next) => {
      switch (context.path) {
        case "/throws": throw new Error("a secret of " + context.headers.authorization);
        case "/forgets": next(context); return;
        case "/undefined": throw undefined;
        case "/answers": return { status: 200, headers: {}, body: "here" };
        case "/catches": try { return next(context) } catch { return text("caught", { status: 202 }) }
        case "/slot": user.set(context, 'Ada'); return next(contextWith(context, { path: '/even/4', headers: { ...context.headers, 'x-more': '1' } }));
        case "/moved": {
          const { method, headers, query, requestId, basePath, request } = context;
          return next({ method, headers, query, requestId, basePath, request, path: "/api/todo", segments: ["api", "todo"] });
        }
        case "/odd": return { status: 400, headers: { "Content-Type": "application/problem+json" }, body: "{" };
        case "/red": return { status: 400, headers: { "Content-Type": "application/problem+json" },
          body: JSON.stringify({ detail: "first\\nsecond\\u001b[31m" }) };
        case "/cut": context.request.socket.destroy(); return { status: 200, headers: {} };
        default: return next(context);
      }
    }] };`,
});
/** Stages that call `next` at any time, change read-only members, and are mounted below a prefix. */
const careless = temporaryFolder({
  'package.json': '{"type":"module"}',
  'careless.js': `export default ({ contextWith, mounted, route, text, withHeaders }) => {
  const app = (context) => contextWith(context, { path: '/app' });
  return { name: "careless",
    constraints: { only: (value) => value === 'a' },
    routes: [
      route({ path: 'app', handle: () => text('app') }),
      route({ path: 'once/{n:only}', handle: () => text('once') }),
      route({ path: 'once/{n}', handle: () => text('many') }),
      route({ path: 'waits', handle: async () => { await null; return text('waited') } }),
      route({ path: 'fails', handle: async () => { await null; throw new Error('nobody waits for it') } }),
      route({ path: 'number', handle: () => 42 }),
      route({ path: 'early', stages: [function early() { return text('early') }], handle: () => text('later') }),
    ],
    stages: [function odd(context, next) {
      switch (context.path) {
        case '/spa': return next(context).status === 404 ? next(app(context)) : text('found');
        case '/first/marked': { const first = next(context); next(app(context)); return withHeaders(first, { 'X-Marked': 'yes' }) }
        case '/both': return Promise.all([next(contextWith(context, { path: '/waits' })), next(app(context))]).then(([one]) => one);
        case '/waits': case '/fails': void next(context); return text('early');
        case '/late': queueMicrotask(() => next(app(context))); return text('early');
        case '/ignores': next(app(context)); return text('own', { status: 201 });
        case '/catches': try { return next(context.then) } catch { return { status: 200, headers: {}, body: 1 } }
        case '/length': return { ...next(app(context)), body: 'longer' };
        case '/header': context.headers['x-more'] = '1'; return next(context);
        default: return next(context);
      }
    }] } };`,
  'linked.js': `export default ({ application, route, text }) => {
  const made = (path, name) => route({ path, name, handle: () => text('') });
  return application([{ name: 'linked', routes: [made('a/{id}', 'one'), made('b', 'two'), made('c', 'three')] }]) };`,
  'below.js': `
  export default ({ contextWith, mounted, route, text }) => mounted('tools', { name: 'mine',
    routes: [route({ path: 'here', handle: () => text('here') })],
    stages: [
      function below(context, next) { return next(context.path === '/moved' ? contextWith(context, { path: '/here' }) : context) },
    ] });`,
});
const PLUGIN = ['--plugin', join(folder, 'even.js')];
const explained = (args: readonly string[], environment = {}): Promise<string> => explain(args, environment);
const asked = async (...args: readonly string[]): Promise<string[]> =>
  (await explained([...args, ...PLUGIN])).split('\n');

const IN = [
  '· parser +HTTP/1\\.1, \\d header lines?(?:, a body of \\d+ bytes)?',
  '→ even: outer stage 1',
  '  → problems',
  '    → swagger-page: swaggerPage',
];
const TAIL = '      → even: stage 1';
const NONE = '.*· index +0 of 9 routes proposed';
const TAKEN = ['.*· index +1 of 9 routes proposed', ' +✓ .*'];
const UNASKED = ['', 'The routes were not asked.'];
const OUT = ['    ← .*', '  ← .*', '← .*', '· write .*'];
const UNANSWERED =
  'answered 404, synchronous: \\+ Content-Type, \\+ Content-Length, \\+ Content-Security-Policy, \\+ Cache-Control';
const OUT_404 = [
  `          · unanswered +${UNANSWERED}`,
  '        ← routing +passed on 404, synchronous',
  '      ← even: stage 1 +passed on 404, synchronous',
  ...OUT,
];

/** A request, its reply, and every other line as a regular expression, in order. */
for (const [request, answer, ...lines] of [
  [
    'GET /api/todo/x7',
    '404 application/problem+json: No item has the key "x7"',
    ...[...IN, TAIL, '        → routing', ...TAKEN],
    '          → route GET /api/todo/\\{id\\}',
    '            · input +accepted',
    '            · handler ApiTodoByIdGet +answered 404, synchronous',
    '            · reply +answered 404: \\+ Content-Type, \\+ Content-Length, .*',
    '          ← route GET /api/todo/\\{id\\} +passed on 404, synchronous',
    '        ← routing +passed on 404, synchronous',
    '      ← even: stage 1 +passed on 404, synchronous',
    '    ← swagger-page: swaggerPage +passed on 404, synchronous',
    '  ← problems +passed on 404, synchronous',
    '← even: outer stage 1 +passed on 404, waited',
    '· write +404',
  ],
  [
    'POST /api/todo -d {"name":1}',
    '400 application/problem+json: The body does not match its schema',
    ...[...IN, TAIL, '        → routing', ...TAKEN],
    '          → route POST /api/todo',
    '            · input +refused with 400: The body does not .* \\(/name: Expected .*\\), waited',
    '          ← route POST /api/todo +passed the error on, waited',
    '        ← routing +passed the error on, waited',
    '      ← even: stage 1 +passed the error on, waited',
    '    ← swagger-page: swaggerPage +passed the error on, waited',
    '  ← problems +caught it, answered 400, waited: \\+ Content-Type, .*',
    '← even: outer stage 1 +passed on 400, waited',
    '· write .*',
  ],
  [
    'GET /slot',
    '200 text/plain; charset=utf-8',
    ...[...IN, `${TAIL} +passed on with path "/even/4", header x-more, slot "user"`, '        → routing', ...TAKEN],
    '          → route \\* /even/\\{n:int\\}',
    '            → even: marks',
    '              · handler \\* /even/\\{n:int\\} +answered 200, synchronous: \\+ Content-Type, .*',
    '            ← even: marks +passed on 200, synchronous: \\+ X-Marked',
    '          ← route .* passed on 200, synchronous',
    '        ← routing .*',
    '      ← even: stage 1 .*',
    ...OUT,
  ],
  ['GET /catches', /^404 /, ...IN, TAIL, '        → routing', NONE, ...OUT_404],
  [
    'GET /throws',
    /^500 application\/problem\+json: The service failed/,
    ...IN,
    '      · even: stage 1 +threw Error: a secret of undefined, synchronous',
    '    ← swagger-page: swaggerPage +passed the error on, synchronous',
    '  ← problems +caught it, answered 500, synchronous: \\+ .*',
    '← .*',
    '· write .*',
    ...UNASKED,
  ],
  [
    'GET /forgets',
    /^500 /,
    ...[...IN, TAIL, '        → routing', NONE, ...OUT_404.slice(0, 2)],
    '      ← even: stage 1 +returned nothing, synchronous; refused: InvalidReply: Stage 1 of the plugin "even" returned .*',
    '    ← swagger-page: swaggerPage +passed the error on, synchronous',
    '  ← problems +caught it, answered 500, .*',
    '← .*',
    '· write .*',
  ],
  ['GET /undefined', /^500 /, ...IN, '      · even: stage 1 +threw undefined, synchronous', ...OUT, ...UNASKED],
  [
    'GET /answers',
    '200 with a body without a Content-Type',
    ...[...IN, '      · even: stage 1 +answered 200, synchronous', ...OUT, ...UNASKED],
  ],
  [
    'GET /odd',
    '400 application/problem+json: its body is not JSON',
    ...[...IN, '      · even: stage 1 .*answered 400, .*', ...OUT, ...UNASKED],
  ],
  [
    'GET /red',
    '400 application/problem+json: first second\\u001b[31m',
    ...[...IN, '      · even: stage 1 .*answered 400, .*', ...OUT, ...UNASKED],
  ],
  [
    'GET /cut',
    /^no answer: /,
    ...[
      ...IN,
      '      · even: stage 1 .*',
      ...OUT.slice(0, 3),
      '· write +nothing: the connection is closed',
      ...UNASKED,
    ],
  ],
  [
    'GET /%zz',
    '400 application/problem+json: The request path contains a percent escape that is malformed or not UTF-8',
    '· parser .*',
    '→ even: outer stage 1',
    '← even: outer stage 1 +passed on 400, waited',
    '· write +400',
    ...UNASKED,
  ],
  [
    'FOO /x',
    '501 application/problem+json: The method is not supported, or the request is not HTTP/1.1',
    '· parser  refused the request',
  ],
] as const)
  test(`explain – ${request} → every station, forward and back, ${answer}`, async () => {
    const output = await asked(...request.split(' '));
    const expected = [...lines, ''];
    for (const [at, line] of expected.entries()) assert.match(output[at] ?? 'no more', new RegExp(`^${line}$`));
    assert.equal(output.length, expected.length + 1);
    if (typeof answer === 'string') assert.equal(output.at(-1), answer);
    else assert.match(output.at(-1)!, answer);
    assert.equal(logged.splice(0).length, answer instanceof RegExp && answer.source.startsWith('^500 ') ? 1 : 0);
  });

const ODD = '→ careless: odd';
const AGAIN = '  · next called again, passed on with path "/app"';
const HEADERS = '+ Content-Type, + Content-Security-Policy, + Content-Length';
/** The lines of a request that no route matches. */
const MISSED = [
  '  → routing',
  '    · index 0 of 16 routes proposed',
  `    · unanswered ${UNANSWERED.replaceAll('\\', '')}`,
  '  ← routing passed on 404, synchronous',
];
/** The lines of a route without stages and with a synchronous handler, and the lines of the routes that were tried. */
const found = (path: string, proposed = 1, ...tried: readonly string[]): readonly string[] => [
  '  → routing',
  `    · index ${proposed} of 16 routes proposed`,
  ...(tried.length > 0 ? tried : [`    ✓ * /${path} {}`]),
  `    → route * /${path}`,
  `      · handler * /${path} answered 200, synchronous: ${HEADERS}`,
  `    ← route * /${path} passed on 200, synchronous`,
  '  ← routing passed on 200, synchronous',
];
const CALLED_TWICE = [ODD, ...MISSED, AGAIN, ...found('app')];

/** The lines from the stage `odd` to the reply, without places. */
const HAPPENED: readonly (readonly [because: string, request: string, ...lines: readonly string[]])[] = [
  [
    'each call of next has its own record',
    'GET /spa',
    ...[...CALLED_TWICE, '← careless: odd passed on 200, synchronous'],
  ],
  [
    'the first reply is that of the first call, with more headers',
    'GET /first/marked',
    ...[...CALLED_TWICE, '← careless: odd passed on 404, synchronous: + X-Marked'],
  ],
  [
    'concurrent calls are listed in their order',
    'GET /both',
    `${ODD} passed on with path "/waits"`,
    '  → routing',
    '    · index 1 of 16 routes proposed',
    '    ✓ * /waits {}',
    '    → route * /waits',
    `      · handler * /waits answered 200, waited: ${HEADERS}`,
    ...[AGAIN, ...found('app')],
    '    ← route * /waits passed on 200, waited',
    '  ← routing passed on 200, waited',
    '← careless: odd passed on 200, waited',
  ],
  [
    'a call that ends after the reply is listed after it',
    'GET /waits',
    ODD,
    '  → routing',
    '    · index 1 of 16 routes proposed',
    '    ✓ * /waits {}',
    '    → route * /waits',
    `      · handler * /waits answered 200, waited, after the reply: ${HEADERS}`,
    `← careless: odd answered 200, synchronous: ${HEADERS}`,
    '    ← route * /waits passed on 200, waited, after the reply',
    '  ← routing passed on 200, waited, after the reply',
  ],
  [
    'a call after the reply is listed after it',
    'GET /late',
    ODD,
    `← careless: odd answered 200, synchronous: ${HEADERS}`,
    '  · next called after the reply, passed on with path "/app"',
    ...found('app').map((line) => line.replace('synchronous', 'synchronous, after the reply')),
  ],
  [
    'a stage that replaces the reply of next is listed with its changes',
    'GET /ignores',
    ...[`${ODD} passed on with path "/app"`, ...found('app')],
    '← careless: odd passed on 201, synchronous: was 200, another body',
  ],
  [
    'a stage that replaces the body of the reply of next is listed with its refusal',
    'GET /length',
    ...[`${ODD} passed on with path "/app"`, ...found('app')],
    '← careless: odd passed on 200, synchronous: another body; refused: InvalidReply: The stage "odd" of the plugin "careless" ' +
      'returned a reply with the Content-Length 3 for a body of 6 bytes; leave the header out and it is added',
  ],
  [
    'a stage that catches an error is listed with its refusal',
    'GET /catches',
    `${ODD} passed on with a value that is not a context`,
    '← careless: odd caught it, answered 200, synchronous; refused: InvalidReply: The stage "odd" of the plugin "careless" returned a reply with a number as a body; give a text, bytes or a stream, or use json(…)',
  ],
  [
    'no handler is listed if a stage of the route answers',
    'GET /early',
    ...[ODD, ...found('early').slice(0, 4)],
    `      · careless: early answered 200, synchronous: ${HEADERS}`,
    ...found('early').slice(5),
    '← careless: odd passed on 200, synchronous',
  ],
  [
    'a context that is changed in place is a different context',
    'GET /header',
    ...[`${ODD} passed on with header x-more`, ...MISSED, '← careless: odd passed on 404, synchronous'],
  ],
  [
    'a later route is not tried',
    'GET /once/a',
    ODD,
    ...found('once/{n:only}', 2, '    ✓ * /once/{n:only} {"n":"a"}'),
    '← careless: odd passed on 200, synchronous',
  ],
  [
    'a route that did not match is listed with the reason',
    'GET /once/b',
    ODD,
    ...found('once/{n}', 2, '    ✗ * /once/{n:only} {n:only} rejects "b"', '    ✓ * /once/{n} {"n":"b"}'),
    '← careless: odd passed on 200, synchronous',
  ],
  [
    'a handler that returns a number is listed with its result',
    'GET /number',
    ...[ODD, ...found('number').slice(0, 4)],
    '      · handler * /number answered, synchronous; refused: ' +
      'InvalidReply: The route "number" returned a number, not a reply; wrap it in text(…) or json(…)',
    '    ← route * /number passed the error on, synchronous',
    '  ← routing passed the error on, synchronous',
    '← careless: odd passed the error on, synchronous',
  ],
  [
    'a mounted stage is listed with the path below its prefix',
    'GET /tools/moved',
    ...[ODD, '  → tools/mine: below passed on with path "/here"'],
    ...found('tools/here').map((line) => `  ${line}`),
    '  ← tools/mine: below passed on 200, synchronous',
    '← careless: odd passed on 200, synchronous',
  ],
];
const CARELESS = ['--plugin', `${join(careless, 'careless.js')},${join(careless, 'below.js')}`];
for (const [because, request, ...expected] of HAPPENED)
  test(`explain – ${request} → the recorded calls: ${because}`, async () => {
    const lines = (await explained([...request.split(' '), ...CARELESS])).split('\n');
    logged.splice(0);
    const from = lines.findIndex((line) => line.includes('→ careless: odd'));
    const indent = lines[from]!.search(/\S/);
    const own = lines
      .slice(from)
      .filter((line) => line.search(/\S/) >= indent)
      .map((line) => line.slice(indent))
      .map((line) => /^ */.exec(line)![0] + line.trim().replaceAll(/ +/g, ' '));
    assert.deepEqual(own, expected);
  });

test('explain – a mounted stage → listed with its path and base path', async () => {
  const { recording } = JSON.parse(await explained(['GET', '/tools/here', '--json', ...CARELESS]));
  let station = recording.stations[0];
  while (station.label !== 'tools/mine: below') station = station.stations[0];
  assert.deepEqual([station.given.path, station.given.basePath], ['/here', '/tools']);
});

test('explain – next fails and its promise is ignored → logged as in the service, and listed', () => {
  const { status, stdout, stderr } = runProgram('explain', 'GET', '/fails', ...CARELESS);
  assert.match(stderr, /^\{.*"error":"Error: nobody waits for it".*\}\n$/);
  assert.match(stdout, /· handler \* \/fails +threw Error: nobody waits for it, waited, after the reply\n/);
  assert.match(stdout, /\n200 text\/plain; charset=utf-8\n$/);
  assert.equal(status, 0);
});

test('explain – a stage passes on a foreign context → the stage threw the error, and no later station is listed', async () => {
  const lines = await asked('GET', '/moved');
  const from = lines.findIndex((line) => line.includes('→ even: stage 1'));
  assert.match(lines[from]!, /passed on with path "\/api\/todo"$/);
  assert.match(lines[from + 1]!, /← even: stage 1 +threw TypeError: Cannot ask the stage "routing": /);
  assert.match(lines.at(-1)!, /^500 /);
  assert.equal(logged.splice(0).length, 1);
});

test('explain – --times, a base path and a plugin of the environment → used as in the service', async () => {
  const args = ['get', '/todo/api/todo?x=1', '--times', '--base-path', '/todo'];
  const lines = (await explained(args, { TODO_PLUGIN: PLUGIN[1] })).split('\n');
  assert.match(lines.find((line) => line.startsWith('← even: outer stage 1'))!, /passed on 200, waited, \d+ µs$/);
  assert.match(lines.find((line) => line.startsWith('· write'))!, /, \d+ µs after the first stage$/);
  assert.equal(lines.at(-1), '200 application/json');
});

test('explain – a service with the trace plugin → explained like any other service, not 500', async () => {
  const text = await explain(['POST', '/api/todo', '-d', '{"name":"a"}', '--trace', 'any'], {});
  assert.match(text, /\n201 /);
});

test('explain – a body from a file, with headers → sent with the request', async () => {
  assert.equal(
    (await asked('POST', '/api/todo', '-d', `@${join(folder, 'item.json')}`)).at(-1),
    '201 application/json',
  );
  const sent = ['--data', '{}', '-H', 'content-type: text/plain', '--header', 'Host: a.example'];
  assert.match((await asked('POST', '/api/todo', ...sent)).at(-1)!, /^415 /);
  assert.match((await asked('GET', '/api/todo', '-H', 'If-None-Match: *')).at(-1)!, /^304 /);
  assert.match((await asked('POST', '/api/todo', '-d', '{}', '-H', 'Transfer-Encoding: chunked')).at(-1)!, /^201 /);
});

test('explain – --json → the record with the input and result of each station, without credentials under their names', async () => {
  const header = 'Authorization: Bearer very-private';
  const text = (await asked('GET', '/throws', '--json', '-H', header, '-H', 'Cookie: session=also-private')).join('\n');
  logged.splice(0);
  const { recording, answer } = JSON.parse(text);
  assert.deepEqual(
    recording.headers.filter(([name]: string[]) => /authorization|cookie/i.test(name!)),
    [
      ['authorization', '(hidden)'],
      ['cookie', '(hidden)'],
    ],
  );
  const problems = recording.stations[0].stations[0];
  assert.equal(problems.label, 'problems');
  assert.equal(problems.given.path, '/throws');
  assert.equal(problems.reply.status, 500);
  assert.equal(problems.error, 'Error: a secret of Bearer very-private');
  assert.match(answer, /^500 /);
});

/** Arguments, and the lines of the output: the routes that were tried, an empty line, and the link. */
for (const [args, ...lines] of [
  ['--link ApiTodoByIdGet id=5', '✓ GET  /api/todo/{id}  ApiTodoByIdGet  /api/todo/5', '', 'link: /api/todo/5'],
  [
    '--link ApiTodoByIdGet x=1 id=',
    '✗ GET  /api/todo/{id}  ApiTodoByIdGet  {id} has no value',
    '',
    'No route makes a link from these values.',
  ],
  [
    '--link id=5 x=1 --base-path /todo',
    '✓ GET  /api/todo  ApiTodoGet  /api/todo?id=5&x=1',
    '',
    'link: /todo/api/todo?id=5&x=1',
  ],
  [
    `${join(careless, 'linked.js')} --link x=1`,
    '✗ *  /a/{id}  one  {id} has no value',
    '✓ *  /b       two  /b?x=1',
    '',
    'link: /b?x=1',
  ],
] as const)
  test(`explain – ${args} → the routes that were tried, and ${lines.at(-1)}`, async () => {
    assert.deepEqual((await explained(args.split(' '))).split('\n'), lines);
  });

test('explain – --link --json → the link and the routes as data', async () => {
  const { link, routes } = JSON.parse(await explained(['--link', 'ApiTodoByIdGet', 'id=a b', '--json']));
  assert.equal(link, '/api/todo/a%20b');
  assert.deepEqual(
    routes.filter(({ taken }: { readonly taken: boolean }) => taken).map(({ name }: { readonly name: string }) => name),
    ['ApiTodoByIdGet'],
  );
});

const METHODLESS = 'it does not begin with a method; give a method and a path, then flags';
const URL_PATH = 'it has a whole URL; give its path alone';
const UNSENT = 'its path has a character that a request cannot contain; percent-encode it';
const SLASHLESS = 'its path does not begin with a slash; add one';
/** Arguments, the part that the message quotes, and the reason why they are not a request. */
const NO_REQUEST: readonly (readonly [args: string, asked: string, fault: string])[] = [
  ['', 'a request', 'there is no request; give a method and a path'],
  ['GET', '"GET"', 'it has no path; give a path after the method'],
  ['GET --times', '"GET"', 'it has no path; give a path after the method'],
  ['/api/todo', '"/api/todo"', METHODLESS],
  ['--base-path /x GET /', 'a request', 'there is no request; give a method and a path'],
  ['GET api/todo', '"GET api/todo"', SLASHLESS],
  ['GET ', '"GET "', SLASHLESS],
  ['GET http://localhost:8080/api/todo', '"GET http://localhost:8080/api/todo"', URL_PATH],
  ['GET redis://u:s3cret@h', '"GET redis://…"', URL_PATH],
  ['GET HTTPS://x', '"GET HTTPS://x"', URL_PATH],
  ['GET --port 1', '"GET"', 'it has no path; give a path after the method'],
  ['GET /ä', '"GET /ä"', UNSENT],
  ['CONNECT /x', '"CONNECT /x"', 'CONNECT requests do not have a path; give another method'],
  ['GET / x', '"GET /"', '"x" follows it; give a body as -d, a header as -H, then flags'],
  ['OPTIONS *', '"OPTIONS *"', 'it has no path; the service answers OPTIONS only for paths'],
];
const NO_FILE = 'ENOENT; give -d @FILE with a file that exists';
const GIVE_HEADER = 'give -H "Name: value"';
const AS_IN = 'as in todo-item-service explain';
for (const [args, says] of [
  ...NO_REQUEST.map(
    ([args, asked, fault]) =>
      [args === '' ? [] : args.split(' '), `Cannot explain ${asked}: ${fault}, ${AS_IN} GET /api/todo/42`] as const,
  ),
  [['GET', '/a b'], `Cannot explain "GET /a b": ${UNSENT}, ${AS_IN} GET /api/todo/42`],
  [['GET', '/', '-d', '1', '-d', '2'], 'Cannot send two bodies: -d is used twice; give it once'],
  [
    ['--link', 'id=5', '--times'],
    'Cannot explain a link with -d, -H or --times: they belong to a request; leave them out',
  ],
  [
    ['GET', '/', '-d'],
    "Cannot read the arguments: Option '-d, --data <value>' argument missing; explain --help lists the options",
  ],
  [['GET', '/', '-d', '@/nowhere'], `Cannot read the body from "/nowhere": ${NO_FILE}`],
  [['GET', '/', '-d', '@u:s3cret@h'], `Cannot read the body from "…@h": ${NO_FILE}`],
  [['GET', '/', '-H', 'x'], `Cannot send the header "x": it has no name with a colon after it; ${GIVE_HEADER}`],
  [
    ['GET', '/', '-H', 'a b: c'],
    `Cannot send the header "a b: c": Headers.append: "a b" is an invalid header name.; ${GIVE_HEADER}`,
  ],
  [
    ['--link', 'ApiTodoByIdGt', 'id=5'],
    'Cannot explain a link to "ApiTodoByIdGt": no route has this name (did you mean ApiTodoByIdGet?); give one of ' +
      'ApiTodoGet, ApiTodoByIdGet, ApiTodoPost, ApiTodoByIdPut, ApiTodoByIdPatch, ApiTodoByIdDelete',
  ],
  [
    ['--link', 'ApiTodoByIdGet', '5'],
    `Cannot explain a link with "5": it is not a value; give name=text, ${AS_IN} --link ApiTodoByIdGet id=5`,
  ],
] as const)
  test(`explain – ${JSON.stringify(args)} → the error names the remedy`, () =>
    assert.rejects(explained(args), new SettingsError(says)));

test('explain – an unknown flag of the service → the same error as in the service', () =>
  assert.rejects(
    explained(['GET', '/', '--prot', '1']),
    /^SettingsError: Cannot use the flag "--prot": .*did you mean --port/,
  ));

test('explain – --help, -h → the usage with an example, on standard output, exit code 0', async () => {
  const { status, stdout, stderr } = runProgram('explain', 'GET', '--help');
  assert.match(
    stdout,
    /^Usage: todo-item-service explain \[FILE\] METHOD PATH .*\n[^]*Examples: todo-item-service explain GET \/api\/todo\/42\n/,
  );
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(`${await explained(['GET', '-h'])}\n`, stdout);
});

test('explain – no request → one line on standard error, exit code 2', () => {
  const { status, stdout, stderr } = runProgram('explain', 'GET', 'api/todo');
  assert.match(stderr, /^Cannot explain "GET api\/todo": .*\n$/);
  assert.deepEqual([status, stdout], [2, '']);
});
