import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after } from '../../../src/core/message/after.ts';

const failing = (): never => {
  throw new Error('then');
};
const caught = (error: unknown): string => `caught ${(error as Error).message}`;

test('after – a value → continues at once, without a promise', () => {
  assert.equal(
    after(1, (value) => value + 1),
    2,
  );
  assert.equal(
    after(undefined, (value) => String(value)),
    'undefined',
  );
});

test('after – a promise → continues when it is fulfilled', async () => {
  const result = after(Promise.resolve(1), (value) => value + 1);
  assert.ok(result instanceof Promise);
  assert.equal(await result, 2);
});

test('after – a promise that is rejected → handed to the third argument, else passed on', async () => {
  assert.equal(await after(Promise.reject(new Error('no')), String, caught), 'caught no');
  await assert.rejects(async () => after(Promise.reject(new Error('no')), String), { message: 'no' });
});

test('after – a continuation that throws → thrown or rejected, never handed to the third argument', async () => {
  assert.throws(() => after(1, failing, caught), { message: 'then' });
  await assert.rejects(async () => after(Promise.resolve(1), failing, caught), { message: 'then' });
});
