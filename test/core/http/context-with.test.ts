/** Copies of a context (D46): their members, shared values and errors, as a function and in the running service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { type ContextChanges, contextWith } from '../../../src/core/http/context-with.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import type { Reply } from '../../../src/core/http/reply.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { contextFor } from '../../../src/testing.ts';

const asked = (): Context =>
  contextFor('/a%20b/c?x=1', { method: 'POST', headers: { 'X-A': 'b', 'X-Request-Id': 'id' }, body: 'four' });
const membersOf = async (context: Context) => ({
  method: context.method,
  path: context.path,
  basePath: context.basePath,
  segments: context.segments,
  query: [...context.query],
  header: context.headers['x-a'],
  requestId: context.requestId,
  body: Buffer.from(await context.body()).toString(),
});
const ORIGINAL = {
  method: 'POST',
  path: '/a%20b/c',
  basePath: '',
  segments: ['a b', 'c'],
  query: [['x', '1']],
  header: 'b',
  requestId: 'id',
  body: 'four',
};

for (const [what, changes, differs] of [
  ['nothing', {}, {}],
  ['the path', { path: '/d%2Fe/f/' }, { path: '/d%2Fe/f/', segments: ['d/e', 'f'] }],
  ['the path to the root', { path: '/' }, { path: '/', segments: [] }],
  ['the method', { method: 'GET' }, { method: 'GET' }],
  ['the base path', { basePath: '/todo' }, { basePath: '/todo' }],
  ['the query', { query: new URLSearchParams('y=2') }, { query: [['y', '2']] }],
  ['the headers', { headers: { 'x-a': 'c' } }, { header: 'c' }],
  ['the request id', { requestId: 'other' }, { requestId: 'other' }],
  ['the body', { body: () => Promise.resolve(Buffer.from('five')) }, { body: 'five' }],
] as const)
  test(`D46 – a copy that changes ${what} → dependent members change too, the original does not`, async () => {
    const context = asked();
    const copy = contextWith(contextWith(context, {}), changes);
    assert.deepEqual(await membersOf(copy), { ...ORIGINAL, ...differs });
    assert.equal(copy.request, context.request);
    assert.deepEqual(
      { ...(await membersOf(contextWith(context, { body: async () => Buffer.from('four') }))) },
      ORIGINAL,
    );
  });

for (const [what, changes, says] of [
  [
    'a path without a slash',
    { path: 'a' },
    /Cannot change the path of a context to "a": it does not begin with a slash/,
  ],
  ['a path with a query', { path: '/a?b' }, /it has a query or a fragment/],
  ['a path with a broken escape', { path: '/%zz' }, /a percent escape that is malformed/],
  ['the segments', { segments: ['a'] }, /Cannot copy a context with the option "segments": .* use one of method, path/],
] as const)
  test(`D46 – a copy that changes ${what} → a TypeError`, () =>
    assert.throws(() => contextWith(asked(), changes as ContextChanges), { name: 'TypeError', message: says }));

for (const [target, options, status] of [
  ['/%zz', {}, 400],
  ['a', {}, 400],
  ['/', { headers: { Host: 'a b' } }, 400],
  [`/${'x'.repeat(3000)}`, {}, 414],
] as const)
  test(`contextFor – ${target.slice(0, 20)} ${JSON.stringify(options)} → an HttpProblem, ${status}`, () =>
    assert.throws(
      () => contextFor(target, options),
      (error) => error instanceof HttpProblem && error.status === status,
    ));

test('contextFor – a target below a base path → the same context as of the server', () => {
  const { path, basePath, segments } = contextFor('/TODO/a/./b?c', { basePath: '/todo' });
  assert.deepEqual([path, basePath, segments], ['/a/b', '/todo', ['a', 'b']]);
});

for (const [target, path, query] of [
  ['/José', '/Jos%C3%A9', ''],
  ['/日本', '/%E6%97%A5%E6%9C%AC', ''],
  ['/a b?q=ü ß', '/a%20b', 'ü ß'],
  ['http://localhost/é', '/%C3%A9', ''],
] as const)
  test(`contextFor – ${target} → the path is encoded as by app.request`, () => {
    const context = contextFor(target);
    assert.deepEqual([context.path, context.query.get('q') ?? ''], [path, query]);
  });

/** A stage that rewrites a path. A stage in JavaScript may pass on a spread. */
const rewrite: Stage = (context, next) =>
  context.path.startsWith('/old') ? next(contextWith(context, { path: context.path.slice(4) || '/' })) : next(context);
const spread = ((context: Context, next: (context: object) => Reply) =>
  next(context.path === '/spread' ? { ...context, path: '/api/todo' } : context)) as Stage;
const rewriting: readonly Plugin[] = [
  { name: 'rewriting', stages: [rewrite] },
  { name: 'spreading', stages: [spread] },
  todo(),
];

test('D46 – a stage passes a copy on, in the whole application → routes, bodies and links work', async () => {
  const { request } = application(rewriting);
  const posted = await request('/old/api/todo', { method: 'POST', json: { name: 'New' } });
  assert.equal(posted.status, 201);
  const headers = { 'If-None-Match': posted.headers.get('etag')! };
  assert.equal((await request(`/old${posted.headers.get('location')}`, { headers })).status, 304);
});

test('D46 – a stage of JavaScript that passes a spread on → one 500, and the log has the remedy', async () => {
  const lines: unknown[] = [];
  const { request } = application(rewriting, { log: (error) => void lines.push(error) });
  assert.equal((await request('/spread')).status, 500);
  assert.match(lines.join(), /Cannot ask the stage "routing": the context is a spread, .* copy .* with contextWith/);
  assert.equal((await request('/api/todo')).status, 200);
});
