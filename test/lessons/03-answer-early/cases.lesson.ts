/** The cases of lesson 3. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, problemReply, route, type Stage, text } from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { log, assertNone } = keptLog();
const { closed, prediction } = await work<typeof import('../answers/03-answer-early.ts')>(import.meta.url);

/** Returns the reply to a request, and who saw the request and the reply. */
async function ask(method: string, stage: Stage = closed) {
  const seen: string[] = [];
  const notes =
    (name: string): Stage =>
    async (context, next) => {
      seen.push(`${name} sees the request`);
      const reply = await next(context);
      seen.push(`${name} sees the reply`);
      return reply;
    };
  const handle = () => {
    seen.push('the route sees the request');
    return text('an item');
  };
  const stages = [notes('front'), stage, notes('back')];
  const app = application([{ name: 'lesson', stages, routes: [route({ path: 'items', handle })] }], { log });
  const reply = await app.request('/items', { method });
  assertNone(reply.status);
  return { reply, seen };
}

test('the prediction for a POST that is answered early → what happens', WITHIN, async () => {
  const early: Stage = (context) => problemReply(context, 503, 'Only reading today');
  const { seen } = await ask('POST', early);
  const actual = Object.fromEntries(Object.keys(prediction).map((question) => [question, seen.includes(question)]));
  assertPredicted(prediction, actual, 'Which stage calls `back`? Whose `next(context)` returns the early reply?');
});

for (const method of ['GET', 'HEAD'])
  test(`a ${method} → goes on to the route`, WITHIN, async () => {
    const { reply } = await ask(method);
    assert.equal(reply.status, 200, `${method} only reads, so the stage passes it on: return next(context)`);
  });

for (const method of ['POST', 'PUT', 'DELETE'])
  test(`a ${method} → 503, and the route does not run`, WITHIN, async () => {
    const { reply, seen } = await ask(method);
    assert.equal(
      reply.status,
      503,
      `Return problemReply(context, 503, …) for ${method}; a reply that is not returned is dropped`,
    );
    assert.match(await reply.text(), /Only reading today/, 'The detail of the problem tells the client why');
    const remedy = 'The status is right, but the request went on: a stage that answers early does not call next';
    assert.ok(!seen.includes('the route sees the request'), remedy);
  });

test('a POST → the earlier stage gets the 503 as a reply', WITHIN, async () => {
  const { reply, seen } = await ask('POST');
  assert.equal(reply.status, 503, 'Answer the POST first');
  assert.ok(
    seen.includes('front sees the reply'),
    'front gets an error, not a reply: return the problem, do not throw it',
  );
});
