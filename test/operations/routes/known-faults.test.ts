/** Errors of a domain: the option `faults` of `operations(…)` turns them into results. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  application,
  type Context,
  HttpProblem,
  noContent,
  type OperationOptions,
  operation,
  operations,
  problem,
} from '../../../src/index.ts';
import { logged } from '../../support/serve.ts';

class NotFree extends Error {
  readonly until = '2026-12-24';
}
const thrown: Readonly<Record<string, () => unknown>> = {
  free: () => noContent(),
  'not-free': () => {
    throw new NotFree('The room is not free');
  },
  'not-free-later': async () => {
    throw new NotFree('The room is not free');
  },
  problem: () => {
    throw new HttpProblem(404, 'There is no such room');
  },
  bug: () => {
    throw new RangeError('secret');
  },
};
const book = operation({
  method: 'POST',
  path: 'book/{how}',
  responses: { 204: {}, 404: {}, 409: { description: 'The room is not free' } },
  handle: ({ values: { how } }) => thrown[how]!() as ReturnType<typeof noContent>,
});
const faults = (error: unknown, context: Context) =>
  error instanceof NotFree ? problem(409, error.message, { until: error.until, asked: context.path }) : undefined;

for (const [how, status, members] of [
  ['free', 204, undefined],
  ['not-free', 409, { detail: 'The room is not free', until: '2026-12-24', asked: '/book/not-free' }],
  ['not-free-later', 409, { detail: 'The room is not free', until: '2026-12-24', asked: '/book/not-free-later' }],
  ['problem', 404, { detail: 'There is no such room' }],
  ['bug', 500, {}],
] as const)
  test(`a fault of a domain – ${how} → ${status}`, async () => {
    const { request } = application([operations({ faults }), { name: 'rooms', routes: [book] }]);
    const reply = await request(`/book/${how}`, { method: 'POST' });
    assert.equal(reply.status, status);
    if (members !== undefined) {
      const sent = (await reply.json()) as Record<string, unknown>;
      assert.deepEqual({ ...sent, ...members }, sent);
    }
    assert.deepEqual(
      logged.splice(0).map((line) => line.includes('secret')),
      status === 500 ? [true] : [],
    );
  });

test('a fault of a domain – a problem that a handler throws → it does not pass faults', async () => {
  const all = operations({ faults: () => problem(409, 'any error') });
  const { request } = application([all, { name: 'rooms', routes: [book] }]);
  assert.equal((await request('/book/problem', { method: 'POST' })).status, 404);
  assert.equal((await request('/book/bug', { method: 'POST' })).status, 409);
});

test('a fault of a domain – faults that are not a function → an error where they are declared', () =>
  assert.throws(() => operations({ faults: 409 } as unknown as OperationOptions), /"faults" is not a function/));
