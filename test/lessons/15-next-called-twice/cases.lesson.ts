/** The cases of lesson 15. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { application, type Handler, route, type Stage, text } from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { again, prediction } = await work<typeof import('../answers/15-next-called-twice.ts')>(import.meta.url);
const { log, assertNone } = keptLog();

/** Sends a request through the stages to a route. */
async function ask(method: string, stages: readonly Stage[], handle: Handler) {
  const routes = [route({ path: 'orders', handle: ({ context }) => handle(context) })];
  const app = application([{ name: 'lesson', stages, routes }], { log });
  const reply = await app.request('/orders', { method, ...(method === 'POST' && { body: 'a chair' }) });
  assertNone(reply.status);
  return { status: reply.status, body: await reply.text() };
}

test('the prediction for a stage that calls next twice → what happens', WITHIN, async () => {
  const seen: string[] = [];
  const notes =
    (name: string): Stage =>
    async (context, next) => {
      seen.push(`${name} request`);
      const reply = await next(context);
      seen.push(`${name} reply`);
      return reply;
    };
  const twice: Stage = async (context, next) => {
    await next(context);
    return next(context);
  };
  const orders: string[] = [];
  const { body } = await ask('POST', [notes('front'), twice, notes('back')], async (context) => {
    orders.push(Buffer.from(await context.body()).toString());
    return text(String(orders.length));
  });
  const times = (name: string) => seen.filter((one) => one === name).length;
  const actual = {
    'how many requests front sees': times('front request'),
    'how many replies front sees': times('front reply'),
    'how many requests back sees': times('back request'),
    'how many orders are stored': orders.length,
    'the number of orders in the reply': Number(body),
    'the body that the route reads at the second call': orders[1],
  };
  assertPredicted(
    prediction,
    actual,
    'Whose `next` is called twice, and which stages are later? Does anything undo the first call?',
  );
});

/** Sends a request to a route that answers with these statuses, one after the other. */
async function tried(method: string, statuses: readonly number[]) {
  let calls = 0;
  let working = 0;
  let most = 0;
  const { status } = await ask(method, [again], async () => {
    const status = statuses[calls] ?? 500;
    calls += 1;
    working += 1;
    most = Math.max(most, working);
    await setImmediate();
    working -= 1;
    return text('', { status });
  });
  return { status, calls, most };
}

for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
  test(`a ${method}, 503 and then 200 → 200`, WITHIN, async () => {
    const { status, calls, most } = await tried(method, [503, 200]);
    assert.equal(status, 200, 'The client gets the first reply: return what the second call returns');
    assert.equal(calls, 2, `The route ran ${calls} times: ${method} is idempotent, so call next twice`);
    assert.equal(most, 1, 'Both calls run at the same time: wait for the first before you decide about the second');
  });

test('a GET, 503 three times → 503 after the second', WITHIN, async () => {
  const { status, calls } = await tried('GET', [503, 503, 200]);
  assert.deepEqual([status, calls], [503, 2], 'Call next once more, and pass the second reply on');
});

for (const method of ['POST', 'PATCH'])
  test(`a ${method}, 503 → 503, and the route runs once`, WITHIN, async () => {
    const { status, calls } = await tried(method, [503, 200]);
    assert.equal(
      calls,
      1,
      'The order may be stored although the reply is a 503: do not call next twice for this method',
    );
    assert.equal(status, 503);
  });

for (const status of [200, 404, 502])
  test(`a GET, ${status} → ${status}, and the route runs once`, WITHIN, async () => {
    const seen = await tried('GET', [status, 200]);
    assert.deepEqual([seen.status, seen.calls], [status, 1], 'Only a 503 is a reason to call next again');
  });
