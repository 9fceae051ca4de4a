/** The cases of lesson 7. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { application, HttpProblem, type Plugin, route, text } from '../../../src/index.ts';
import { contextFor } from '../../../src/testing.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { busyLater, prediction, TablesBusy } = await work<typeof import('../answers/07-throw.ts')>(import.meta.url);

const thrower = (thrown: unknown) => () => {
  throw thrown;
};
const tea = new HttpProblem(418, 'This is not a coffee machine');

const THROWS: Readonly<Record<string, Plugin>> = {
  'a route throws new HttpProblem(418)': { name: 'lesson', routes: [route({ path: '', handle: thrower(tea) })] },
  'a route throws new Error()': { name: 'lesson', routes: [route({ path: '', handle: thrower(new Error('secret')) })] },
  'a stage throws a string': { name: 'lesson', stages: [thrower('a string')] },
  'an outer stage throws new HttpProblem(418)': { name: 'lesson', outerStages: [thrower(tea)] },
};

test('the prediction for four throws → what happens', WITHIN, async () => {
  const actual: Record<string, string> = {};
  for (const [question, plugin] of Object.entries(THROWS)) {
    const app = application([plugin], { log: () => {} });
    const { status } = await app.request('/');
    // If this handler throws, the server catches.
    const hasReply = await (async () => app.handler(contextFor('/')))().then(
      () => true,
      () => false,
    );
    actual[question] = `${status} by ${hasReply ? 'problems' : 'the server'}`;
  }
  assertPredicted(prediction, actual, 'Does the error have a status? Does it reach `problems` on its way outwards?');
});

/** Returns the reply to a request for this handler, and the log. */
async function ask(handle: () => ReturnType<typeof text> | Promise<ReturnType<typeof text>>) {
  const logged: unknown[] = [];
  const plugin: Plugin = { name: 'lesson', stages: [busyLater], routes: [route({ path: 'tables', handle })] };
  const app = application([plugin], { log: (error) => logged.push(error) });
  return { reply: await app.request('/tables'), logged };
}

test('no error → the reply of the route', WITHIN, async () => {
  const { reply } = await ask(() => text('table 4'));
  assert.equal(reply.status, 200);
  assert.equal(await reply.text(), 'table 4', 'Pass a reply through unchanged');
});

test('TablesBusy, thrown at once → 503 with Retry-After', WITHIN, async () => {
  const { reply } = await ask(thrower(new TablesBusy('full')));
  assert.equal(
    reply.status,
    503,
    'The error reaches `problems`, which treats it as an unknown error: catch it in the stage',
  );
  assert.equal(reply.headers.get('Retry-After'), '1', 'The header tells the client when to try again');
});

test('TablesBusy, as a rejected promise → 503 with Retry-After', WITHIN, async () => {
  const { reply } = await ask(async () => {
    await later();
    throw new TablesBusy('full');
  });
  const remedy = 'The stage had ended when the promise was rejected: `return await next(context)` stays in the `try`';
  assert.equal(reply.status, 503, remedy);
  assert.equal(reply.headers.get('Retry-After'), '1');
});

test('any other error → 500, and the log has that error', WITHIN, async () => {
  const error = new Error('a mistake');
  const { reply, logged } = await ask(thrower(error));
  assert.equal(reply.status, 500, 'This stage does not handle this error: throw it again');
  const remedy = 'The log must have this very error: throw the same error again, not a new one';
  assert.deepEqual(logged.map(String), [String(error)], remedy);
  assert.ok(logged[0] === error, remedy);
});

test('an HttpProblem → the status of the HttpProblem', WITHIN, async () => {
  const { reply } = await ask(thrower(tea));
  assert.equal(reply.status, 418, 'This stage does not handle this error: throw it again');
});
