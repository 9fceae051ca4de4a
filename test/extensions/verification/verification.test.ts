/** Tests that `--verify-description` finds replies that differ from the description (D14). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Reply } from '../../../src/core/message/reply.ts';
import { answer as answered, ok, problem } from '../../../src/core/operations/operation/answers.ts';
import { operation } from '../../../src/core/operations/operation/operation.ts';
import { schema } from '../../../src/core/operations/schema/schema.ts';
import { verification } from '../../../src/extensions/verification/verification.ts';
import { type Asked, answerOf, type WholeReply } from '../../support/answer-of.ts';

const Thing = schema('Thing', {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'integer', maximum: 9 } },
});

/** Sends a request to an operation with this answer, which only `--verify-description` checks. */
async function ask(answer: Reply, request: Partial<Asked> = {}): Promise<WholeReply & { readonly logged: string }> {
  const lying = operation({
    method: 'POST',
    path: 'thing',
    body: Thing,
    responses: { 200: { schema: Thing }, 404: {} },
    handle: () => answer as Reply<200, { size: number }>,
  });
  const { plugin, verify } = verification('camelCase');
  let logged = '';
  const composed = application(
    [plugin, { name: 'things', controllers: [{ name: 'Thing', path: '', operations: [lying] }] }],
    {
      verify,
      log: (error) => {
        logged += String(error);
      },
    },
  );
  const served = { handler: composed.handler, refuse: composed.refuse };
  const headers = { 'Content-Type': 'application/json' };
  const reply = await answerOf(served, { method: 'POST', path: '/thing', headers, body: '{"size":1}', ...request });
  return { ...reply, logged };
}

test('D14 – a reply as declared passes', async () => {
  const { status, body, logged } = await ask(ok({ size: 1 }));
  assert.deepEqual([status, body, logged], [200, '{"size":1}', '']);
});

const DRIFTS: readonly (readonly [what: string, answer: Reply, request: Partial<Asked>, logged: RegExp])[] = [
  [
    'an undeclared status of the handler',
    problem(409, 'taken'),
    {},
    /"ThingPost" answers 409 .*it declares no 409, only 200, 400, 404, 413, 415/,
  ],
  ['a body that is not the described one', ok({ size: 10 }), {}, /"ThingPost" answers 200 .*"\/size" is not .*9/],
  [
    'an undeclared header',
    answered(200, { size: 1 }, { headers: { ETag: '"1"' } }),
    {},
    /"ThingPost" answers 200 .*ETag is not declared/,
  ],
];

for (const [what, answer, request, expected] of DRIFTS) {
  test(`verification – ${what} → 500, and the log names the operation`, async () => {
    const { status, headers, body, logged } = await ask(answer, request);
    assert.deepEqual([status, headers['content-type']], [500, 'application/problem+json']);
    assert.match(logged, expected);
    assert.doesNotMatch(body, /ThingPost|declare/, 'the client is not told');
  });
}

test('D14 – an address that nobody answers is held to D10 alone', async () => {
  const { status, logged } = await ask(ok({ size: 1 }), { path: '/nowhere' });
  assert.deepEqual([status, logged], [404, '']);
});
