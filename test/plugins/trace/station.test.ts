/** What a stage is said to have done, and that it does the same as without a recorder. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, contextWith, type Pipeline, pipeline, type Stage, text } from '../../../src/index.ts';
import { Recorder } from '../../../src/plugins/trace/recorder.ts';
import type { Station } from '../../../src/plugins/trace/recording.ts';
import { throwing } from '../../support/throwing.ts';

type Said = readonly [label: string, did: Station['did'], status: number | undefined];

/** The status of the reply, and the actions of the plugin's stages, the outermost first. */
async function saidOf(path: string, stages: Pipeline, outerStages: Pipeline = []) {
  let done: (stations: readonly Station[]) => void;
  const recorded = new Promise<readonly Station[]>((resolve) => (done = resolve));
  const recorder = new Recorder('recorder', ({ stations }) => done(stations));
  const unanswered = (): ReturnType<typeof text> => text('end', { status: 201 });
  const app = application([recorder.plugin, { name: 'a', stages, outerStages }], { unanswered, log: () => {} });
  const { status } = await app.request(path);
  const flat = (stations: readonly Station[]): Said[] =>
    stations.flatMap(({ label, did, reply, stations: inner }) => [[label, did, reply?.status], ...flat(inner)]);
  const said = flat(await recorded).filter(([label]) => label.startsWith('a: '));
  return { status, said: said.map(([label, ...others]) => [label.slice('a: '.length), ...others]) };
}

const waits: Stage = async function waits(context, next) {
  return next(context);
};
const passes: Stage = function passes(context, next) {
  return next(context);
};
const answers: Stage = function answers(context, next) {
  if (context.path === '/answer') return text('here');
  if (context.path === '/throw') throw new Error('thrown');
  return context.path === '/reject' ? Promise.reject(new Error('rejected')) : next(context);
};

for (const [path, status, did] of [
  ['/', 201, 'passed on'],
  ['/answer', 200, 'answered'],
] as const) {
  test(`trace – GET ${path} through stages that pass it on → the last one ${did}`, async () => {
    assert.deepEqual(await saidOf(path, [waits, passes, answers]), {
      status,
      said: [
        ['waits', 'passed on', status],
        ['passes', 'passed on', status],
        ['answers', did, status],
      ],
    });
  });
}

/** A stage that does this when the next one fails. */
const caught =
  (then: Stage): Stage =>
  async (context, next) => {
    try {
      return await next(context);
    } catch {
      return then(context, next);
    }
  };

/** A stage in front of a failing stage, and its recorded action. */
const CAUGHT: readonly (readonly [what: string, stage: Stage, did: readonly unknown[]])[] = [
  ['makes a reply of it', caught(() => text('sorry', { status: 503 })), ['caught it, answered', 503]],
  [
    'lets it through',
    (context, next) => Promise.resolve(next(context)).catch((error) => Promise.reject(error)),
    ['passed the error on', undefined],
  ],
  ['throws another', caught(throwing(new Error('another'))), ['threw', undefined]],
  ['asks again', caught((context, next) => next(contextWith(context, { path: '/else' }))), ['passed on', 201]],
];
for (const path of ['/throw', '/reject'])
  for (const [what, stage, did] of CAUGHT) {
    test(`trace – GET ${path} fails, and a stage in front ${what} → ${did.join(' ')}`, async () => {
      const { said } = await saidOf(path, [stage, answers]);
      assert.deepEqual(said[0], ['stage 1', ...did]);
      assert.deepEqual(said[1], ['answers', 'threw', undefined]);
    });
  }

const EARLY: readonly (readonly [what: string, stage: Stage, did: readonly unknown[]])[] = [
  [
    'throws once it has a reply',
    async (context, next) => {
      await next(context);
      throw new Error('after');
    },
    ['threw', undefined],
  ],
  [
    'answers while what it asked still waits',
    (context, next) => {
      void next(contextWith(context, { path: '/late' }));
      return text('early');
    },
    ['answered', 200],
  ],
  ['replaces the reply', async (context, next) => ({ ...(await next(context)), status: 202 }), ['passed on', 202]],
  [
    'returns the first reply although a later call fails',
    async (context, next) => {
      const first = await next(context);
      await Promise.resolve(next(contextWith(context, { path: '/reject' }))).catch(() => {});
      return first;
    },
    ['passed on', 201],
  ],
  ['gives no reply', () => undefined as never, ['returned nothing', undefined]],
];
for (const [what, stage, did] of EARLY) {
  test(`trace – a stage that ${what} → ${did.join(' ')}`, async () => {
    const late: Stage = (context, next) => (context.path === '/late' ? new Promise<never>(() => {}) : next(context));
    const { said } = await saidOf('/', [stage, late, answers]);
    assert.deepEqual(said[0], ['stage 1', ...did]);
  });
}

test('trace – an outer stage → said too', async () => {
  assert.deepEqual(await saidOf('/%zz', [passes], [waits]), { status: 400, said: [['waits', 'passed on', 400]] });
});

test('trace – a stage that does not wait → a reply and not a promise, as without a recorder', () => {
  const recorder = new Recorder('recorder', () => {});
  const origin = { name: 'passes', plugin: 'a' };
  const handler = pipeline([recorder.stage(passes, origin)], () => text('end'));
  assert.ok(!(handler({} as never) instanceof Promise));
});
