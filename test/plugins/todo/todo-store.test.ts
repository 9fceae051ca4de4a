/** The plugin over a custom store: keys, errors, and one store behind two services (D76). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HttpService } from '../../../src/extending.ts';
import { application, HttpProblem, operations, type Stage } from '../../../src/index.ts';
import { CollectionFull, type Store } from '../../../src/plugins/collection/collection.ts';
import { type TodoItem, todo } from '../../../src/plugins/todo/todo.ts';
import { type Answer, ask, Client } from '../../support/ask.ts';
import { lateStore } from '../../support/late-store.ts';
import { MapStore } from '../../support/map-store.ts';
import { assertProblem } from '../../support/problem.ts';
import { logged, serveService } from '../../support/serve.ts';
import { throwing } from '../../support/throwing.ts';
import { todoItem } from '../../support/todo-item.ts';

/** The items of the store in memory. */
const itemsOf = ({ store }: ReturnType<typeof todo>): TodoItem[] => JSON.parse((store.list() as { body: string }).body);
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The port of a service whose keys are k1, k2, and so on. */
async function serveStore(t: TestContext, store: Store<TodoItem>): Promise<number> {
  let keys = 0;
  const { handler, refuse } = application([todo({ store, newKey: () => `k${++keys}` })]);
  return (await serveService(t, new HttpService({ handler, refuse }))).port;
}

test('D12 – two new stores → each has one item, under another key', () => {
  const [one, other] = [itemsOf(todo()), itemsOf(todo())];
  assert.deepEqual([one.length, other.length], [1, 1]);
  assert.notEqual(one[0]!.key, other[0]!.key);
});

test('D76 – a custom store → the plugin uses it, and adds no item', async () => {
  const store = new MapStore();
  assert.equal(todo({ store }).store, store);
  assert.equal((await store.list()).body, '[]');
});

for (const [what, options] of [
  ['the store in memory', {}],
  ['a store of its own', { store: new MapStore() }],
] as const) {
  test(`D1 – ${what}, in another naming than the operations → an error with the remedy`, () => {
    const compose = (naming: 'camelCase' | 'PascalCase') =>
      application([operations({ naming: 'PascalCase' }), todo<Store<TodoItem>>({ ...options, naming })]);
    compose('PascalCase');
    assert.throws(() => compose('camelCase'), {
      name: 'PluginError',
      message:
        /"todo": its items are in camelCase, its operations in PascalCase; use todo\(\{ naming: 'PascalCase' \}\)/,
    });
  });
}

test('D76 – keys that the program makes → those of new items, in the list and in Location', async (t) => {
  const port = await serveStore(t, new MapStore());
  for (const key of ['k1', 'k2']) {
    const answer = await ask(port, { method: 'POST', target: '/api/todo', headers: JSON_TYPE, body: '{"name":"a"}' });
    assert.equal(answer.headers['location'], `/api/todo/${key}`);
    assert.equal(answer.json().key, key);
  }
  const items: readonly TodoItem[] = (await ask(port, { target: '/api/todo' })).json();
  assert.equal(items.map(({ key }) => key).join(), 'k1,k2');
});

test('D76 – a key that the program makes, without a store → it is free for the first item that is created', async () => {
  const composed = application([todo({ newKey: () => 'first' })]);
  const reply = await composed.request('/api/todo', { method: 'POST', json: { name: 'New' } });
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.get('Location'), '/api/todo/first');
});

const down = () => new HttpProblem(503, 'The database does not answer', { headers: { 'Retry-After': '5' } });
const full = () => new CollectionFull('The disk is full');

for (const [what, makeError, status, retryAfter, changesOnly] of [
  ['a CollectionFull', full, 507, '60', true],
  ['an HttpProblem 503', down, 503, '5', false],
  ['any other error', () => new TypeError('broken'), 500, undefined, false],
] as const) {
  for (const [how, fail] of [
    ['throws', throwing(makeError())],
    ['rejects with', (): Promise<never> => Promise.reject(makeError())],
  ] as const) {
    test(`D76 – a store that ${how} ${what} → ${status} for each operation`, async (t) => {
      const store = { list: fail, get: fail, add: fail, replace: fail, remove: fail };
      const port = await serveStore(t, store);
      const [list, item] = [{ target: '/api/todo' }, { target: '/api/todo/a' }];
      const sent = { headers: JSON_TYPE, body: '{"key":"a","name":"b"}' };
      const changes = [
        { method: 'POST', ...list, ...sent },
        { method: 'PUT', ...item, ...sent },
        { method: 'PATCH', ...item, ...sent },
      ];
      const others = [list, item, { method: 'DELETE', ...item }];
      const questions = changesOnly ? changes : [...changes, ...others];
      for (const question of questions) {
        const answer = await ask(port, question);
        assertProblem(answer, status);
        assert.equal(answer.headers['retry-after'], retryAfter);
      }
      const lines = logged.splice(0);
      assert.equal(lines.length, status === 500 ? questions.length : 0);
      for (const line of lines) assert.match(line, /TypeError: broken/);
    });
  }
}

const etagOf = ({ headers }: Answer) => headers['etag'];

test('D76 – one store behind two services → one ETag, and of two editors with it one loses nothing', async (t) => {
  const map = new MapStore();
  await map.add('a', todoItem({ key: 'a', name: 'first' }));
  const ports = [await serveStore(t, lateStore(map)), await serveStore(t, lateStore(map))];
  const clients = ports.map((port) => new Client(port));
  const target = '/api/todo/a';
  const [one, other] = (await Promise.all(clients.map((client) => client.ask({ target })))).map(etagOf);
  assert.equal(one, other);
  const headers = { ...JSON_TYPE, 'If-Match': one! };
  const changes = [
    { method: 'PATCH', target, headers, body: '{"name":"second"}' },
    { method: 'PUT', target, headers, body: '{"key":"a","name":"third","isComplete":true}' },
  ];
  const answers = await Promise.all(clients.map((client, at) => client.ask(changes[at]!)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 412]);
  const winner = answers.find(({ status }) => status === 204)!.headers['etag'];
  for (const client of clients) {
    const now = await client.ask({ target, headers: { 'If-None-Match': winner! } });
    assert.equal(now.status, 304);
    client.destroy();
  }
});

test('plugins – a stage that changes the reply of one client, in JavaScript → refused, others get theirs unchanged', async () => {
  const careless: Stage = async (context, next) => {
    const reply = await next(context);
    if (context.query.has('mark')) (reply.headers as string[]).push('Set-Cookie', 'sid=1');
    return reply;
  };
  const logged: string[] = [];
  const log = (error: unknown) => logged.push(String(error));
  const app = application([{ name: 'careless', stages: [careless] }, todo()], { log });
  const cookieOf = async (path: string) => (await app.request(path)).headers.get('Set-Cookie');
  await cookieOf('/api/todo');
  assert.equal((await app.request('/api/todo?mark')).status, 500);
  assert.equal(await cookieOf('/api/todo'), null);
  assert.match(logged.join(), /not extensible/);
});
