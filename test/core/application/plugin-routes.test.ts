/** Responses that stages add to operations: in both documents, and for the verification. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import type { RouteInput } from '../../../src/core/routing/route.ts';
import { operationOf } from '../../../src/operations/operation/controller.ts';
import type { Responses } from '../../../src/operations/operation/operation.ts';
import { noContent } from '../../../src/operations/operation/results.ts';
import { routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { answering, responsesOf, type StageResponses } from '../../../src/operations/routes/responses-of.ts';
import { description } from '../../../src/plugins/description/description.ts';
import { verification } from '../../../src/testing.ts';
import { controlled, read } from '../../support/plain-routes.ts';

const stageOf = (responses: StageResponses) =>
  answering(function adding(context, next) {
    return next(context);
  }, responses);
/** A plugin whose only stage may send these responses. */
const adding = (responses: StageResponses, name = 'adding'): Plugin => ({ name, stages: [stageOf(responses)] });

/** The statuses of each operation, by its id. */
const statusesOf = (plugins: readonly Plugin[]): Record<string, string> =>
  Object.fromEntries(
    [...application(plugins).routes].flatMap((route) => {
      const routed = operationOf(route);
      return routed === undefined ? [] : [[routed.id, Object.keys(responsesOf(routed)).join()]];
    }),
  );

const STRING = { type: 'string' } as const;
const a = controlled('a', 'a', read(''));
const b = controlled('b', 'b', read(''));
const own: Plugin = { ...controlled('own', 'own', read('')), ...adding({ 429: {} }, 'own') };
for (const [what, plugins, statuses] of [
  [
    'responses of a plugin → added to the operations of all plugins, earlier or later',
    [a, own, b],
    ['429', '429', '429'],
  ],
  [
    'a function of an operation → its result is added',
    [
      adding(({ id, operation, controller }) =>
        id === 'AGet' && operation.method === 'GET' && controller.name === 'a' ? { 423: {} } : { 423: undefined },
      ),
      a,
      b,
    ],
    ['423', undefined],
  ],
] as const)
  test(`D79 ${what}`, () => {
    const expected = statuses.map((status) => (status === undefined ? '204' : `204,${status}`));
    assert.deepEqual(Object.values(statusesOf(plugins)), expected);
  });

// A parameter can have the value of a prefix.
const PATHS = ['a', 'A/b/x', 'ab', '{any}/b', 'a/{rest}', 'b/{*all}', ''];
const paths = controlled('paths', '', ...PATHS.map((path) => read(path)));
const slow = adding({ 429: {} });
for (const [what, mountedPlugin, below] of [
  ['at a', mounted('a', slow), ['a', 'A/b/x', '{any}/b', 'a/{rest}']],
  ['at a/b', mounted('/A/B/', slow), ['A/b/x', '{any}/b', 'a/{rest}']],
  ['at b/c, an outer stage', mounted('b/c', { name: 'a', outerStages: slow.stages }), ['{any}/b', 'b/{*all}']],
  ['at b/c/d', mounted('b/c/d', slow), ['{any}/b', 'b/{*all}']],
  ['at b in a', mounted('a', mounted('b', slow)), ['A/b/x', '{any}/b', 'a/{rest}']],
  ['at x in b in a', mounted('a', mounted('b', mounted('x', slow))), ['A/b/x', '{any}/b', 'a/{rest}']],
  ['at c', mounted('c', slow), ['{any}/b']],
] as const)
  test(`D79 responses of a plugin mounted ${what} → added to the operations whose literal beginning fits the prefix`, () => {
    const found = [...application([mountedPlugin, paths]).routes].flatMap((route) => {
      const routed = operationOf(route)!;
      return 429 in responsesOf(routed) ? [routed.operation.path] : [];
    });
    assert.deepEqual(found, below);
  });

for (const [what, responses, reason] of [
  ['an invalid status', { 700: {} }, /the 700 of the stage .*: it is not a status; use a number from 200 to 599/],
  ['a word', { default: {} }, /the default of the stage .*: it is not a status/],
  ['an invalid response', { 429: 'Slow' }, /the 429 of the stage .*: it is "Slow"; give an object of description/],
  ['a body', { 200: { schema: STRING } }, /it has the unknown member "schema"; use one of description, headers/],
  ['a Location', { 303: { location: 'x' } }, /it has the unknown member "location"; use one of description, headers/],
  [
    'a header without a type',
    { 429: { headers: { A: { description: 'a' } } } },
    /the header "A" of the 429 of the stage/,
  ],
  ['a list', [{}], /the responses of the stage .*: they are not an object; use one such as \{ 429/],
  ['a function that returns nothing', () => undefined, /they are not an object/],
  ['an async function', async () => ({ 429: {} }), /they are not an object/],
  ['a function of an invalid status', () => ({ 99: {} }), /the 99 of the stage .*: it is not a status/],
] as const)
  test(`D79 ${what} as responses of a stage → a PluginError that names the stage and the operation`, () => {
    assert.throws(
      () => application([adding(responses as never), a]),
      ({ name, message }: Error) =>
        name === 'PluginError' &&
        message.includes('the stage "adding" in front of the operation "AGet"') &&
        reason.test(message),
    );
  });

const SLOW: Responses = {
  429: { description: 'Slow', headers: { 'Retry-After': { type: 'integer', description: 'Seconds', always: true } } },
};
const lock = read('', {
  responses: { 204: { description: 'Open' }, 429: { description: 'Slower' } },
  handle({ values: { lock } }: RouteInput<{ lock: string }>) {
    if (lock === 'open') return noContent();
    throw new HttpProblem(Number(lock), 'As asked', { headers: { 'Retry-After': lock === '423' ? '' : '1' } });
  },
});
const stages = [stageOf({ 423: { description: 'Locked' } })];
const locks: Plugin = {
  name: 'locks',
  routes: routesOf({ name: 'Locks', path: 'locks/{lock}', stages, operations: [lock] }),
};

test('D79 both documents → the statuses of the stages of plugins and controllers, with their texts and headers', async () => {
  const app = application([adding(SLOW, 'slow'), locks, description({ title: 'A' })]);
  await app.start();
  for (const name of ['swagger', 'openapi']) {
    const document = JSON.parse(await (await app.request(`/swagger/v1/${name}.json`)).text());
    const { responses } = document.paths['/locks/{lock}'].get;
    const rows = Object.entries<any>(responses);
    assert.deepEqual(
      rows.map(([status, { description: text, headers = {} }]) => [status, text, Object.keys(headers).join()]),
      [
        ['204', 'Open', ''],
        ['423', 'Locked', ''],
        ['429', 'Slower', 'Retry-After'],
      ],
      name,
    );
  }
});

for (const [lock, added, status, says] of [
  ['open', SLOW, 204, ''],
  ['429', SLOW, 429, ''],
  ['503', { 503: SLOW[429]! }, 503, ''],
  ['503', SLOW, 503, ''],
  ['429', {}, 500, 'the header Retry-After is not declared'],
  ['409', SLOW, 500, 'it declares no 409, only 204, 423, 429'],
] as const)
  test(`D79 the verification, of a ${lock} where a plugin adds ${Object.keys(added)} → ${status} ${says}`, async () => {
    const logged: string[] = [];
    const log = (error: unknown) => void logged.push(String(error));
    const { request } = application([verification(), adding(added, 'slow'), locks], { log });
    assert.equal((await request(`/locks/${lock}`)).status, status, logged.join());
    assert.equal(logged.length, says === '' ? 0 : 1);
    assert.ok(logged.join().includes(says), logged.join());
  });
