/** The cases of lesson 10. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  application,
  type Context,
  contextWith,
  type Plugin,
  route,
  type Stage,
  slot,
  text,
} from '../../../src/index.ts';
import { assertPredicted, keptLog, WITHIN, work } from '../work.ts';

const { post, prediction } = await work<typeof import('../answers/10-pass-a-value-on.ts')>(import.meta.url);
const { log, assertNone } = keptLog();

const LETTERS = { Ada: 'a letter from Charles', Bob: 'a bill' };
const headersOf = (name?: string): Record<string, string> => (name === undefined ? {} : { 'X-User': name });
const copied: Stage = (context, next) => next(contextWith(context, { path: context.path.replace(/^\/v1/, '') }));

test('the prediction for a slot and a variable → what happens', WITHIN, async () => {
  const user = slot<string>('user');
  let variable = '';
  const actual: Record<string, string> = {};
  const note = (context: Context, question: string, read: () => string | undefined): void => {
    if (context.headers['x-user'] !== 'Ada') return;
    try {
      actual[question] = String(read());
    } catch {
      actual[question] = 'an error';
    }
  };
  const before: Stage = async (context, next) => {
    note(context, 'user.find(context) in before, before it calls next', () => user.find(context));
    note(context, 'user.get(context) in before, before it calls next', () => user.get(context));
    const reply = await next(context);
    note(context, 'user.get(context) in before, after next has returned', () => user.get(context));
    return reply;
  };
  const signedIn: Stage = (context, next) => {
    variable = String(context.headers['x-user']);
    user.set(context, variable);
    return next(context);
  };
  const ada = route({
    path: '',
    async handle({ context }) {
      note(context, 'user.get(context) in the handler', () => user.get(context));
      await app.request('/other', { headers: headersOf('Bob') });
      note(context, 'user.get(context) in the handler, after a request of Bob', () => user.get(context));
      note(context, 'a variable instead of the slot, after a request of Bob', () => variable);
      return text('');
    },
  });
  const routes = [ada, route({ path: 'other', handle: () => text('') })];
  const app = application([{ name: 'lesson', stages: [before, signedIn, copied], routes }]);
  await app.request('/', { headers: headersOf('Ada') });
  assertPredicted(
    prediction,
    actual,
    'Which stages have run when the value is read? For how many requests is there one variable, and one value of the slot?',
  );
});

/** Sends the requests of these clients. While the handler of one waits for the letters, the next request comes. */
async function ask(names: readonly (string | undefined)[], path = '/letters', further: readonly Plugin[] = []) {
  const answers: (string | number)[] = [];
  let sent = 0;
  const send = async (): Promise<void> => {
    const at = sent++;
    const reply = await app.request(path, { headers: headersOf(names[at]) });
    assertNone(reply.status);
    answers[at] = reply.status === 200 ? await reply.text() : reply.status;
  };
  const letters = async () => {
    if (sent < names.length) await send();
    return LETTERS;
  };
  const app = application([post(letters), ...further], { log });
  while (sent < names.length) await send();
  return answers;
}

test('a request of Ada → the letters of Ada', WITHIN, async () => {
  const remedy = 'The handler finds no name: create one slot, outside of the functions, and set it in the stage';
  assert.deepEqual(await ask(['Ada']), [LETTERS.Ada], remedy);
});

test('a request of a client without letters → no letters', WITHIN, async () => {
  assert.deepEqual(await ask(['Eve']), ['no letters']);
});

test('a request without a name → 401', WITHIN, async () => {
  assert.deepEqual(await ask([undefined]), [401], 'No stage has set the slot: find(context) returns undefined then');
});

for (const names of [
  ['Ada', 'Bob'],
  ['Bob', 'Ada'],
  ['Ada', undefined],
  [undefined, 'Ada'],
] as const)
  test(
    `requests of ${names.map((name) => name ?? 'nobody').join(' and ')} at the same time → each gets the right reply`,
    WITHIN,
    async () => {
      const expected = names.map((name) => (name === undefined ? 401 : LETTERS[name]));
      const remedy =
        'A client gets the reply of another: a variable outside of the stage has one value for all requests';
      assert.deepEqual(await ask(names), expected, remedy);
    },
  );

test('a later stage that passes on a copy of the context → the letters of Ada', WITHIN, async () => {
  const remedy = 'The handler gets a copy of the context: a slot has the same value in all copies';
  assert.deepEqual(await ask(['Ada'], '/v1/letters', [{ name: 'copying', stages: [copied] }]), [LETTERS.Ada], remedy);
});
