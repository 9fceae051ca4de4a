/**
 * Tests `tiny.ts` and the steps to the real core: each attack succeeds without its step, and fails with the step and
 * against the real core.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HttpService } from '../../../src/extending.ts';
import { application, type Plugin, route } from '../../../src/index.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { allowedMethods } from '../../../src/shelf/methods/methods.ts';
import { filesIn, ROOT, textOf } from '../../house/source-files.ts';
import { Client } from '../../support/ask.ts';
import { SOURCE_LOADER } from '../../support/program.ts';
import { logged, serveService } from '../../support/serve.ts';
import { type Context, text, service as tiny, todo as tinyTodo } from '../tiny.ts';
import {
  crowd,
  escapedPath,
  followedLocation,
  halfClose,
  otherMethod,
  overtaking,
  slowBody,
  thrownString,
  twoHosts,
  wrongLength,
} from './attacks.ts';
import { mistakes } from './mistakes.ts';
import { created, notebook } from './notes.ts';
import { LAST_STEP, serverOf } from './serve.ts';
import { collection } from './step-8-collection.ts';
import { linkedCollection, type NamedRoute } from './step-9-link.ts';

const TIMEOUT = 20_000;
/** The time that the steps give a body, in milliseconds. */
const BODY_TIME = 200;
/** The time that an attack waits for its refusal, in milliseconds. */
const PATIENCE = 15_000;

/**
 * The result of an attack without its step, with the step, and against the real core if that differs. `log` is the log
 * with the step and of the real core.
 */
type Case = readonly [
  step: number,
  attack: string,
  run: (port: number, patience: number) => Promise<string>,
  before: string,
  after: string,
  more?: { readonly core?: string; readonly log?: RegExp },
];

const CASES: readonly Case[] = [
  [1, 'a thrown string', thrownString, 'cut; another client: cut', '500; another client: 200', { log: /out of stock/ }],
  [
    2,
    'a wrong length',
    wrongLength,
    'the next reply is forged',
    '500',
    { log: /Content-Length \d+ for a body of \d+ bytes/ },
  ],
  [3, 'two Host lines', twoHosts, 'the page for administrators', '400'],
  [
    4,
    'a POST and a GET in one packet',
    overtaking,
    '201, then a list without the new item',
    '201, then a list with the new item',
  ],
  [4, 'a thousand requests in one packet', crowd, 'hundreds at the same time', 'cut', { core: 'one at a time' }],
  [5, 'a slow body', slowBody, 'the connection is held', '408, the end'],
  [6, 'an order and a half-close', halfClose, '1 order, no reply', '1 order, 201'],
  [
    7,
    'an escape and a period',
    escapedPath,
    'the note: 404; an unknown path: 200',
    'the note: 200; an unknown path: 404',
  ],
  [
    8,
    'a method that the path does not take',
    otherMethod,
    '404',
    '405, Allow: GET',
    { core: '405, Allow: GET, HEAD, OPTIONS' },
  ],
  [9, 'a title with a slash, and its Location', followedLocation, '201, then 404', '201, then 200'],
];

for (const [step, attack, run, before, after, { core = after, log } = {}] of CASES) {
  // The last step withstands all attacks, so no step undoes an earlier step.
  for (const number of new Set([0, step - 1, step, LAST_STEP])) {
    const expected = number < step ? before : after;
    test(`lessons – step ${step}, ${attack} against ${number === 0 ? 'tiny.ts' : `step ${number}`} → ${expected}`, {
      timeout: TIMEOUT,
    }, async (t) => {
      const { port, exitCode } = run === thrownString && number === 0 ? await apart(t) : await inside(t, number);
      assert.equal(await run(port, number < step ? 5 * BODY_TIME : PATIENCE), expected);
      if (exitCode !== undefined) assert.equal(await exitCode, 1, 'the process has ended');
      if (log !== undefined && number >= step) assert.match(logged.splice(0).join(), log);
    });
  }

  test(`lessons – step ${step}, ${attack} against the real core → ${core}`, { timeout: TIMEOUT }, async (t) => {
    const { port } = await realCore(t);
    assert.equal(await run(port, PATIENCE), core);
    if (log !== undefined) assert.match(logged.splice(0).join(), log);
  });
}

interface Served {
  readonly port: number;
  /** Of a separate process. */
  readonly exitCode?: Promise<number | null>;
}

/** Serves a step in this process. */
async function inside(t: TestContext, step: number): Promise<Served> {
  return listening(t, serverOf(step, BODY_TIME));
}

async function listening(t: TestContext, server: Server): Promise<Served> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    // The steps also log clients that leave.
    await setImmediate();
    logged.splice(0);
  });
  return { port: (server.address() as AddressInfo).port };
}

