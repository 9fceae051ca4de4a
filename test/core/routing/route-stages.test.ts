/** Stages of a route, an operation and a controller, which run after the match (D73). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text, withHeaders } from '../../../src/core/http/replies.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { apiKeys, authentication } from '../../../src/shelf/authentication/authentication.ts';
import { controlled, plain, read } from '../../support/plain-routes.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

const notes: string[] = [];
const recording =
  (name: string): Stage =>
  async (context, next) => {
    notes.push(name);
    const reply = await next(context);
    notes.push(`${name} ${reply.status}`);
    return reply;
  };
const takeNotes = (): string => notes.splice(0).join(', ');
const keys = apiKeys({ right: { identity: 'Ada' } });

const plugin: Plugin = {
  name: 'staged',
  stages: [recording('plugin')],
  routes: [
    ...routesOf({
      name: 'Things',
      path: 'things',
      stages: [recording('controller 1'), recording('controller 2')],
      operations: [
        operation({
          method: 'GET',
          path: '',
          stages: [recording('operation')],
          query: { page: { type: 'integer' } },
          responses: { 200: { schema: { type: 'string' } } },
          handle: ({ query: { page } }) => {
            notes.push(`handler ${page}`);
            return ok('things');
          },
        }),
        read('', { method: 'DELETE', security: [keys] }),
        read('', { method: 'POST', stages: [recording('before the body')], body: { type: 'object', properties: {} } }),
      ],
    }),
    route({ method: 'GET', path: 'plain/{n}', stages: [recording('route')], handle: ({ values }) => text(values.n) }),
    plain('other'),
  ],
};

const { handler } = application([authentication(keys), plugin], { log: () => {} });
const all = (inner: string): string =>
  `plugin, controller 1, controller 2, ${inner}, controller 2 200, controller 1 200, plugin 200`;

const posted = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' };
const outer = 'plugin, controller 1, controller 2';
/**
 * A request, its status, and the recorded notes. A problem passes the stages as an error, so only the notes on the way
 * in count.
 */
for (const [asked, request, status, passed] of [
  ['an operation', testContext('/things?page=2'), 200, all('operation, handler 2, operation 200')],
  ['a wrong parameter: it is read after the stages', testContext('/things?page=x'), 400, `${outer}, operation`],
  ['a body that is not JSON: read there too', testContext('/things', posted), 415, `${outer}, before the body`],
  ['no credentials: no stage after the match runs', testContext('/things', { method: 'DELETE' }), 401, 'plugin'],
  [
    'credentials',
    testContext('/things', { method: 'DELETE', headers: { 'X-API-Key': 'right' } }),
    204,
    `${outer}, controller 2 204, controller 1 204, plugin 204`,
  ],
  ['a route with a stage', testContext('/plain/7'), 200, 'plugin, route, route 200, plugin 200'],
  ['a route without a stage', testContext('/other'), 200, 'plugin, plugin 200'],
] as const)
  test(`D73 – ${asked} → ${passed}`, async () => {
    assert.equal((await handler(request)).status, status);
    const seen = takeNotes();
    const onTheWayIn = (notes: string): string => (status >= 400 ? notes.replace(/ \d+.*/, '') : notes);
    assert.equal(onTheWayIn(seen), onTheWayIn(passed));
  });

const stagedRoute = (path: string, ...stages: readonly Stage[]) => plain(path, { stages });
const applicationOf = (...routes: NonNullable<Plugin['routes']>) => application([{ name: 'a', routes }]);

test('D73 – a stage that answers → the handler is not called; an earlier stage can change the reply', async () => {
  const closed: Stage = () => text('closed', { status: 503 });
  const marked: Stage = async (context, next) => withHeaders(await next(context), { 'X-Mark': 'yes' });
  const { handler: staged } = applicationOf(
    route({ path: 'x', stages: [marked, closed], handle: () => assert.fail('called') }),
  );
  const reply = await staged(testContext('/x'));
  assert.equal(reply.status, 503);
  assert.ok((reply.headers as string[]).includes('X-Mark'));
});

test('D73 – a stage that passes on a changed context → handler, links and base path use the copy', async () => {
  const moved: Stage = (context, next) => next(contextWith(context, { basePath: '/moved', method: 'GET' }));
  const { handler: staged } = applicationOf(
    route({
      path: 'x/{n}',
      name: 'x',
      stages: [moved],
      handle: ({ context, link, values }) => text(`${context.method} ${context.basePath} ${link('x')} ${values.n}`),
    }),
  );
  assert.equal((await staged(testContext('/x/1', { method: 'POST' }))).body, 'GET /moved /moved/x/1 1');
});

test('D73 – a stage that returns nothing → 500, and the log has the stage and the declaration', async () => {
  const logged: string[] = [];
  const forgetful: Stage = function forgetful(context, next) {
    void next(context);
    return undefined as never;
  };
  const described = routesOf({ name: 'B', path: 'b', stages: [forgetful], operations: [read('')] });
  const routes = [stagedRoute('x', forgetful), ...described];
  const { handler: staged } = application([{ name: 'a', routes }], { log: (error) => logged.push(String(error)) });
  assert.equal((await staged(testContext('/x'))).status, 500);
  assert.equal((await staged(testContext('/b'))).status, 500);
  assert.match(logged[0]!, /The stage "forgetful" of the route "x" returned nothing; return a reply/);
  assert.match(logged[1]!, /The stage "forgetful" of the controller "B" returned nothing; return a reply/);
});

for (const [stages, fault] of [
  ['nope', 'the value is not a list'],
  [[undefined], 'number 1 is not a function'],
  [[(() => text('')) as Stage, {}], 'number 2 is not a function'],
] as const)
  test(`D73 – invalid stages (${fault}) → an error with the declaration`, () => {
    assert.throws(() => route({ path: 'x', stages: stages as never, handle: () => text('x') }), {
      name: 'TypeError',
      message: new RegExp(`^Cannot use the stages of the route "x": ${fault}; give \\[`),
    });
    assert.throws(() => application([controlled('A', 'a', read('', { stages }))]), {
      message: new RegExp(`the operation "AGet": ${fault}`),
    });
  });

test('D73 – a stage of a mounted plugin throws a problem → a problem with the whole path', async () => {
  const closed: Stage = throwing(new HttpProblem(403, 'Closed on Sundays'));
  const { handler: staged } = application([mounted('shop', { name: 'a', routes: [stagedRoute('x', closed)] })]);
  const { status, body } = await staged(testContext('/shop/x'));
  assert.deepEqual([status, JSON.parse(body as string).instance], [403, '/shop/x']);
});

test('D73 – a stage that asks the application for another path of its route → each handler gets the values of its request', async () => {
  const asksAgain: Stage = async (context, next) => {
    const inner = context.path === '/x/1' ? await nested.handler(contextWith(context, { path: '/x/2' })) : undefined;
    return withHeaders(await next(context), { 'X-Inner': String(inner?.body) });
  };
  const nested = applicationOf(
    route({ path: 'x/{n}', stages: [asksAgain], handle: ({ values }) => text(`n is ${values.n}`) }),
  );
  const { body, headers } = await nested.handler(testContext('/x/1'));
  assert.equal(body, 'n is 1');
  assert.ok((headers as string[]).includes('n is 2'));
});
