/** The cases of lesson 1, followed by the real tests of the pipeline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Handler, type Stage, text } from '../../../src/index.ts';
import { contextFor } from '../../../src/testing.ts';
import { addressOfWork, WITHIN, work } from '../work.ts';
import { realTests } from './real-tests.ts';

const { pipeline } = await work<typeof import('../answers/01-fold.ts')>(import.meta.url);
const registerRealTests = await realTests(addressOfWork(import.meta.url));

const end: Handler = () => text('the end');

/** Returns a stage that adds its name to `asked` and passes the request on. */
const noting =
  (asked: string[], name: string): Stage =>
  (context, next) => {
    asked.push(name);
    return next(context);
  };

test('one stage that answers → its reply', WITHIN, async () => {
  const handler = pipeline([() => text('the stage')], end);
  assert.equal(typeof handler, 'function', 'pipeline(…) returns no handler: is there a `return`?');
  const reply = await handler(contextFor('/'));
  assert.equal(reply?.body, 'the stage', 'The handler of one stage calls that stage and returns its reply');
});

test('the `next` of the last stage → the end', WITHIN, async () => {
  const passes: Stage = (context, next) => next(context);
  const reply = await pipeline([passes, passes], end)(contextFor('/'));
  assert.equal(reply?.body, 'the end', 'Each stage passes on, so the reply is that of the end');
});

test('a pipeline that gets no request → calls no stage', WITHIN, () => {
  let calls = 0;
  const counted: Stage = (context, next) => {
    calls += 1;
    return next(context);
  };
  const handler = pipeline([counted, counted], end);
  assert.equal(calls, 0, 'A stage runs when a request comes, not while the list is folded');
  handler(contextFor('/'));
  assert.equal(calls, 2, 'Each stage is called once for one request');
});

test('three stages → called in the order of the list', WITHIN, async () => {
  const asked: string[] = [];
  await pipeline([noting(asked, 'a'), noting(asked, 'b'), noting(asked, 'c')], end)(contextFor('/'));
  const remedy = `They are called in the order ${asked.join(', ')}. Which stage must be wrapped first, so that a is called first?`;
  assert.equal(asked.join(), 'a,b,c', remedy);
});

test('a stage that calls `next` twice → calls the same stage twice', WITHIN, async () => {
  const asked: string[] = [];
  const twice: Stage = async (context, next) => {
    await next(context);
    return next(context);
  };
  await pipeline([twice, noting(asked, 'b'), noting(asked, 'c')], end)(contextFor('/'));
  const remedy =
    'The second `next(context)` calls another stage than the first: do not count in a variable for all stages';
  assert.deepEqual(asked, ['b', 'c', 'b', 'c'], remedy);
});

test('stages that do not wait → a reply at once', WITHIN, () => {
  const passes: Stage = (context, next) => next(context);
  const returned = pipeline([passes], end)(contextFor('/'));
  const remedy = 'It returns a promise although no stage waits: use neither `async` nor `await`';
  assert.ok(!(returned instanceof Promise), remedy);
});

registerRealTests();
