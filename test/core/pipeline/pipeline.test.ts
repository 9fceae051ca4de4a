/** Pipelines (plugins): order, early answers, passed contexts, and no promise if no stage waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../../src/core/http/context.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { text } from '../../../src/core/http/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { testContext } from '../../support/test-context.ts';

const adds =
  (letter: string): Stage =>
  (context, next) =>
    next(contextWith(context, { path: context.path + letter }));
const end = ({ path }: Context) => text(path);

test('pipeline – three stages → a request passes them in the order of the array', async () => {
  assert.equal((await pipeline(['a', 'b', 'c'].map(adds), end)(testContext('/'))).body, '/abc');
});

test('pipeline – a stage that answers → later stages are not called', async () => {
  const never: Stage = () => assert.fail('was called');
  assert.equal(
    (
      await pipeline([adds('a'), ({ path }) => text(`answered ${path}`), never], () => assert.fail('was called'))(
        testContext('/'),
      )
    ).body,
    'answered /a',
  );
});

test('pipeline – a stage that passes a changed copy on → later stages see the copy, earlier stages the original', async () => {
  const seen: string[] = [];
  const recordsPath: Stage = async (context, next) => {
    const reply = await next(context);
    seen.push(context.path);
    return reply;
  };
  await pipeline([recordsPath, adds('a'), recordsPath], end)(testContext('/'));
  assert.deepEqual(seen, ['/a', '/']);
});

test('pipeline – no stage → the end answers; no end either → a 404 problem with method and path', async () => {
  assert.equal((await pipeline([], end)(testContext('/x'))).body, '/x');
  const reply = await pipeline([])(testContext('/x', { method: 'PUT' }));
  assert.equal(reply.status, 404);
  assert.match(reply.body as string, /Nothing answers PUT \/x/);
});

test('pipeline – stages that do not wait → a reply without a promise; a stage that waits → a promise', () => {
  assert.ok(!(pipeline([adds('a'), adds('b')], end)(testContext('/')) instanceof Promise));
  assert.ok(pipeline([adds('a'), async (context, next) => next(context)], end)(testContext('/')) instanceof Promise);
});

test('pipeline – several requests at once → each gets the reply for its path', async () => {
  const handler = pipeline([async (context, next) => next(contextWith(context, { path: `${context.path}!` }))], end);
  const replies = await Promise.all(['/a', '/b', '/c'].map((path) => handler(testContext(path))));
  assert.deepEqual(
    replies.map(({ body }) => body),
    ['/a!', '/b!', '/c!'],
  );
});
