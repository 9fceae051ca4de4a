/** Tests what a stage in front of another stage is said to have done. `service/explain.test.ts` has more cases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, contextWith, type Plugin, type Stage, text } from '../../../src/index.ts';
import { Recorder } from '../../../src/plugins/trace/recorder.ts';
import type { Station } from '../../../src/plugins/trace/recording.ts';
import { throwing } from '../../support/throwing.ts';

const answers: Stage = function answers(context, next) {
  if (context.path === '/throw') throw new Error('thrown');
  return context.path === '/reject' ? Promise.reject(new Error('rejected')) : next(context);
};

/** The actions of the stage and of `answers`, each with the status of its reply. */
async function saidOf(path: string, stage: Stage): Promise<readonly unknown[]> {
  let done: (stations: readonly Station[]) => void;
  const recorded = new Promise<readonly Station[]>((resolve) => (done = resolve));
  const recorder: Plugin = {
    name: 'recorder',
    parts: ({ routes }) => new Recorder('recorder', routes, ({ stations }) => done(stations)).parts,
  };
  const unanswered = (): ReturnType<typeof text> => text('end', { status: 201 });
  const stages = [stage, answers];
  await application([recorder, { name: 'a', stages }], { unanswered, log: () => {} }).request(path);
  const [problems] = await recorded;
  const [outer] = problems!.stations;
  return [outer!, outer!.stations[0]!].map(({ did, reply }) => `${did} ${reply?.status}`);
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
const CAUGHT: readonly (readonly [what: string, stage: Stage, did: string])[] = [
  ['makes a reply of it', caught(() => text('sorry', { status: 503 })), 'caught it, answered 503'],
  [
    'lets it through',
    (context, next) => Promise.resolve(next(context)).catch((error) => Promise.reject(error)),
    'passed the error on undefined',
  ],
  ['throws another', caught(throwing(new Error('another'))), 'threw undefined'],
  ['asks again', caught((context, next) => next(contextWith(context, { path: '/else' }))), 'passed on 201'],
];
for (const path of ['/throw', '/reject'])
  for (const [what, stage, did] of CAUGHT) {
    test(`trace – GET ${path} fails, and a stage in front ${what} → ${did}`, async () => {
      assert.deepEqual(await saidOf(path, stage), [did, 'threw undefined']);
    });
  }

const REPLIED: readonly (readonly [what: string, stage: Stage, did: string])[] = [
  [
    'throws once it has a reply',
    async (context, next) => {
      await next(context);
      throw new Error('after');
    },
    'threw undefined',
  ],
  [
    'returns the first reply although a later call fails',
    async (context, next) => {
      const first = await next(context);
      await Promise.resolve(next(contextWith(context, { path: '/reject' }))).catch(() => {});
      return first;
    },
    'passed on 201',
  ],
];
for (const [what, stage, did] of REPLIED) {
  test(`trace – a stage that ${what} → ${did}`, async () => {
    assert.deepEqual(await saidOf('/', stage), [did, 'passed on 201']);
  });
}
