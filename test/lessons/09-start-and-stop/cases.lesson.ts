/** The cases of lesson 9. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { application, type Plugin, route, text } from '../../../src/index.ts';
import { assertPredicted, WITHIN, work } from '../work.ts';
import { Journal } from './journal.ts';

const { journalling, prediction } = await work<typeof import('../answers/09-start-and-stop.ts')>(import.meta.url);

/** Returns the calls of three plugins that start and stop. The start of the plugin `failing` fails. */
async function callsOf(failing?: string): Promise<string[]> {
  const calls: string[] = [];
  const plugins = ['a', 'b', 'c'].map(
    (name): Plugin => ({
      name,
      start() {
        calls.push(`start ${name}`);
        if (name === failing) throw new Error(`${name} cannot start`);
      },
      stop: () => void calls.push(`stop ${name}`),
    }),
  );
  const app = application(plugins);
  await app.start().then(app.stop, () => {});
  return calls;
}

test('the prediction for three plugins → what happens', WITHIN, async () => {
  const actual = {
    'all of them start, and the application stops': await callsOf(),
    'start of b fails': await callsOf('b'),
  };
  assertPredicted(
    prediction,
    actual,
    'May `b` use a resource of `a`, and how long? Which plugin holds a resource when a start has failed?',
  );
});

function journalled() {
  const journal = new Journal();
  const routes: Plugin = { name: 'routes', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
  const logged: string[] = [];
  const app = application([journalling(journal), routes], { log: (error) => logged.push(String(error)) });
  return { journal, app, logged };
}

test('a new plugin → the journal is not open', WITHIN, async () => {
  const { journal } = journalled();
  await pause(50);
  assert.equal(journal.isOpen, false, 'Open it in start, not while the plugin is created');
});

test('the application has started → the journal is open, and requests are answered', WITHIN, async () => {
  const { journal, app, logged } = journalled();
  await app.start();
  assert.equal(
    journal.isOpen,
    true,
    'start has not opened the journal, or the application did not wait until it was open',
  );
  const { status } = await app.request('/hello');
  assert.equal(status, 200, `The log says: ${logged.join()}`);
});

test('the application has stopped → the journal is closed, and every line is saved', WITHIN, async () => {
  const { journal, app } = journalled();
  await app.start();
  for (const path of ['/hello', '/nowhere']) await app.request(path);
  await app.stop();
  assert.equal(
    journal.isOpen,
    false,
    'stop has not closed the journal, or the application did not wait until it was closed',
  );
  assert.deepEqual(journal.saved, ['GET /hello', 'GET /nowhere']);
});

test('the application is stopped and started again → the journal is opened again', WITHIN, async () => {
  const { journal, app } = journalled();
  for (let round = 0; round < 2; round++) {
    await app.start();
    await app.request('/hello');
    await app.stop();
  }
  assert.deepEqual(
    journal.saved,
    ['GET /hello', 'GET /hello'],
    'Each start opens the journal, and each stop closes it',
  );
});