/** Serves `tiny.ts` in a separate process, for the attack that ends the process. */
async function apart(t: TestContext): Promise<Served> {
  const child = spawn(process.execPath, [...SOURCE_LOADER, 'test/lessons/steps/serve.ts', '0', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exitCode = once(child, 'exit').then(([code]) => code as number | null);
  const [line] = await once(child.stdout, 'data');
  return { port: Number(/:(\d+)\//.exec(String(line))![1]), exitCode };
}

/** The routes of `notes.ts`, written for the real core. */
function notes(): Plugin {
  const { titles, read, add } = notebook();
  return {
    name: 'notes',
    routes: [
      route({ method: 'GET', path: 'notes.txt', handle: titles }),
      route({ method: 'GET', path: 'notes/{title}', name: 'note', handle: ({ values }) => read(values.title) }),
      route({
        method: 'POST',
        path: 'notes',
        handle: async ({ context, link }) => created(link('note', { title: await add(context) })!),
      }),
    ],
  };
}

async function realCore(t: TestContext): Promise<Served> {
  const mistaken: Plugin = {
    name: 'mistakes',
    stages: [
      function mistaken(context, next) {
        return (mistakes[context.path] ?? next)(context);
      },
    ],
  };
  // Node checks the time of a request once a second.
  const limits = { headTimeout: BODY_TIME, requestTimeout: BODY_TIME };
  const app = application([mistaken, notes(), todo(), allowedMethods()]);
  await app.start();
  return serveService(t, new HttpService(app, { limits }));
}

test('lessons – tiny.ts → at most sixty lines', () => {
  const lines = textOf('test/lessons/tiny.ts').trimEnd().split('\n').length;
  assert.ok(lines <= 60, `${lines} lines`);
});

test('lessons – tiny.ts, GET, POST and a path without a route → 200, 201, 404', { timeout: TIMEOUT }, async (t) => {
  const { port } = await listening(t, tiny(tinyTodo()));
  const item = { key: '1', name: 'Item1' };
  const added = { key: '2', name: 'Wash the dog' };
  const client = new Client(port);
  for (const [question, status, body] of [
    [{ target: '/api/todo' }, 200, [item]],
    [{ method: 'POST', target: '/api/todo', body: JSON.stringify({ name: 'Wash the dog' }) }, 201, added],
    [{ target: '/api/todo?all' }, 200, [item, added]],
    [{ target: '/api/todo/2' }, 200, added],
  ] as const) {
    const answer = await client.ask(question);
    assert.equal(answer.status, status);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.deepEqual(answer.json(), body);
  }
  for (const question of [
    { target: '/api/todo/3' },
    { target: '/api/todo/1/2' },
    { target: '/' },
    { method: 'DELETE', target: '/api/todo/1' },
  ])
    assert.equal((await client.ask(question)).status, 404);
  client.destroy();
});

test('lessons – step 8, a duplicate route → an error that names the route', () => {
  const handle = () => text('');
  const twice = ['/notes/{title}', '/Notes/{title}'].map((template) => ({ method: 'GET', template, handle }));
  assert.throws(() => collection(twice), /^SyntaxError: The route GET \/notes\/\{title\} exists twice/);
});

test('lessons – step 9, a link to an unknown route or without a value → an error that names it', async () => {
  for (const [name, values, expected] of [
    ['other', {}, /no route with the name other/],
    ['note', {}, /needs a value for title/],
    ['note', { title: '' }, /needs a value for title/],
  ] as const) {
    const handle: NamedRoute['handle'] = (_, __, link) => text(link(name, values));
    const stage = linkedCollection([{ method: 'GET', template: '/notes/{title}', name: 'note', handle }]);
    assert.throws(() => stage({ method: 'GET', path: '/notes/a' } as Context, () => text('')), expected);
  }
});

test('lessons – every file of src that the steps name → exists', () => {
  const pages = filesIn('test/lessons').filter((path) => /steps\/.*\.(?:ts|md)$|teacher\.md$/.test(path));
  const named = pages.flatMap((path) => [...textOf(path).matchAll(/src\/[\w/-]+\.ts/g)].map(([file]) => file));
  assert.ok(named.length >= 12, named.join(', '));
  assert.deepEqual(
    named.filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});

test('lessons – step 10 → quotes lines of tiny.ts, and names functions that their files have', () => {
  const page = 'test/lessons/steps/step-10-the-real-core.md';
  const rows = [...textOf(page).matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
  assert.ok(rows.length > 10);
  for (const [, line, places] of rows) {
    assert.ok(textOf('test/lessons/tiny.ts').includes(line!), line);
    for (const [, names, path] of places!.matchAll(/((?:`\w+`(?:, )?)+) in \[[^\]]+\]\(([^)]+)\)/g))
      for (const [, name] of names!.matchAll(/`(\w+)`/g))
        assert.match(textOf(join('test/lessons/steps', path!)), new RegExp(`\\b${name}\\b`), `${name} in ${path}`);
  }
});

test('lessons – send.ts, lines and the end of its side → prints the reply of the server', {
  timeout: TIMEOUT,
}, async (t) => {
  const { port } = await listening(t, tiny(tinyTodo()));
  const lines = ['GET /api/todo/1 HTTP/1.1', 'Host: a', ''];
  const args = ['--import', 'tsx', 'test/lessons/steps/send.ts', '--end', '--port', String(port), ...lines];
  const sent = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  assert.match(await textFrom(sent.stdout), /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{"key":"1","name":"Item1"\}$/);
});
