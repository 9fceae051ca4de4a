/** Stages that tell what they did, and do the same as without being asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context, Handler } from '../../../src/core/message/context.ts';
import { contextWith } from '../../../src/core/message/context-with.ts';
import { text } from '../../../src/core/message/replies.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import type { Pipeline } from '../../../src/core/pipeline/stage.ts';
import { type StageEnd, watched } from '../../../src/core/pipeline/watched.ts';
import { testContext } from '../../support/test-context.ts';

/** What one stage did with one request. */
interface Step {
  /** The label of the stage, else the name of its function, else its place: `stage 2`. */
  readonly stage: string;
  /** `passed on`: it ended as `next` did, with a changed reply or not. `caught`: `next` failed, and it replied. */
  readonly did: StageEnd['did'];
  /** The status of the reply; undefined where the stage ended with an error. */
  readonly status?: number;
  /** Milliseconds from the call of the stage to its end, later stages included. */
  readonly duration: number;
}

/** The stages, wrapped. `record` is called once per stage that a request reaches, the innermost first, by its label. */
function traced(
  stages: Pipeline,
  record: (step: Step, context: Context) => void,
  labels: readonly string[] = [],
): Pipeline {
  return stages.map((one, at) => {
    const stage = labels[at] ?? (one.name || `stage ${at + 1}`);
    return watched(one, (context) => {
      const started = performance.now();
      return {
        ended({ did, reply }) {
          const duration = performance.now() - started;
          record({ stage, did, ...(reply !== undefined && { status: reply.status }), duration }, context);
        },
      };
    });
  });
}

const stages: Pipeline = [
  async function waits(context, next) {
    return next(context);
  },
  function passes(context, next) {
    return next(context);
  },
  function answers(context, next) {
    if (context.path === '/answer') return text('here');
    if (context.path === '/throw') throw new Error('thrown');
    return context.path === '/reject' ? Promise.reject(new Error('rejected')) : next(context);
  },
];

const stepsOf = async (
  path: string,
  asked: Pipeline = stages,
): Promise<{ steps: Step[]; status?: number; error?: Error }> => {
  const steps: Step[] = [];
  try {
    const { status } = await pipeline(
      traced(asked, (step, context) => {
        assert.equal(context.path, path);
        steps.push(step);
      }),
      () => text('end', { status: 201 }),
    )(testContext(path));
    return { steps, status };
  } catch (error) {
    return { steps, error: error as Error };
  }
};
const brief = (steps: readonly Step[]) =>
  steps.map(({ stage, did, status }) => [stage, did, ...(status === undefined ? [] : [status])]);

test('pipeline – every stage passes the request on → three steps, innermost first, with the status of the end', async () => {
  const { steps, status } = await stepsOf('/');
  assert.equal(status, 201);
  assert.deepEqual(brief(steps), [
    ['answers', 'passed on', 201],
    ['passes', 'passed on', 201],
    ['waits', 'passed on', 201],
  ]);
  for (const { duration } of steps) assert.ok(duration >= 0 && duration < 1000);
});

test('pipeline – a stage answers → it says so, those in front passed on', async () => {
  assert.deepEqual(brief((await stepsOf('/answer')).steps), [
    ['answers', 'answered', 200],
    ['passes', 'passed on', 200],
    ['waits', 'passed on', 200],
  ]);
});

