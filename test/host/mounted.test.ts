/** A plugin under a prefix (plugins). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../src/host/application.ts';
import { mounted } from '../../src/host/mounted.ts';
import type { Plugin } from '../../src/host/plugin.ts';
import { inject } from '../../src/http/inject.ts';
import { contextWith } from '../../src/http/message/context-with.ts';
import { json, text } from '../../src/http/message/replies.ts';
import { HttpService } from '../../src/http/service.ts';
import { route } from '../../src/routing/route/route.ts';
import { todo } from '../../src/todo/todo.ts';
import { testContext } from '../support/test-context.ts';

const telling: Plugin = {
  name: 'telling',
  stages: [
    function telling(context, next) {
      const { path, basePath, segments, method, requestId } = context;
      return path === '/pass'
        ? next(context)
        : path === '/changed'
          ? next(contextWith(context, { path: '/else' }))
          : json({ path, basePath, segments, method, requestId });
    },
  ],
  routes: [route({ path: 'hello/{name}', handle: ({ values }) => text(`Hello ${values.name}`) })],
};

const handler = application([
  mounted('/tools/clock/', telling),
  { name: 'after', routes: [route({ path: '{*rest}', handle: ({ context: { path } }) => text(`after ${path}`) })] },
]).handler;
const bodyOf = async (path: string): Promise<string> => (await handler(testContext(path))).body as string;

for (const [question, path, answer] of [
  [
    'below the prefix',
    '/tools/clock/a/b',
    '{"path":"/a/b","basePath":"/tools/clock","segments":["a","b"],"method":"GET","requestId":"test"}',
  ],
  [
    'the prefix itself',
    '/tools/clock',
    '{"path":"/","basePath":"/tools/clock","segments":[],"method":"GET","requestId":"test"}',
  ],
  [
    'the prefix in another case',
    '/TOOLS/Clock/A',
    '{"path":"/A","basePath":"/tools/clock","segments":["A"],"method":"GET","requestId":"test"}',
  ],
  [
    'the prefix with an escape, as routes take it too',
    '/%74ools/clock/a',
    '{"path":"/a","basePath":"/tools/clock","segments":["a"],"method":"GET","requestId":"test"}',
  ],
  ['what only begins like the prefix', '/tools/clocks', 'after /tools/clocks'],
  ['outside', '/a', 'after /a'],
  ['what the stage passes on', '/tools/clock/pass', 'after /tools/clock/pass'],
  ['a copy that the stage passes on', '/tools/clock/changed', 'after /tools/clock/else'],
  ['a copy of the prefix in another case', '/TOOLS/%63lock/changed', 'after /TOOLS/%63lock/else'],
] as const) {
  test(`plugins – a mounted stage, ${question} → ${answer.slice(0, 60)}`, async () => {
    assert.equal(await bodyOf(path), answer);
  });
}

test('plugins – a mounted route → below the prefix alone', async () => {
  const routed = application([
    mounted('tools', {
      name: 'a',
      routes: [route({ path: 'hello/{name}', handle: ({ values }) => text(`Hello ${values.name}`) })],
    }),
  ]).handler;
  assert.equal((await routed(testContext('/tools/hello/you'))).body, 'Hello you');
  assert.equal((await routed(testContext('/hello/you'))).status, 404);
});

test('D7 – the items mounted → all operations below the prefix, Location too; twice under two prefixes → two lists', async () => {
  const { handler: both } = application([mounted('one', todo()), { ...mounted('two/deep', todo()), name: 'todo two' }]);
  const { server } = new HttpService(both, { basePath: '/base' });
  const posted = await inject(server, {
    method: 'POST',
    path: '/two/deep/api/todo',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"New"}',
  });
  assert.equal(posted.status, 201, posted.body);
  assert.equal(posted.headers.location, `/base/two/deep/api/todo/${JSON.parse(posted.body).key}`);
  assert.equal((await inject(server, { path: posted.headers.location! })).body, posted.body);
  assert.equal(JSON.parse((await inject(server, { path: '/one/api/todo' })).body).length, 1);
  assert.equal(JSON.parse((await inject(server, { path: '/two/deep/api/todo' })).body).length, 2);
});

test('D7 – the items mounted in something mounted → Location below both prefixes', async () => {
  const { server } = new HttpService(application([mounted('a', mounted('b', todo()))]).handler);
  const posted = await inject(server, {
    method: 'POST',
    path: '/a/b/api/todo',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"New"}',
  });
  assert.equal(posted.headers.location, `/a/b/api/todo/${JSON.parse(posted.body).key}`);
});

test('plugins – start and stop of a mounted plugin → called, with their own plugin as this', async () => {
  const notes: string[] = [];
  class Counting implements Plugin {
    readonly name = 'counting';
    start(): void {
      notes.push(`start ${this.name}`);
    }
    stop(): void {
      notes.push(`stop ${this.name}`);
    }
  }
  const composed = application([mounted('x', new Counting())]);
  await composed.start();
  await composed.stop();
  assert.deepEqual(notes, ['start counting', 'stop counting']);
});

for (const prefix of ['', '/', '{id}', 'a?b', 'a//b', 'a%20b', 'a#b']) {
  test(`plugins – mounted at ${JSON.stringify(prefix)} → refused, plugin and prefix are told`, () => {
    assert.throws(
      () => mounted(prefix, telling),
      (error: Error) =>
        error instanceof SyntaxError && error.message.includes('"telling"') && error.message.includes(`"${prefix}"`),
    );
  });
}
