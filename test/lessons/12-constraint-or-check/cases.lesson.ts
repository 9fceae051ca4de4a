/** The cases of lesson 12. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, type Plugin, route, text } from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { plugin, prediction } = await work<typeof import('../answers/12-constraint-or-check.ts')>(import.meta.url);
const { log, assertNone } = keptLog();

async function ask(path: string) {
  const reply = await application([plugin], { log }).request(path);
  assertNone(reply.status);
  return { status: reply.status, body: await reply.text() };
}

test('the prediction for eight requests → what happens', WITHIN, async () => {
  const routes = [
    route({ path: 'orders/{number:int}', handle: () => text('order') }),
    route({ path: '{*page}', handle: () => text('page') }),
  ];
  const actual: Record<string, string> = {};
  for (const question of Object.keys(prediction)) {
    const [path, isReversed] = question.slice('GET '.length).split(', if ') as [string, string?];
    const before: Plugin = { name: 'before', routes: isReversed === undefined ? routes : routes.toReversed() };
    // The other route cannot be reached. The warning would give the answer away.
    actual[question] = await (await application([before], { warn() {} }).request(path)).text();
  }
  assertPredicted(
    prediction,
    actual,
    'Does `int` check the characters, or whether the text can be read as a number of 32 bits? Which route is tried if it cannot?',
  );
});

for (const [path, body] of [
  ['/orders/7', 'order: seven chairs'],
  ['/orders/12', 'order: a table'],
  ['/orders/summary', 'page: orders/summary'],
  ['/orders', 'page: orders'],
  ['/about/7x', 'page: about/7x'],
  ['/', 'page: '],
] as const)
  test(`${path} → ${body}`, WITHIN, async () => {
    const reply = await ask(path);
    assert.equal(reply.status, 200, `The client gets ${reply.status}: ${reply.body}`);
    assert.equal(reply.body, body, 'Another route has answered: which route takes this path first?');
  });

for (const path of [
  '7x',
  'x7',
  '007',
  '+7',
  '%207',
  '7%20',
  '-1',
  '0',
  '1.0',
  '1e3',
  'constructor',
  'sum',
  '%0A7',
  '7%0A',
])
  test(`/orders/${path}, not the number of an order → 400`, WITHIN, async () => {
    const { status, body } = await ask(`/orders/${path}`);
    const seen = {
      200: 'The client gets 200, as if the request were correct',
      404: 'The client gets 404, and believes that the order is missing',
    };
    const remedy = `${seen[status as 200] ?? `The client gets ${status}`}: let the handler check the whole text`;
    assert.equal(status, 400, remedy);
    assert.match(body, /number/, 'The text tells the client its mistake: a `number` is expected');
  });

for (const path of ['8', '99999999999', '10'])
  test(`/orders/${path}, a number without an order → 404`, WITHIN, async () => {
    const { status } = await ask(`/orders/${path}`);
    assert.equal(status, 404, 'The number is valid; only the order does not exist');
  });
