/** The fold of stages (plugins): order, answers, what is passed on, and no promise where nothing waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../src/core/message/context.ts';
import { contextWith } from '../../../src/core/message/context-with.ts';
import { text } from '../../../src/core/message/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { testContext } from '../../support/test-context.ts';

const adds =
  (letter: string): Stage =>
  (context, next) =>
    next(contextWith(context, { path: context.path + letter }));
const end = ({ path }: Context) => text(path);

test('pipeline – three stages → a request meets them in the order of the array', async () => {
  assert.equal((await pipeline(['a', 'b', 'c'].map(adds), end)(testContext('/'))).body, '/abc');
});

test('pipeline – a stage that answers → later ones are not asked', async () => {
  const never: Stage = () => assert.fail('was asked');
  assert.equal(
    (
      await pipeline([adds('a'), ({ path }) => text(`answered ${path}`), never], () => assert.fail('was asked'))(
        testContext('/'),
      )
    ).body,
    'answered /a',
  );
});

test('pipeline – a stage that passes a changed copy on → those behind it see the copy, those in front the original', async () => {
  const seen: string[] = [];
  const notes: Stage = async (context, next) => {
    const reply = await next(context);
    seen.push(context.path);
    return reply;
  };
  await pipeline([notes, adds('a'), notes], end)(testContext('/'));
  assert.deepEqual(seen, ['/a', '/']);
});

test('pipeline – no stage at all → the end; no end either → a 404 problem that names method and path', async () => {
  assert.equal((await pipeline([], end)(testContext('/x'))).body, '/x');
  const reply = await pipeline([])(testContext('/x', { method: 'PUT' }));
  assert.equal(reply.status, 404);
  assert.match(reply.body as string, /Nothing answers PUT \/x/);
});

test('pipeline – stages that do not wait → a reply, not a promise; one that waits → a promise', () => {
  assert.ok(!(pipeline([adds('a'), adds('b')], end)(testContext('/')) instanceof Promise));
  assert.ok(pipeline([adds('a'), async (context, next) => next(context)], end)(testContext('/')) instanceof Promise);
});

test('pipeline – one pipeline asked many times, and by several at once → nothing is left over', async () => {
  const handler = pipeline([async (context, next) => next(contextWith(context, { path: `${context.path}!` }))], end);
  const replies = await Promise.all(['/a', '/b', '/c'].map((path) => handler(testContext(path))));
  assert.deepEqual(
    replies.map(({ body }) => body),
    ['/a!', '/b!', '/c!'],
  );
});
