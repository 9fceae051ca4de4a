/** Which plugin a stage is from, and how it is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { type StageOrigin, stageLabel, stageSubject } from '../../../src/core/application/instrument.ts';
import { mounted } from '../../../src/core/application/mounted.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { contextWith } from '../../../src/core/message/context-with.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';

const named: Stage = function served(context, next) {
  return next(context);
};
const even: Plugin = {
  name: 'even',
  stages: [named, (context, next) => next(context)],
  outerStages: [(context, next) => next(context)],
};
/** A plugin whose stages are no members of its own. */
class Odd implements Plugin {
  readonly name = 'odd';
  get stages() {
    return [named];
  }
}

test('plugins – one stage in two plugins and two applications → an error names the plugin whose stage it was', async () => {
  const says: string[] = [];
  const log = (error: unknown) => void says.push((error as Error).message.split(' returned')[0]!);
  const shared: Stage = (context, next) => (context.query.has('pass') ? next(context) : (undefined as never));
  const letBy: Stage = (context, next) => next(contextWith(context, { query: new URLSearchParams() }));
  const first = application(
    [
      { name: 'a', stages: [shared, letBy] },
      { name: 'b', stages: [shared] },
    ],
    { log },
  );
  const other = application([{ name: 'c', stages: [shared] }], { log });
  for (const [app, path] of [
    [first, '/'],
    [first, '/?pass'],
    [other, '/'],
    [first, '/'],
  ] as const)
    assert.equal((await app.request(path)).status, 500);
  const of = (plugin: string) => `The stage "shared" of the plugin "${plugin}"`;
  assert.deepEqual(says, [of('a'), of('b'), of('c'), of('a')]);
});

test('plugins – the stages of an application → each with its plugin, and its name or its place', () => {
  const origins: StageOrigin[] = [];
  const stage = (one: Stage, origin: StageOrigin): Stage => {
    origins.push(origin);
    return one;
  };
  const plugins = [even, { name: 'without' }, new Odd(), { ...mounted('tools', even), name: 'mounted' }];
  application(plugins, { instrument: { stage } });
  assert.deepEqual(origins.map(stageLabel), [
    'even: outer stage 1',
    'mounted: outer stage 1',
    'problems',
    'even: served',
    'even: stage 2',
    'odd: served',
    'mounted: served',
    'mounted: stage 2',
    'routing',
    'unanswered',
  ]);
  assert.deepEqual(origins.map(stageSubject).slice(0, 5), [
    'Outer stage 1 of the plugin "even"',
    'Outer stage 1 of the plugin "mounted"',
    'The stage "problems"',
    'The stage "served" of the plugin "even"',
    'Stage 2 of the plugin "even"',
  ]);
});
