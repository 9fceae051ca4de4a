/** The cases of lesson 1: three of its own, then the real tests of the pipeline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Handler, type Stage, text } from '../../../src/index.ts';
import { contextFor } from '../../../src/testing.ts';
import { addressOfWork, WITHIN, work } from '../work.ts';
import { realTests } from './real-tests.ts';

const { pipeline } = await work<typeof import('../answers/01-fold.ts')>(import.meta.url);
const registerRealTests = await realTests(addressOfWork(import.meta.url));

const end: Handler = () => text('the end');

test('one stage that answers → its reply', WITHIN, async () => {
  const reply = await pipeline([() => text('the stage')], end)(contextFor('/'));
  assert.equal(reply?.body, 'the stage', 'The handler of one stage asks that stage and returns its reply');
});

test('the `next` of the last stage → the end', WITHIN, async () => {
  const passes: Stage = (context, next) => next(context);
  const reply = await pipeline([passes, passes], end)(contextFor('/'));
  assert.equal(reply?.body, 'the end', 'Each stage passes on, so the reply is that of the end');
});

test('a pipeline that is made and not asked → calls no stage', WITHIN, () => {
  let calls = 0;
  const counted: Stage = (context, next) => {
    calls += 1;
    return next(context);
  };
  const handler = pipeline([counted, counted], end);
  assert.equal(calls, 0, 'A stage is called when a request is there, not while the list is folded');
  handler(contextFor('/'));
  assert.equal(calls, 2, 'Each stage is called once for one request');
});

registerRealTests();
