/** The cases of lesson 4. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, type Pipeline, problemReply, route, type Stage, text } from '../../../src/index.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { guarded, prediction, stages, withoutVersion } = await work<typeof import('../answers/04-swap-two-stages.ts')>(
  import.meta.url,
);

const PATHS = ['/private/a', '/v1/private/a', '/v1/open/a'];
const pages = route({ path: '{area}/a', handle: ({ values }) => text(`a page of ${values.area}`) });

async function statusOf(path: string, ordered: Pipeline): Promise<number> {
  const app = application([{ name: 'lesson', stages: ordered, routes: [pages] }]);
  return (await app.request(path)).status;
}

/** The guard of the untouched exercise. */
const first: Stage = (context, next) =>
  context.path.startsWith('/private') ? problemReply(context, 403, 'This is private') : next(context);
const ORDERS: Readonly<Record<string, Pipeline>> = {
  '[guarded, withoutVersion]': [first, withoutVersion],
  '[withoutVersion, guarded]': [withoutVersion, first],
};

for (const [order, ordered] of Object.entries(ORDERS))
  test(`the prediction for ${order} → what happens`, WITHIN, async () => {
    const actual: Record<string, number> = {};
    for (const path of PATHS) actual[`${order} answers ${path} with`] = await statusOf(path, ordered);
    assertPredicted(prediction, actual, 'Which path does `guarded` see in this order?');
  });

test('/private/a → 403', WITHIN, async () => {
  assert.equal(await statusOf('/private/a', stages), 403, 'Keep both stages in the list');
});

test('/v1/private/a → 403 as well', WITHIN, async () => {
  assert.equal(
    await statusOf('/v1/private/a', stages),
    403,
    'The guard sees another path than the route: swap the two',
  );
});

test('/v1/open/a → 200', WITHIN, async () => {
  assert.equal(await statusOf('/v1/open/a', stages), 200, 'Keep both stages in the list');
});

for (const path of ['/PRIVATE/a', '/%70rivate/a', '/v1/Private/a', '/private/a/', '/open/../private/a'])
  test(`${path}, another spelling → 403`, WITHIN, async () => {
    const remedy = 'The route reads it as /private/a: let the guard compare `context.segments` and ignore case';
    assert.equal(await statusOf(path, stages), 403, remedy);
  });

test('/privateer/a, another area → 200', WITHIN, async () => {
  assert.equal(await statusOf('/privateer/a', stages), 200, 'Compare the whole segment, not its beginning');
});

test('/open/private, another area → 200', WITHIN, async () => {
  const area = route({ path: 'open/{page}', handle: ({ values }) => text(values.page) });
  const app = application([{ name: 'lesson', stages, routes: [area] }]);
  assert.equal((await app.request('/open/private')).status, 200, 'Compare the first segment only');
});

test('/, which has no segment → 200', WITHIN, async () => {
  const home = route({ path: '', handle: () => text('home') });
  const app = application([{ name: 'lesson', stages, routes: [home] }], { log() {} });
  const remedy = 'The path `/` has no segment, so `context.segments[0]` is undefined';
  assert.equal((await app.request('/')).status, 200, remedy);
});

test('the list → the two stages, once each', WITHIN, () => {
  const remedy = 'The list must have both stages and nothing else';
  assert.deepEqual([...stages].sort(byName), [guarded, withoutVersion].sort(byName), remedy);
});

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  return one < other ? -1 : 1;
}
