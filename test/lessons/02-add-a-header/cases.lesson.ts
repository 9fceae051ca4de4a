/** The cases of lesson 2. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import {
  application,
  HttpProblem,
  headerOf,
  type Plugin,
  type Reply,
  route,
  text,
  withHeaders,
} from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { plugin, prediction } = await work<typeof import('../answers/02-add-a-header.ts')>(import.meta.url);

const shared: Reply = Object.freeze(text('shared', { headers: { 'X-Kept': 'yes' } }));
const routes: Plugin = {
  name: 'routes',
  routes: [
    route({ path: 'shared', handle: () => shared }),
    route({ path: 'late', handle: async () => later(shared) }),
    route({
      path: 'teapot',
      handle() {
        throw new HttpProblem(418, 'This is not a coffee machine');
      },
    }),
  ],
};
const QUESTIONS = {
  'a route answers, 200': '/shared',
  'a route throws an HttpProblem, 418': '/teapot',
  'no route matches, 404': '/nowhere',
  'the request is not valid, 400': '/%',
};
const { log, assertNone } = keptLog(
  'A reply is read-only, and its headers are a list. withHeaders(reply, …) returns a copy.',
);
const app = application([plugin, routes], { log });
async function servedBy(path: string, asked = app): Promise<string | null> {
  const { status, headers } = await asked.request(path);
  assertNone(status);
  return headers.get('X-Served-By');
}

test('the prediction for a stage in `stages` → what happens', WITHIN, async () => {
  const inner: Plugin = {
    name: 'inner',
    stages: [async (context, next) => withHeaders(await next(context), { 'X-Served-By': 'inner' })],
  };
  const asked = application([inner, routes], { log: () => {} });
  const replies = Object.entries(QUESTIONS).map(async ([question, path]) => [
    question,
    (await servedBy(path, asked)) !== null,
  ]);
  const think =
    'Who creates each reply: a function later than the stage, or earlier? Only replies of later functions pass through it.';
  assertPredicted(prediction, Object.fromEntries(await Promise.all(replies)), think);
});

test('a route answers → the reply has the header', WITHIN, async () => {
  assert.equal(await servedBy('/shared'), 'lesson', 'The stage returns a copy of the reply with X-Served-By: lesson');
});

test('a route answers → body, status and other headers stay the same', WITHIN, async () => {
  const { status, headers } = await app.request('/shared');
  assertNone(status);
  assert.deepEqual([status, headers.get('X-Kept')], [200, 'yes'], 'withHeaders(reply, …) keeps the rest of the reply');
  assert.equal(await (await app.request('/shared')).text(), 'shared', 'withHeaders(reply, …) keeps the body');
});

test('a route sends one reply to many clients → that reply does not change', WITHIN, async () => {
  await app.request('/shared');
  const remedy = 'The stage has changed the shared reply, and every later client gets the change too: return a copy';
  assert.equal(headerOf(shared, 'X-Served-By'), undefined, remedy);
});

test('a route that waits → its reply has the header', WITHIN, async () => {
  const { status, headers } = await app.request('/late');
  assert.equal(status, 200, 'next(context) returns a promise here: await it before you copy the reply');
  assert.equal(headers.get('X-Served-By'), 'lesson');
});

for (const [question, path] of Object.entries(QUESTIONS).slice(1))
  test(`${question} → its reply has the header`, WITHIN, async () => {
    const remedy = 'This reply is created before the `stages`. Which list comes even earlier?';
    assert.equal(await servedBy(path), 'lesson', remedy);
  });
