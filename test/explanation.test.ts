/** Tests the text of `npm run explain`, for requests and for arguments that are no request. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { explain } from '../src/explanation.ts';
import { SettingsError } from '../src/settings/settings.ts';
import { logged } from './support/serve.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const folder = temporaryFolder({
  'package.json': '{"type":"module"}',
  'even.js': `export default { name: "even",
    outerStages: [async (context, next) => next(context)],
    stages: [(context, next) => {
      switch (context.path) {
        case "/throws": throw new Error("a secret");
        case "/answers": return { status: 200, headers: {}, body: "here" };
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
const PLUGIN = ['--plugin', join(folder, 'even.js')];
const asked = async (...args: readonly string[]): Promise<string[]> => (await explain(args, {})).split('\n');

/** The lines of the stages, a line of the routes, and the reply. */
const EXPLAINED: readonly (readonly [
  target: string,
  stages: readonly string[],
  routes: RegExp,
  answer: string | RegExp,
])[] = [
  [
    'GET /api/todo',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: passed on',
      'routing: answered',
    ],
    /^✓ GET +api\/todo +\{\}$/,
    '200 application/json',
  ],
  [
    'GET /api/todo/x7',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: passed on',
      'routing: answered',
    ],
    /^✗ GET /,
    '404 application/problem+json: No item has the key "x7"',
  ],
  [
    'HEAD /nowhere',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: passed on',
      'routing: passed on',
    ],
    /^✗ GET /,
    '404 application/problem+json',
  ],
  [
    'POST /api/todo',
    [
      'even: outer stage 1: passed on',
      'problems: caught an error, answered 400',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: passed on',
      'routing: threw',
    ],
    /^✗ GET /,
    /^400 application\/problem\+json: The request has no body/,
  ],
  [
    'GET /throws',
    [
      'even: outer stage 1: passed on',
      'problems: caught an error, answered 500',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: threw',
    ],
    /^The routes were not asked\. /,
    /^500 application\/problem\+json: The service failed/,
  ],
  [
    'GET /answers',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: answered',
    ],
    /^The routes were not asked\. /,
    '200 without a body',
  ],
  [
    'GET /moved',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: passed on',
      'routing: answered',
    ],
    /^✓ GET +api\/todo +\{\}$/,
    '200 application/json',
  ],
  [
    'GET /odd',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: answered',
    ],
    /^The routes were not asked\. /,
    '400 application/problem+json: its body is no JSON',
  ],
  [
    'GET /red',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: answered',
    ],
    /^The routes were not asked\. /,
    '400 application/problem+json: first second\\u001b[31m',
  ],
  [
    'GET /cut',
    [
      'even: outer stage 1: passed on',
      'problems: passed on',
      'swagger-page: swaggerPage: passed on',
      'even: stage 1: answered',
    ],
    /^The routes were not asked\. /,
    /^no answer: /,
  ],
  [
    'GET /%zz',
    ['even: outer stage 1: passed on'],
    /^The request was refused before the routes were asked\.$/,
    '400 application/problem+json: The request path contains a percent escape that is malformed or not UTF-8',
  ],
  [
    'FOO /x',
    [],
    /^The request was refused before the routes were asked\.$/,
    '501 application/problem+json: The method FOO is not known here',
  ],
];
for (const [request, stages, routes, answer] of EXPLAINED) {
  test(`explain – ${request} → ${stages.at(-1) ?? 'no stage'}, ${answer}`, async () => {
    const lines = await asked(...request.split(' '), ...PLUGIN);
    assert.deepEqual(
      lines.slice(0, stages.length).map((line) => line.replace(/ {2,}/g, ': ')),
      stages,
    );
    assert.match(lines[stages.length === 0 ? 0 : stages.length + 1]!, routes);
    if (typeof answer === 'string') assert.equal(lines.at(-1), answer);
    else assert.match(lines.at(-1)!, answer);
    assert.equal(logged.splice(0).length, request === 'GET /throws' ? 1 : 0);
  });
}

test('explain – --times, a base path and a plugin of the environment → as the service would have them', async () => {
  const lines = (
    await explain(['get', '/todo/api/todo?x=1', '--times', '--base-path', '/todo'], { PLUGIN: PLUGIN[1] })
  ).split('\n');
  assert.match(lines[0]!, /^even: outer stage 1 {8}passed on {2}\d+\.\d{3} ms$/);
  assert.equal(lines.at(-1), '200 application/json');
});

const REFUSED: readonly (readonly [args: readonly string[], says: string])[] = [
  [[], 'Cannot explain a request: none was given; give a method and a path'],
  [['GET'], 'Cannot explain "GET": it has no path; give one behind the method'],
  [['/api/todo'], 'Cannot explain "/api/todo": it does not begin with a method; give one and a path, then flags'],
  [
    ['--base-path', '/x', 'GET', '/'],
    'Cannot explain "--base-path /x": it does not begin with a method; give one and a path, then flags',
  ],
  [['GET', 'api/todo'], 'Cannot explain "GET api/todo": its path does not begin with a slash; put one in front'],
  [['GET', ''], 'Cannot explain "GET ": its path does not begin with a slash; put one in front'],
  [
    ['GET', 'http://localhost:8080/api/todo'],
    'Cannot explain "GET http://localhost:8080/api/todo": it has a whole URL; give its path alone',
  ],
  [['GET', 'HTTPS://x'], 'Cannot explain "GET HTTPS://x": it has a whole URL; give its path alone'],
  [['GET', '--times'], 'Cannot explain "GET --times": its path is missing; give it before the flags'],
  [['GET', '/a b'], 'Cannot explain "GET /a b": its path has a character that no request carries; percent-encode it'],
  [['GET', '/ä'], 'Cannot explain "GET /ä": its path has a character that no request carries; percent-encode it'],
  [['CONNECT', '/x'], 'Cannot explain "CONNECT /x": CONNECT asks for no path; give another method'],
];
for (const [args, says] of REFUSED) {
  test(`explain – ${JSON.stringify(args)} → says what it wants, with an example`, async () => {
    await assert.rejects(explain(args, {}), (error: unknown) => {
      assert.ok(error instanceof SettingsError);
      assert.deepEqual(error.lines, [`${says}, as in npm run explain -- GET /api/todo/42`]);
      return true;
    });
  });
}

test('explain – a wrong flag of the service → said as the service says it', async () => {
  await assert.rejects(
    explain(['GET', '/', '--prot', '1'], {}),
    /^SettingsError: Cannot use the flag "--prot": .*did you mean --port/,
  );
});

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'src/explain.ts', ...args], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    encoding: 'utf8',
    timeout: 20_000,
  });

for (const flag of ['--help', '-h']) {
  test(`explain – ${flag} → what it wants with an example, on standard output, exit code 0`, () => {
    const { status, stdout, stderr } = run('GET', flag);
    assert.match(
      stdout,
      /^Usage: npm run explain -- METHOD PATH .*\n[^]*Example: npm run explain -- GET \/api\/todo\/42\n$/,
    );
    assert.deepEqual([status, stderr], [0, '']);
  });
}

test('explain – no request → one line on standard error, exit code 2', () => {
  const { status, stdout, stderr } = run('GET', 'api/todo');
  assert.match(stderr, /^Cannot explain "GET api\/todo": .*\n$/);
  assert.deepEqual([status, stdout], [2, '']);
});
