/** The beginning of a stop, as replies that may never end see it (D77). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { application } from '../../../../src/core/application/application.ts';
import { contextWith } from '../../../../src/core/message/context-with.ts';
import { testContext } from '../../../support/test-context.ts';

test('D77 – the signal of a context and of its copies → one', () => {
  const context = testContext('/');
  assert.equal(contextWith(context, { path: '/x' }).stopping, context.stopping);
});

test('D77 – an application that is started again after a stop → a new signal', async () => {
  const composed = application([]);
  await composed.start();
  const { stopping } = composed;
  await Promise.all([once(stopping, 'abort'), composed.stop()]);
  await composed.start();
  assert.equal(composed.stopping.aborted, false);
});
