/** Values that a stage passes to later stages and to the handler (D73). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { text } from '../../../src/core/http/replies.ts';
import { slot } from '../../../src/core/http/slot.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import type { RouteInput } from '../../../src/core/routing/route.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { testContext } from '../../support/test-context.ts';

interface User {
  readonly name: string;
}

const user = slot<User>('user');

/** The contexts that a stage can pass on after setting the slot. */
const ways: Readonly<Record<string, (context: Context) => Context>> = {
  'the context itself': (context) => context,
  'a copy with other headers': (context) => contextWith(context, { headers: {} }),
  'a copy of a copy': (context) => contextWith(contextWith(context, { method: 'GET' }), { requestId: 'other' }),
};

const route = plain('plain', { handle: ({ context }: RouteInput) => text(user.get(context).name) });
const described = read('described', {
  responses: { 200: { schema: { type: 'string' } } },
  handle: ({ context }: RouteInput) => ok(user.get(context).name),
});

for (const [way, passedOn] of Object.entries(ways)) {
  const signing: Stage = (context, next) => {
    const passed = passedOn(context);
    user.set(context, { name: 'Ada' });
    return next(passed);
  };
  const plugin: Plugin = { name: 'telling', stages: [signing], routes: [described, route] };
  for (const [where, prefix, composed] of [
    ['not mounted', '', application([plugin])],
    ['mounted', '/a', application([mounted('a', plugin)])],
    ['mounted twice', '/a/b', application([mounted('a', mounted('b', plugin))])],
  ] as const)
    test(`D73 – a stage sets a slot and passes on ${way}, its plugin ${where} → route and operation get the value`, async () => {
      assert.equal((await composed.handler(testContext(`${prefix}/plain`))).body, 'Ada');
      assert.equal((await composed.handler(testContext(`${prefix}/described`))).body, '"Ada"');
    });
}

test('D73 – a slot that is set twice → the last value, which may be undefined', () => {
  const context = testContext('/');
  const count = slot<number | undefined>('count');
  count.set(context, 1);
  count.set(context, 2);
  assert.equal(count.get(context), 2);
  count.set(context, undefined);
  assert.equal(count.get(context), undefined);
});

test('D73 – two slots of the same name, two requests → four separate values', () => {
  const [left, right] = [slot<number>('n'), slot<number>('n')];
  const [first, second] = [testContext('/1'), testContext('/2')];
  left.set(first, 1);
  right.set(first, 2);
  left.set(second, 3);
  assert.deepEqual(
    [left, right].flatMap((slot) => [slot.find(first), slot.find(second)]),
    [1, 3, 2, undefined],
  );
});

test('D73 – a slot that no stage has set → find returns undefined, get throws with the slot, the request and the remedy', () => {
  const context = testContext('/me');
  assert.equal(user.find(context), undefined);
  assert.throws(
    () => user.get(context),
    /^Error: Cannot read the slot "user" of GET \/me: no stage has set it; set it/,
  );
});

for (const [action, use] of [
  ['set', (context: Context) => user.set(context, { name: 'Ada' })],
  ['read', (context: Context) => user.get(context)],
  ['read', (context: Context) => user.find(context)],
] as const)
  test(`D73 – a spread of a context is used to ${action} a slot → a TypeError with the remedy`, () => {
    const spread = { ...testContext('/') } as unknown as Context;
    assert.throws(() => use(spread), {
      name: 'TypeError',
      message: new RegExp(`^Cannot ${action} the slot "user": .*contextWith`),
    });
  });
