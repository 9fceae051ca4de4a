/** The cases of lesson 5. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, type Plugin, route, type Stage } from '../../../src/index.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';

const { plugin, prediction } = await work<typeof import('../answers/05-forget-the-return.ts')>(import.meta.url);

/** Returns the reply and the log. */
async function ask(path: string, asked: Plugin = plugin) {
  const logged: string[] = [];
  const app = application([asked], { log: (error) => logged.push(String(error)) });
  const reply = await app.request(path);
  return { status: reply.status, body: await reply.text(), logged: logged.join('\n') };
}

test('the prediction for a handler and a stage that return nothing → what happens', WITHIN, async () => {
  const counted = ((context, next) => {
    next(context);
  }) as Stage;
  const routes = [route({ path: 'hello', handle: () => undefined as never })];
  const { status, body, logged } = await ask('/hello?name=Ada', { name: 'forgetful', stages: [counted], routes });
  const name = /"(counted|hello)"/.exec(logged)?.[1];
  const actual = {
    'the status that the client gets': status,
    'the name in the log': name,
    'the client can read that name': body.includes(`"${name}" returned`),
  };
  assertPredicted(
    prediction,
    actual,
    'Which of the two functions ends first? Who made the mistake, and who may read about it?',
  );
});

test('GET /hello?name=Ada → 200 and a greeting', WITHIN, async () => {
  const { status, body, logged } = await ask('/hello?name=Ada');
  assert.equal(status, 200, `The client gets ${status}, and the log says:\n${logged}`);
  assert.match(body, /^Hello Ada, visitor \d+$/, 'The handler greets with the name from the query');
});

test('GET /hello?name=Ada again → one more visitor', WITHIN, async () => {
  const visitor = async () => /visitor (\d+)$/.exec((await ask('/hello?name=Ada')).body)?.[1];
  const [first, second] = [await visitor(), await visitor()];
  assert.ok(first !== undefined, 'There is no greeting yet');
  assert.equal(Number(second), Number(first) + 1, 'counted must still count each request once, and pass it on');
});

test('GET /hello without a name → 400 and the question', WITHIN, async () => {
  const { status, body, logged } = await ask('/hello');
  const evidence =
    logged === '' ? 'and the log is empty: a reply was created and dropped, then the request went on' : logged;
  assert.equal(status, 400, `The client gets ${status} with ${JSON.stringify(body.slice(0, 40))}, ${evidence}`);
  assert.match(body, /Who is there\?/);
});
