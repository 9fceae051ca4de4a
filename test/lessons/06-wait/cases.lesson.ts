/** The cases of lesson 6. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { type Handler, headerOf, pipeline, text } from '../../../src/index.ts';
import { contextFor } from '../../../src/testing.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { pipelines, prediction, served } = await work<typeof import('../answers/06-wait.ts')>(import.meta.url);

const end: Handler = () => text('the end');
const lateEnd: Handler = () => later(text('the late end'));
const ask = (handler: Handler) => pipeline([served], handler)(contextFor('/'));

function asked(handler: Handler, remedy: string) {
  try {
    return ask(handler);
  } catch (error) {
    return assert.fail(`It throws ${error}\n${remedy}`);
  }
}

test('the prediction for five pipelines → what happens', WITHIN, async () => {
  const actual: Record<string, string> = {};
  for (const [name, stages] of Object.entries(pipelines)) {
    const returned = pipeline(stages, end)(contextFor('/'));
    actual[name] = returned instanceof Promise ? 'promise' : 'reply';
    await returned;
  }
  assertPredicted(
    prediction,
    actual,
    'Which stages run at all? Which of them are `async`? Which earlier stages return the same value?',
  );
});

test('no later stage waits → a reply, with the header', WITHIN, async () => {
  const returned = asked(
    end,
    'next(context) returns a reply here. It has no `then`, and it is read-only: withHeaders(reply, …) returns a copy',
  );
  const isReply = !(returned instanceof Promise);
  const reply = await returned;
  assert.equal(headerOf(reply, 'X-Served-By'), 'lesson', 'The header is missing');
  assert.ok(
    isReply,
    'The stage created a promise although nothing waits: use no `async`, `await` or `Promise.resolve`',
  );
});

test('a later stage waits → a promise of a reply, with the header', WITHIN, async () => {
  const returned = asked(lateEnd, 'next(context) returns a promise here, which has no headers yet');
  assert.ok(
    returned instanceof Promise,
    'next(context) returns a promise here, so the stage must return a promise too',
  );
  assert.equal(headerOf(await returned, 'X-Served-By'), 'lesson', 'The later reply must have the header, too');
});

test('a later stage fails, at once or later → the same error', WITHIN, async () => {
  const error = new Error('a failure of a later stage');
  const fails = () => {
    throw error;
  };
  const remedy = 'Let errors pass unchanged';
  await assert.rejects(async () => ask(fails), error, remedy);
  await assert.rejects(async () => ask(() => Promise.reject(error)), error, remedy);
});

test('one request → the later stages run once', WITHIN, async () => {
  let calls = 0;
  await ask(() => {
    calls += 1;
    return text('counted');
  });
  assert.equal(calls, 1, 'Call next(context) once and keep its result');
});