for (const how of ['throw', 'reject'] as const) {
  test(`pipeline – a stage that ${how}s → it threw, those in front passed the error on`, async () => {
    const { steps, error } = await stepsOf(`/${how}`);
    assert.match(error!.message, /thrown|rejected/);
    assert.deepEqual(brief(steps), [
      ['answers', 'threw'],
      ['passes', 'passed on'],
      ['waits', 'passed on'],
    ]);
  });

  /** Stages in front of one that fails, and what they are said to do. */
  const failing = stages[2]!;
  const path = `/${how}`;
  const caught: readonly (readonly [what: string, stage: Pipeline[number], did: readonly unknown[], error?: RegExp])[] =
    [
      [
        'makes a reply of it',
        async (context, next) => {
          try {
            return await next(context);
          } catch {
            return text('sorry', { status: 503 });
          }
        },
        ['caught', 503],
      ],
      [
        'lets it through',
        (context, next) => Promise.resolve(next(context)).catch((error) => Promise.reject(error)),
        ['passed on'],
        /thrown|rejected/,
      ],
      [
        'throws another',
        async (context, next) => {
          try {
            return await next(context);
          } catch {
            throw new Error('another');
          }
        },
        ['threw'],
        /another/,
      ],
      [
        'asks again and gets a reply',
        async (context, next) => {
          try {
            return await next(context);
          } catch {
            return next(contextWith(context, { path: '/else' }));
          }
        },
        ['passed on', 201],
      ],
    ];
  for (const [what, stage, did, error] of caught) {
    test(`pipeline – a stage that ${how}s, one in front that ${what} → ${did.join(' ')}`, async () => {
      const seen: Step[] = [];
      const run = async () =>
        pipeline(
          traced([stage, failing], (step) => seen.push(step), ['front', 'failing']),
          () => text('end', { status: 201 }),
        )(testContext(path));
      if (error === undefined) assert.equal((await run()).status, did[1]);
      else await assert.rejects(run(), error);
      assert.deepEqual(brief(seen).at(-1), ['front', ...did]);
      assert.deepEqual(brief(seen)[0], ['failing', 'threw']);
    });
  }
}

const late = () => new Promise<never>(() => {});
const early: readonly (readonly [what: string, stage: Pipeline[number], did: readonly unknown[]])[] = [
  [
    'throws once it has a reply',
    async (context, next) => {
      await next(context);
      throw new Error('after');
    },
    ['threw'],
  ],
  [
    'answers while what it asked still waits',
    (context, next) => {
      void next(context);
      return text('early');
    },
    ['answered', 200],
  ],
  ['replaces the reply', async (context, next) => ({ ...(await next(context)), status: 202 }), ['passed on', 202]],

  [
    'returns the first reply although a later call fails',
    async (context, next) => {
      const first = await next(context);
      await Promise.resolve(next(undefined as never)).catch(() => {});
      return first;
    },
    ['passed on', 200],
  ],
  ['gives no reply', () => undefined as never, ['answered']],
];
for (const [what, stage, did] of early) {
  test(`pipeline – a stage that ${what} → ${did.join(' ')}`, async () => {
    const steps: Step[] = [];
    const end: Handler = (context) =>
      what.includes('waits') ? late() : context === undefined ? Promise.reject(new Error('no context')) : text('end');
    const handler = pipeline(
      traced([stage], (step) => steps.push(step), ['it']),
      end,
    );
    await Promise.resolve()
      .then(() => handler(testContext('/')))
      .catch(() => {});
    assert.deepEqual(brief(steps), [['it', ...did]]);
  });
}

test('pipeline – stages without a name → told by their label, else by their place', async () => {
  const nameless: Pipeline = [(context, next) => next(context), (context, next) => next(context)];
  assert.deepEqual(brief((await stepsOf('/', nameless)).steps), [
    ['stage 2', 'passed on', 201],
    ['stage 1', 'passed on', 201],
  ]);
  const steps: Step[] = [];
  await pipeline(traced(nameless, (step) => steps.push(step), ['first', 'second']))(testContext('/'));
  assert.deepEqual(
    steps.map(({ stage }) => stage),
    ['second', 'first'],
  );
});

test('pipeline – stages that do not wait, traced → a reply, not a promise', () => {
  assert.ok(
    !(
      pipeline(
        traced(stages.slice(1), () => {}),
        () => text('end'),
      )(testContext('/')) instanceof Promise
    ),
  );
});
