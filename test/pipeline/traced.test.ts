/** Stages that tell what they did, and do the same as without being asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../../src/http/replies.ts';
import { pipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import { traced, type Step } from '../../src/pipeline/traced.ts';
import { testContext } from '../support/test-context.ts';

const stages: Pipeline = [
  async function waits(context, next) { return next(context); },
  function passes(context, next) { return next(context); },
  function answers(context, next) {
    if (context.path === '/answer') return text('here');
    if (context.path === '/throw') throw new Error('thrown');
    return context.path === '/reject' ? Promise.reject(new Error('rejected')) : next(context);
  },
];

const stepsOf = async (path: string, asked: Pipeline = stages): Promise<{ steps: Step[]; status?: number; error?: Error }> => {
  const steps: Step[] = [];
  try {
    const { status } = await pipeline(traced(asked, (step, context) => { assert.equal(context.path, path); steps.push(step); }),
      () => text('end', { status: 201 }))(testContext(path));
    return { steps, status };
  } catch (error) {
    return { steps, error: error as Error };
  }
};
const brief = (steps: readonly Step[]) => steps.map(({ stage, did, status }) => [stage, did, ...(status === undefined ? [] : [status])]);

test('pipeline – every stage passes the request on → three steps, innermost first, with the status of the end', async () => {
  const { steps, status } = await stepsOf('/');
  assert.equal(status, 201);
  assert.deepEqual(brief(steps), [['answers', 'passed on', 201], ['passes', 'passed on', 201], ['waits', 'passed on', 201]]);
  for (const { duration } of steps) assert.ok(duration >= 0 && duration < 1000);
});

test('pipeline – a stage answers → it says so, those in front passed on', async () => {
  assert.deepEqual(brief((await stepsOf('/answer')).steps),
    [['answers', 'answered', 200], ['passes', 'passed on', 200], ['waits', 'passed on', 200]]);
});

for (const how of ['throw', 'reject'] as const) {
  test(`pipeline – a stage that ${how}s → every stage tells it, and the error goes on`, async () => {
    const { steps, error } = await stepsOf(`/${how}`);
    assert.match(error!.message, /thrown|rejected/);
    assert.deepEqual(brief(steps), [['answers', 'threw'], ['passes', 'threw'], ['waits', 'threw']]);
  });
}

test('pipeline – a stage without a name → told as unnamed', async () => {
  assert.deepEqual(brief((await stepsOf('/', [(() => (context, next) => next(context))() as Pipeline[number]])).steps),
    [['unnamed stage', 'passed on', 201]]);
});

test('pipeline – stages that do not wait, traced → a reply, not a promise', () => {
  assert.ok(!(pipeline(traced(stages.slice(1), () => {}), () => text('end'))(testContext('/')) instanceof Promise));
});
